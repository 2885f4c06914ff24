"""loop-over-array: a loop goes over the rows of an array, and computes with each by itself."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.performance import ArrayLoop
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("loop-over-array", code="JX807", category=Category.PERFORMANCE, on=ArrayLoop, preview=True)
def loop_over_array(loop: ArrayLoop) -> Iterator[Finding]:
    """A loop goes over the rows of an array and computes with each by itself."""
    rows = loop.iterable.text
    message = f"each row of `{rows}` is computed with by itself: {_operations(loop.operations)} at each pass"
    note = FindingNote("`jax.vmap` of what the loop does computes all rows in as many operations", None)
    yield loop.diagnostic(message, notes=(note,), confidence=Confidence.LIKELY)


def _operations(count: int) -> str:
    return f"{count} operations are dispatched" if count > 1 else "an operation is dispatched"
