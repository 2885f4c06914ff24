"""use-after-donate: a donated array is gone after the call."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.recompilation import DonatedUse
from jaxlint.analysis.findings import Finding, FindingNote
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("use-after-donate", code="JX510", category=Category.CORRECTNESS, on=DonatedUse)
def use_after_donate(use: DonatedUse) -> Iterator[Finding]:
    """A donated argument used after the call, or given twice to the call."""
    function = use.donation.function or "the function"
    if use.is_same_call:
        message = f"`{use.operand.text}` is donated to `{function}` and read by it: the same array is given twice"
        notes: tuple[FindingNote, ...] = ()
    else:
        message = f"`{use.operand.text}` was donated to `{function}`, which deletes it: it cannot be read any more"
        notes = (FindingNote("donated here", use.donated_place),)
    asked = FindingNote("the function was made to donate here", use.asked_place)
    copied = FindingNote("keep what the call returns under the same name, or donate `jnp.copy(...)` of it", None)
    confidence = Confidence.CERTAIN if use.sure else Confidence.LIKELY
    yield use.diagnostic(message, notes=(*notes, asked, copied), confidence=confidence)
