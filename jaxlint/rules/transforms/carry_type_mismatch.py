"""carry-type-mismatch: a compiled loop keeps the type of its carry, and branches return one type."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, Place
from jaxlint.analysis.events.contracts import CarryType
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("carry-type-mismatch", code="JX709", category=Category.CORRECTNESS, on=CarryType)
def carry_type_mismatch(carry: CarryType) -> Iterator[Finding]:
    """A loop carry or branch results differ in structure, shape or dtype."""
    of_it = f"`{carry.part}` of the " if carry.part else "the "
    sure = carry.sure(assumed=carry.assumed)
    if carry.is_branch:
        what = f"{of_it}result" if carry.part else "the result"
        message = (
            f"The branches of `{carry.transform}` differ: {what} is {carry.was} in one, {carry.becomes} in another"
        )
        yield carry.diagnostic(message, confidence=sure)
        return
    message = f"{of_it}carry of `{carry.transform}` is {carry.was}, but the body returns {carry.becomes}"
    notes = (FindingNote(f"`{carry.transform}` starts here", Place(carry.frame.path, carry.at)),)
    shown = notes if carry.returned is not None else ()
    yield carry.diagnostic(message[0].upper() + message[1:], notes=shown, confidence=sure)
