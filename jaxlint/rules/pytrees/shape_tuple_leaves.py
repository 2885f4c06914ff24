"""shape-tuple-leaves: a shape is a tuple, which is no leaf."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.pytrees import ShapeLeaves
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("shape-tuple-leaves", code="JX602", category=Category.CORRECTNESS, on=ShapeLeaves)
def shape_tuple_leaves(leaves: ShapeLeaves) -> Iterator[Finding]:
    """A tree function splits shape tuples into integers."""
    message = f"`{leaves.tree.text}` holds shapes, which are tuples, so `{leaves.function}` maps over their integers"
    notes = (
        FindingNote("the tree of shapes is made here", leaves.made_at),
        FindingNote("`is_leaf=lambda x: isinstance(x, tuple)` keeps each shape whole", None),
    )
    yield leaves.diagnostic(message, notes=notes)
