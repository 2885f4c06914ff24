"""host-sync-in-loop: each pass of a loop waits for what compiled code computes, to keep a number."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.performance import HostSync
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("host-sync-in-loop", code="JX802", category=Category.PERFORMANCE, on=HostSync, preview=True)
def host_sync_in_loop(sync: HostSync) -> Iterator[Finding]:
    """A loop around compiled code converts an array to a number in every iteration, only to store or print it."""
    work = sync.work.text
    message = (
        f"`{sync.text}` waits for `{work}` in each iteration, so the next one is dispatched only after it finishes"
    )
    notes = (
        FindingNote("the loop", sync.loop),
        FindingNote("keep the arrays, and convert them after the loop, or only once every few iterations", None),
    )
    yield sync.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
