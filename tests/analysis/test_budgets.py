"""Work is bounded by the size of a module: long ones are analysed to their end, tangled ones are abandoned alone."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from jaxlint.analysis import analyse
from jaxlint.analysis.domain.findings import Analysis, AnalysisOptions, Project
from jaxlint.analysis.domain.state import Condition
from jaxlint.analysis.domain.values import Cell, Object
from jaxlint.analysis.machine import interpreter, path_values
from jaxlint.analysis.machine.path_conditions import exclusive
from jaxlint.rules.rule import registry
from jaxlint.syntax.source import SourceFile, read

_MISTAKE = "x = jnp.zeros(3)\nx[0] = 1\n"
_STRAIGHT = "import jax.numpy as jnp\n" + "".join(
    f"def f{i}(x, y):\n    a = jnp.sin(x) + y\n    return jnp.cos(a) * a\n\n" for i in range(200)
)
_TANGLED = "import jax.numpy as jnp\n" + "".join(f"{'    ' * i}for i{i} in range(n):\n" for i in range(12))
_TANGLED += "    " * 12 + "x = " + " + ".join(f"i{i} * x" for i in range(12)) + "\n"


@pytest.fixture(autouse=True)
def _little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter, "MAX_WORK", 500)


def _analysis(texts: Mapping[str, str]) -> Analysis:
    files = {}
    for name, text in texts.items():
        source = read(f"{name}.py", text.encode(), name, False)
        assert isinstance(source, SourceFile)
        files[source.path] = source
    return analyse(Project(files, lambda _: None), list(registry().values()), AnalysisOptions())


def _paths(analysis: Analysis) -> set[str]:
    return {finding.place.path for finding in analysis.findings if finding.rule == "in-place-item-assignment"}


def test_a_long_module_is_analysed_to_its_end() -> None:
    analysis = _analysis({"long": f"{_STRAIGHT}def last():\n    x = jnp.zeros(3)\n    x[0] = 1\n"})
    assert analysis.limited == []
    assert _paths(analysis) == {"long.py"}


def test_a_tangled_module_is_abandoned_alone() -> None:
    analysis = _analysis({"other": f"import jax.numpy as jnp\n{_MISTAKE}", "tangled": _TANGLED})
    assert analysis.limited == ["tangled.py"]
    assert _paths(analysis) == {"other.py"}


_CHOSEN_TWICE = """\
    if a.first{0}:
        if a.second{0}:
            v = x.left{0}
    else:
        if a.third{0}:
            v = x.right{0}
"""


def test_a_value_of_many_choices_is_resolved_once_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides of each join hold the joins before: looked at along each path, 18 of them took 2**18 steps."""
    asked = []

    def count(*conditions: tuple[Condition, ...]) -> bool:
        asked.append(conditions)
        return exclusive(*conditions)

    monkeypatch.setattr(path_values, "exclusive", count)
    monkeypatch.setattr(interpreter, "MAX_WORK", 100_000)
    body = "".join(map(_CHOSEN_TWICE.format, range(18)))
    text = (
        f"import jax\n\ndef f(a, x):\n    v = 0\n{body}    if a.last:\n        return jax.numpy.sin(v)\n    return v\n"
    )
    assert not _analysis({"chosen": text}).findings
    assert 0 < len(asked) < 20_000


def test_an_object_that_many_parts_hold_is_copied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each dict holds the one before twice: copied along each path, ten of them were 2**10 dicts for each call."""
    made = []
    allocate = interpreter.Interpreter.allocate

    def count(it: interpreter.Interpreter, cell: Cell) -> Object:
        made.append(cell)
        return allocate(it, cell)

    monkeypatch.setattr(interpreter.Interpreter, "allocate", count)
    nested = "    tree = {'left': tree, 'right': tree}\n" * 10
    text = (
        "import jax\n\n\n@jax.jit\ndef step(tree):\n    return tree\n\n\n"
        f"def run(x):\n    tree = {{'x': x}}\n{nested}    return step(step(tree))\n"
    )
    assert not _analysis({"nested": text}).findings
    assert 0 < len(made) < 200
