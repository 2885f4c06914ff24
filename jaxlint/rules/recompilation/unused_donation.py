"""unused-donation: JAX reuses a donated buffer for a result of its size, or not at all."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.application import function_label, underlying
from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.domain.values import Array
from jaxlint.analysis.events.compilation import UnusedDonation
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("unused-donation", code="JX515", category=Category.SUSPICIOUS, on=UnusedDonation)
def unused_donation(donation: UnusedDonation) -> Iterator[Finding]:
    """No result has the size of a donated array."""
    target = underlying(donation.application.target)
    name = "the function" if target is None else function_label(target)
    size = f"`{donation.operand.text}` is donated ({_type(donation.array)})"
    if donation.is_crowded:
        message = f"{size}, but other donated arrays use up all results of {name} of that size"
    else:
        message = f"{size}, but no result of {name} has its size, so JAX ignores the donation"
    notes = (FindingNote("donation is requested here", donation.asked_place),)
    yield donation.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)


def _type(array: Array) -> str:
    lengths = ",".join(map(str, array.shape or ()))
    return f"{array.dtype}[{lengths}]"
