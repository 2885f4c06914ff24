"""host-sync-in-loop: each pass of a loop waits for what compiled code computes, to keep a number."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.performance import HostSync
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("host-sync-in-loop", code="JX802", category=Category.PERFORMANCE, on=HostSync)
def host_sync_in_loop(sync: HostSync) -> Iterator[Finding]:
    """A loop around compiled code takes a number out of an array at each pass, only to keep or print it."""
    work = sync.work.text
    message = f"`{sync.text}` waits for `{work}` at each pass: the next one is handed to the device when it is done"
    notes = (
        FindingNote("the loop", sync.loop),
        FindingNote("keep the arrays, and take the numbers out of them behind the loop, or once in many passes", None),
    )
    yield sync.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
