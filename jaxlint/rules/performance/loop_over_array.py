"""loop-over-array: a loop goes over the rows of an array, and computes with each by itself."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.performance import ArrayLoop
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("loop-over-array", code="JX807", category=Category.PERFORMANCE, on=ArrayLoop, preview=True)
def loop_over_array(loop: ArrayLoop) -> Iterator[Finding]:
    """A loop processes the rows of an array one at a time."""
    rows = loop.iterable.text
    message = f"the loop processes `{rows}` row by row: {_operations(loop.operations)} in each iteration"
    note = FindingNote("`jax.vmap` of the loop body computes all rows in the same number of operations", None)
    yield loop.diagnostic(message, notes=(note,), confidence=Confidence.LIKELY)


def _operations(count: int) -> str:
    return f"{count} operations are dispatched" if count > 1 else "an operation is dispatched"
