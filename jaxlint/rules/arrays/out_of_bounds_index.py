"""out-of-bounds-index: JAX raises no `IndexError`."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.arrays import OutOfBounds
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("out-of-bounds-index", code="JX105", category=Category.SUSPICIOUS, on=OutOfBounds)
def out_of_bounds_index(access: OutOfBounds) -> Iterator[Finding]:
    """A constant index is out of bounds for an array of known shape."""
    if access.method:
        outcome = f"`.{access.method}` does nothing there"
    elif access.size == 0:
        outcome = "it raises `IndexError`"
    else:
        outcome = f"it reads the {'last' if access.index > 0 else 'first'} one"
    elements = f"{access.size} element{'s' if access.size != 1 else ''}"
    length = f"dimension {access.dimension} of `{access.array.text}` has {elements}"
    message = f"{length}, so index {access.index} is out of bounds: {outcome}"
    note = FindingNote('`x.at[i].get(mode="fill")` reads NaN there; `mode="drop"` makes the skip explicit', None)
    yield access.diagnostic(message, notes=(note,))
