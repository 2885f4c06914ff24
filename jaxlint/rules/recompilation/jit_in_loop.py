"""jit-in-loop: a new function is compiled at each pass."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.recompilation import JitInLoop
from jaxlint.analysis.findings import Finding, FindingNote
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("jit-in-loop", code="JX504", category=Category.SUSPICIOUS, on=JitInLoop)
def jit_in_loop(made: JitInLoop) -> Iterator[Finding]:
    """A function made in a loop is given to `jit` and called there."""
    message = f"`{made.application.short_name}` gets {made.what} at each pass of the loop: each pass compiles again"
    notes = (
        FindingNote("the loop", made.loop),
        FindingNote("compiled programs are found by the function object, and this one is new each time", None),
    )
    yield made.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
