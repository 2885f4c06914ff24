"""What a test asks for its truth: a container is asked for its length or its keys, and its elements only by some."""

from __future__ import annotations

from pathlib import Path

from tests.verify.judged import finding_in
from tests.verify.observing import observe_code, observe_with

TESTS = """\
import jax, jax.numpy as jnp

@jax.jit
def asked(many, state, y):
    if many:  # look-alike
        y = y + 1
    if state and "a" in state:  # look-alike
        y = y + 1
    if not many:  # look-alike
        y = y + 1
    if any(state):  # look-alike
        y = y + 1
    return y

@jax.jit
def elements(xs):
    return 1 if any(xs) else 0  # confirmed

@jax.jit
def member(xs, y):
    return 1 if y in xs else 0  # confirmed

asked([jnp.ones(())], {"a": jnp.ones(())}, 1.0)
for function, arguments in ((elements, ([jnp.ones(())],)), (member, ([jnp.ones(())], 2.0))):
    try: function(*arguments)
    except Exception: pass
"""


def test_what_a_container_holds_is_not_what_is_asked(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(TESTS, encoding="utf-8")
    wanted = ("if many", 'if state and "a" in state', "if not many", "if any(state)", "1 if any(xs)", "1 if y in xs")
    lines = TESTS.splitlines()
    places = [next(number for number, line in enumerate(lines, 1) if text in line) for text in wanted]
    findings = [
        finding_in(script, "traced-branch", number, text.partition("if ")[2])
        for number, text in zip(places, wanted, strict=True)
    ]
    verdicts = [finding["verdict"] for finding in observe_with(findings, script).judged]
    assert verdicts == ["refuted"] * 4 + ["confirmed"] * 2


def test_findings_of_a_check_at_containers_are_not_confirmed(tmp_path: Path) -> None:
    observed = observe_code(TESTS, tmp_path, "--isolated", "--no-cache", "program.py")
    lines = TESTS.splitlines()
    confirmed = {f["line"] for f in observed.judged if f["verdict"] == "confirmed"}
    assert confirmed <= {number for number, line in enumerate(lines, 1) if line.endswith("# confirmed")}
