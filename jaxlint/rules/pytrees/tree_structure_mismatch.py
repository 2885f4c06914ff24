"""tree-structure-mismatch: trees that are mapped together have one structure."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.pytrees import TreeMismatch
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule(
    "tree-structure-mismatch",
    code="JX608",
    category=Category.CORRECTNESS,
    on=TreeMismatch,
    preview=True,
    yields_to=("shape-tuple-leaves",),
)
def tree_structure_mismatch(mismatch: TreeMismatch) -> Iterator[Finding]:
    """Trees that are mapped together differ in structure."""
    path, first, other = mismatch.difference
    where = f" at `{path}`" if path else ""
    names = mismatch.first.text, mismatch.other.text
    message = f"`{names[0]}` has {first}{where} where `{names[1]}` has {other}; `{mismatch.function}` raises"
    note = FindingNote("the other trees must match the structure of the first one down to its leaves", None)
    yield mismatch.diagnostic(message, notes=(note,))
