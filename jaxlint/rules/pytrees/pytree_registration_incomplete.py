"""pytree-registration-incomplete: what is flattened and made anew must be what it was."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.pytrees import BrokenRoundTrip
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("pytree-registration-incomplete", code="JX609", category=Category.CORRECTNESS, on=BrokenRoundTrip)
def pytree_registration_incomplete(trip: BrokenRoundTrip) -> Iterator[Finding]:
    """Flattening and unflattening an instance of a registered class changes it."""
    name, rebuilt = f"`{trip.class_name}.{trip.attribute}`", f"when JAX rebuilds an instance of `{trip.class_name}`"
    match trip.kind:
        case "swapped":
            message = f"{name} receives the value of `{trip.other}` {rebuilt}"
        case "refused":
            message = f"`{trip.class_name}` is called without `{trip.attribute}` {rebuilt}, which raises `TypeError`"
        case "unlisted":
            message = f"{name} is neither in `data_fields` nor in `meta_fields`; the registration raises `ValueError`"
            yield trip.diagnostic(message)
            return
        case _:
            message = f"{name} is lost {rebuilt}, because it is neither a child nor auxiliary data"
    notes = (FindingNote("flattened here", trip.flattened),)
    yield trip.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
