"""What a run finds by itself is what was planted, and nothing among what only looks like it."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxlint.verify.observe.counts import tally
from jaxlint.verify.observe.observe import observation
from jaxlint.verify.observe.process import Ended
from jaxlint.verify.observe.raised import rule_of
from jaxlint.verify.observe.record_reader import ProcessLog, Record
from jaxlint.verify.observe.stores import changing_line, losing_line
from tests.verify.observing import PYTHON, observe_code, observe_with, verify
from tests.verify.truth import expected_observed, script_of, told_observed


def test_what_was_planted_is_observed_and_nothing_else() -> None:
    observed = observe_with([], script_of("hazards"))
    assert observed.report["problems"] == []
    assert told_observed(observed) == expected_observed("hazards")


def test_what_the_check_reports_is_not_observed_again_and_the_rest_fails_the_gate(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x):\n    print(x)\n    return x\n\n\n"
        "sizes = [int(n) for n in '2 3 4'.split()]\nfor n in sizes:\n    f(jnp.ones(n))\n",
        encoding="utf-8",
    )
    done = verify("--isolated", "--fail-on", "observed", "--", PYTHON, "program.py", cwd=tmp_path)
    told = done.stderr.partition("Not seen by check")[2]
    assert "varying-shape" in told
    assert "print-in-traced-code" not in told
    assert "1 finding observed" in done.stderr
    assert done.returncode == 1


def test_what_was_compiled_behind_the_observer_is_counted(tmp_path: Path) -> None:
    code = (
        "import jax.numpy as jnp\nfrom jax._src import api\n\ndef f(x):\n    return x * 2\n\ng = api.jit(f)\n"
        "for n in (1, 2, 2, 3):\n    g(jnp.ones(n))\n"
    )
    observed = observe_code(code, tmp_path, "--isolated", "--no-cache")
    function = observed.function("f")
    assert (function["line"], function["compiles"], function["recompilations"]) == (4, 3, 2)


def ended(announced: int) -> list[str]:
    """The problems of a process that counted one compilation, where JAX announced so many."""
    records: list[Record] = [
        {"e": "compile", "t": 1.0, "th": 1, "s": 0.1, "name": "jit(f)", "call": None, "depth": 0},
        {"e": "stop", "t": 2.0, "how": "exit", "faults": {}, "announced": announced},
    ]
    log = ProcessLog(7, {"e": "start", "t": 0.0, "clock": 0.0, "python": "3.11.7"}, records)
    how = Ended(0, "exit code 0", timed_out=False, signal=None, seconds=1.0)
    return list(observation(("python",), how, [log], tally([log]), ()).problems)


def test_a_compilation_that_was_not_counted_is_told() -> None:
    assert ended(1) == []
    assert ended(2) == ["process 7: JAX announced 2 compilations, and 1 were counted"]


@pytest.mark.parametrize(("label", "line"), [("total", 4), ("self.steps", 8), ("kept", 9), ("rng", 10), ("nowhere", 2)])
def test_the_line_that_changes_a_name_is_found(label: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "source.py"
    path.write_text(
        "kept = []\ndef f():\n    global total\n    total += 1\n\n\ndef g(self):\n    self.steps = 1\n"
        "    kept.append(1)\n    rng.normal()\n",
        encoding="utf-8",
    )
    assert changing_line(str(path), 2, label) == line


@pytest.mark.parametrize(
    ("label", "line"), [("logs", 4), ("state", None), ("rows", 6), ("batch", 2), ("deeper", 2), ("step", 8)]
)
def test_what_is_given_back_is_not_lost(label: str, line: int | None, tmp_path: Path) -> None:
    path = tmp_path / "source.py"
    path.write_text(
        "import jax\ndef f(logs, state, rows, batch, step):\n    state = advance(state)\n    note(state, logs)\n"
        "    batch = dict(batch=1)\n    rows[0] = 1\n    rows = advance(rows)\n    total = measure(1, by=step)\n\n\n"
        "def note(state, logs):\n    logs['t'] = state['t']\n",
        encoding="utf-8",
    )
    assert losing_line(str(path), 2, label) == line


@pytest.mark.parametrize(
    ("kind", "message", "rule"),
    [
        ("TracerBoolConversionError", "Attempted boolean conversion of traced array", "traced-branch"),
        (
            "TypeError",
            "JAX arrays are immutable and do not support in-place item assignment.",
            "in-place-item-assignment",
        ),
        ("ValueError", "Non-hashable static arguments are not supported.", "unhashable-static-argument"),
        ("RuntimeError", "Array has been deleted with shape=float32[3].", "use-after-donate"),
        ("TypeError", "unsupported operand type(s) for +: 'NoneType' and 'DynamicJaxprTracer'", "none-in-pytree"),
        ("TypeError", "returned a value of type <class 'O'>, which is not a valid JAX type", "unregistered-pytree"),
        ("ValueError", "math domain error", None),
    ],
)
def test_an_error_belongs_to_the_rule_about_it(kind: str, message: str, rule: str | None) -> None:
    assert rule_of(kind, message) == rule
