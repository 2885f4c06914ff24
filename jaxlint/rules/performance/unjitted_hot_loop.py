"""unjitted-hot-loop: a loop computes a derivative, and nothing compiles it."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.performance import EagerDerivative
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("unjitted-hot-loop", code="JX808", category=Category.PERFORMANCE, on=EagerDerivative)
def unjitted_hot_loop(derivative: EagerDerivative) -> Iterator[Finding]:
    """A long loop computes a derivative that is not compiled."""
    message = f"`{derivative.text}` is not compiled, so each iteration dispatches its operations one by one"
    seen = f"the function has {derivative.operations} array operations, not counting their derivatives"
    notes = (FindingNote("the loop", derivative.loop), FindingNote(seen, None))
    is_doubtful = derivative.is_short or derivative.may_need_host
    confidence = Confidence.POSSIBLE if is_doubtful else Confidence.LIKELY
    yield derivative.diagnostic(message, notes=notes, confidence=confidence)
