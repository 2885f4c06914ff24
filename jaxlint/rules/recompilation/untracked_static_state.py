"""untracked-static-state: a static object still equals itself after a change, so that nothing is compiled again."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.effects import OuterRead
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("untracked-static-state", code="JX513", category=Category.SUSPICIOUS, on=OuterRead)
def untracked_static_state(read: OuterRead) -> Iterator[Finding]:
    """Traced code reads an attribute of a static argument that changes between two calls."""
    if not read.static_parameter:
        return
    message = (
        f"`{read.name}` changes after compilation, but the static `{read.static_parameter}` still equals itself, "
        "so the old program runs"
    )
    notes = (FindingNote(f"`{read.name}` is assigned again here", read.reassigned_at), *read.traced_by())
    yield read.diagnostic(message, notes=notes, confidence=Confidence.LIKELY if read.is_seen else Confidence.POSSIBLE)
