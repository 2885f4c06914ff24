"""What a run shows where traces end: refused results, the last error, and changes of copies of arguments."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.verify.judged import judged
from tests.verify.observing import PROGRAMS, observe_code, verify

_MARK = re.compile(r"# (confirmed|not-reached): ([a-z-]+)$", re.MULTILINE)


def test_ends_of_traces(tmp_path: Path) -> None:
    source = PROGRAMS / "endings.py"
    shutil.copy(source, tmp_path)
    report = tmp_path / "report.json"
    options = ("--isolated", "--output-format", "json", "-o", str(report), "endings.py")
    run = verify(*options, "--", sys.executable, "endings.py", cwd=tmp_path)
    assert report.exists(), run.stderr
    findings = json.loads(report.read_text())["findings"]
    judged = {(f["line"], f["verdict"], f["rule"]) for f in findings if f["source"] == "check"}
    text = source.read_text()
    marked = {(text.count("\n", 0, mark.start()) + 1, *mark.groups()) for mark in _MARK.finditer(text)}
    assert marked <= judged
    assert {rule for _, _, rule in judged - marked} <= {"argument-mutation"}
    seen = [f for f in findings if f["rule"] == "argument-mutation"]
    assert {f["message"].split("`")[1] for f in seen} == {"batch"}, seen
    assert len(seen) == 1  # the counter: all others are for the function itself


AXES = """\
import jax, jax.numpy as jnp


@jax.vmap  # confirmed: unbound-axis-name
def total(x):
    return jax.lax.psum(x, "rows")


def centre(x):
    return x - jax.lax.pmean(x, "batch")


def first(x):
    return jax.vmap(centre)(x)  # not-reached: unbound-axis-name


def second(x):
    return jax.vmap(centre)(x)


if len(jax.devices()) > 99:
    first(jnp.ones((4, 3)))
for function in (total, second):
    try:
        function(jnp.ones((4, 3)))
    except NameError as error:
        print(error)
"""

UNSORTABLE = """\
import jax, jax.numpy as jnp


@jax.jit
def total(scores):
    return sum(scores.values())


total({None: jnp.zeros(()), "train": [jnp.ones(())]})  # confirmed: unsortable-dict-keys
"""

OWN_ERROR = """\
import jax


def refuse(scores):
    raise ValueError(f"a pytree of {len(scores)}") if scores else jax.tree.leaves({1: 2, "a": 3})


refuse({"a": 1})
"""


def _judged(code: str, folder: Path) -> set[tuple[int, str, str]]:
    observed = observe_code(code, folder, "--isolated")
    assert observed.report["problems"] == []
    return {(f["line"], f["verdict"], f["rule"]) for f in observed.judged if f["source"] == "check"}


def _marked(code: str) -> set[tuple[int, str, str]]:
    return {(code.count("\n", 0, mark.start()) + 1, mark[1], mark[2]) for mark in _MARK.finditer(code)}


def test_an_error_at_the_collective_belongs_to_the_transform_that_ran_it(tmp_path: Path) -> None:
    assert _judged(AXES, tmp_path) == _marked(AXES)


def test_a_dict_that_jax_cannot_sort_is_confirmed_where_it_is_passed(tmp_path: Path) -> None:
    assert _judged(UNSORTABLE, tmp_path) == _marked(UNSORTABLE)


def test_an_error_that_the_program_raises_itself_is_not_one_of_jax(tmp_path: Path) -> None:
    judged = _judged(OWN_ERROR, tmp_path)
    assert {(verdict, rule) for _, verdict, rule in judged} == {("not-reached", "unsortable-dict-keys")}


CAUGHT = """\
import jax, jax.numpy as jnp


def worst(costs):
    return jnp.max([cost * 1.1 for cost in costs])  # confirmed: sequence-argument


def longest(rows):
    return jnp.max([len(row) for row in rows])  # not-reached: sequence-argument


def mix(target, online):
    return target + online


mixed = jax.jit(mix, donate_argnums=0)


def start(weights):
    target, online = weights, weights
    return mixed(target, online)  # confirmed: use-after-donate


def unused(costs):
    return jnp.sum([costs])  # not-reached: sequence-argument


for function, given in ((worst, [1.0]), (longest, [1]), (start, jnp.ones(3))):
    try:
        function(given)
    except (TypeError, RuntimeError) as error:
        print(type(error).__name__)
