"""parent-key-after-split: a key that was split is used up."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, Place
from jaxlint.analysis.events.random import KeyConflict, KeyHandedBack
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.random._fix_advancing import keep_going
from jaxlint.rules.random._uses import earlier_note, sureness, uses_request
from jaxlint.rules.rule import rule


@rule(
    "parent-key-after-split",
    code="JX203",
    category=Category.CORRECTNESS,
    on=(KeyConflict, KeyHandedBack),
    yields_to=("discarded-key-update",),
    fix=keep_going,
)
def parent_key_after_split(event: KeyConflict | KeyHandedBack) -> Iterator[Finding]:
    """A key is used, split or returned after it was split."""
    if isinstance(event, KeyHandedBack):
        if event.unread:
            return
        step = event.use.chain[-1]
        note = FindingNote("split here", Place(step.path, step.at))
        message = f"{event.key_text} is returned after being split; drawing from it repeats the subkeys"
        fix = event.fix_request(step.at) if step.frame == event.frame.serial else None
        yield event.diagnostic(message, notes=(note,), confidence=Confidence.LIKELY, fix=fix)
        return
    if event.in_loop or event.earlier.action != "split" or event.use.action == "fold":
        return
    if event.use.action == "split":
        since = "" if event.use.may_split_like(event.earlier) else " in JAX 0.5.0 and newer"
        message = f"{event.key_text} was already split; splitting it again returns the same subkeys{since}"
    else:
        message = f"{event.key_text} was already split; its numbers are not independent of those drawn from the subkeys"
    yield event.diagnostic(message, notes=earlier_note(event), confidence=sureness(event), fix=uses_request(event))
