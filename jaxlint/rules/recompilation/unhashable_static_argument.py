"""unhashable-static-argument: static arguments must be hashable."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events import StaticArgument
from jaxlint.analysis.findings import Finding
from jaxlint.analysis.findings import FindingNote
from jaxlint.analysis.values import DictCell, ListCell, Object, SetCell, atoms_of
from jaxlint.diagnostics import Category
from jaxlint.diagnostics import Confidence
from jaxlint.rules.rule import rule

_KINDS = {ListCell: "list", DictCell: "dict", SetCell: "set"}


@rule("unhashable-static-argument", code="JX501", category=Category.CORRECTNESS, on=StaticArgument)
def unhashable_static_argument(argument: StaticArgument) -> Iterator[Finding]:
    """A list, dict or set for a static parameter."""
    cells = [argument.frame.state.heap.get(a.oid) for a in atoms_of(argument.operand.value) if isinstance(a, Object)]
    kinds = [_KINDS[type(cell)] for cell in cells if type(cell) in _KINDS]
    if not kinds:
        return
    sure = len(kinds) == len(atoms_of(argument.operand.value))
    where = "by default" if argument.is_default else "here"
    message = f"`{argument.parameter}` is static and must be hashable, but it is a {kinds[0]} {where}"
    notes = (FindingNote(f"made static by `{argument.application.short_name}`", argument.application_place),)
    yield argument.diagnostic(message, notes=notes, confidence=Confidence.CERTAIN if sure else Confidence.LIKELY)
