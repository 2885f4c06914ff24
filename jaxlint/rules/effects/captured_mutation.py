"""captured-mutation: traced code changes outer containers while tracing only."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.effects import Mutation
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("captured-mutation", code="JX403", category=Category.CORRECTNESS, on=Mutation)
def captured_mutation(change: Mutation) -> Iterator[Finding]:
    """A list, dict, set or NumPy array from outside, changed in traced code."""
    leaks = change.is_leak
    if (
        change.role != "captured"
        or not (change.is_lost or leaks)
        or ((change.is_cache or change.is_measure) and not leaks)
    ):
        return
    what = "is changed while tracing only" if change.is_lost else "keeps a value that is dead after the trace"
    message = f"`{change.receiver.text}` comes from outside the traced function: it {what}"
    yield change.diagnostic(message, notes=change.traced_by(), confidence=change.certainty)
