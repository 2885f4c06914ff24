"""mutable-global-read: traced code keeps the value that a name had while tracing."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.effects import OuterRead
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("mutable-global-read", code="JX407", category=Category.SUSPICIOUS, on=OuterRead)
def mutable_global_read(read: OuterRead) -> Iterator[Finding]:
    """Traced code reads a name that other code assigns again."""
    if read.static_parameter:
        return  # untracked-static-state
    notes = (FindingNote(f"`{read.name}` is assigned again here", read.reassigned_at), *read.traced_by())
    message = f"`{read.name}` is read once, during tracing; the compiled function keeps that value"
    yield read.diagnostic(message, notes=notes, confidence=Confidence.LIKELY if read.is_seen else Confidence.POSSIBLE)