"""


def test_errors_that_the_program_catches(tmp_path: Path) -> None:
    """Outside of traces too; an error that is not JAX's says only that the line did not get far enough."""
    observed = observe_code(CAUGHT, tmp_path)
    judged = {(f["line"], f["verdict"], f["rule"]): f["evidence"] for f in observed.report["findings"]}
    marks = {(CAUGHT.count("\n", 0, mark.start()) + 1, *mark.groups()) for mark in _MARK.finditer(CAUGHT)}
    assert marks == judged.keys()
    by_line = {line: evidence for (line, _, _), evidence in judged.items()}
    assert by_line[5].startswith("TypeError was raised here")
    assert by_line[9] == "TypeError was raised here before this could be seen"
    assert "RuntimeError was raised here" in by_line[21]
    assert by_line[25] == "the file was imported, but this line did not run"
    assert not [f for f in observed.report["findings"] if f["source"] == "observed"]


TAKEN = """\
from enum import Enum

import jax, jax.numpy as jnp


class Mode(Enum):
    FAST = 1


class Fit:
    def __init__(self, loss):
        self.loss = loss


@jax.jit
def fitted(x):
    return Fit(x.sum())  # confirmed: non-array-result


@jax.jit
def chosen(x):
    return x, Mode.FAST  # confirmed: non-array-result


@jax.jit
def names(x):
    return {"x": x, "names": {"mean", "max"}}  # confirmed: set-in-pytree


def passed(x):
    return fitted_from({"x": x, "names": {1.0}})  # confirmed: set-in-pytree


fitted_from = jax.jit(lambda tree: tree["x"])


def loss(x):
    return jax.lax.while_loop(lambda c: c < 9.0, lambda c: c * 2.0, x)  # confirmed: reverse-grad-through-while


def slope(x):
    return jax.grad(loss)(x)


def other_loss(x, n):
    return jax.lax.fori_loop(0, n, lambda i, c: c * 2.0, x).sum()  # not-reached: reverse-grad-through-while


@jax.jit
def other_slope(x, n):
    return jax.grad(other_loss)(x, n)


@jax.jit
def step(state, rate):
    return state - rate * state


def train(n):
    state = 1.0  # confirmed: weak-type-recompile
    for _ in range(n):
        state = step(state, jnp.float32(0.1))
    return state


train(3)
for function in (fitted, chosen, names, passed, slope, lambda x: other_slope(x, jnp.ones(2))):
    try:
        function(jnp.float32(1.0))
    except (TypeError, ValueError) as error:
        print(type(error).__name__)
"""


def test_errors_where_a_transform_takes_the_result(tmp_path: Path) -> None:
    """Another error at the same place says nothing: no loop has two bounds."""
    judged = _judged(TAKEN, tmp_path)
    assert judged == _marked(TAKEN)


#: Programs that end with an error at their last line, and what that says of a finding there.
LAST = (
    ("removed-api", "from jax import tree_leaves", "confirmed", "the run ended here with ImportError"),
    ("einsum-pattern-mismatch", 'jnp.einsum("ij,j->k", x)', "confirmed", "ValueError"),
    ("key-misuse", "jax.random.normal(jax.random.key(0)[0], (3,))", "confirmed", "IndexError"),
    ("key-misuse", "jax.random.key(0) / 0 if 1 // 0 else None", "not-reached", "the run ended here with Zero"),
)


@pytest.mark.parametrize(("rule", "line", "verdict", "evidence"), LAST)
def test_the_error_that_ends_a_program_is_evidence(
    tmp_path: Path, rule: str, line: str, verdict: str, evidence: str
) -> None:
    program = tmp_path / "program.py"
    program.write_text(f"import jax, jax.numpy as jnp\nx = jnp.ones((2, 2))\n{line}\n", encoding="utf-8")
    ((found, text),) = judged(program, [(rule, line)])
    assert found.value == verdict
    assert evidence in text


def test_an_error_of_a_library_that_comes_through_the_line_confirms(tmp_path: Path) -> None:
    pytest.importorskip("flax")
    code = """
import flax.linen as nn
import jax.numpy as jnp

class Noisy(nn.Module):
    @nn.compact
    def __call__(self, x):
        return x + self.make_rng("noise")[0]

def forward(x):
    return Noisy().apply({}, x)

try:
    forward(jnp.ones(3))
except Exception as error:
    print(type(error).__name__)
Noisy().apply({}, jnp.ones(2))
"""
    program = tmp_path / "program.py"
    program.write_text(code, encoding="utf-8")
    calls = [("missing-rng-stream", call) for call in ("Noisy().apply({}, x)", "Noisy().apply({}, jnp.ones(2))")]
    found = judged(program, calls)
    assert [verdict.value for verdict, _ in found] == ["confirmed", "confirmed"]
    assert all("InvalidRngError was raised at line 8, in this call" in text for _, text in found)
