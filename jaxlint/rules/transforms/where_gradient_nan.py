"""where-gradient-nan: a mask keeps a value away, not its derivative."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.application import function_label, underlying
from jaxlint.analysis.domain.findings import Finding, FindingNote, Place
from jaxlint.analysis.events.contracts import MaskedDerivative
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("where-gradient-nan", code="JX711", category=Category.SUSPICIOUS, on=MaskedDerivative)
def where_gradient_nan(choice: MaskedDerivative) -> Iterator[Finding]:
    """A differentiated loss masks out a value whose derivative is not finite there."""
    application = choice.application
    function = underlying(application.target)
    label = "the loss" if function is None else function_label(function)
    message = f"the gradient of {label} is NaN where `{choice.mask}` does not select `{choice.kept_away}`"
    reason = f"the derivative of `{choice.kept_away}` is infinite or NaN there, and 0 times that derivative is NaN"
    place = Place(application.frame.path, application.at)
    notes = (
        FindingNote(reason, None),
        FindingNote(f"differentiated by `{application.short_name}` here", place),
    )
    confidence = max(Confidence.LIKELY, choice.confidence, key=lambda each: each.rank)
    yield choice.diagnostic(message, notes=notes, confidence=confidence)
