"""custom-derivative-incomplete: functions of `custom_vjp` and `custom_jvp` have rules that fit them."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, Place
from jaxlint.analysis.events.contracts import DerivativeRules
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("custom-derivative-incomplete", code="JX710", category=Category.CORRECTNESS, on=DerivativeRules)
def custom_derivative_incomplete(rules: DerivativeRules) -> Iterator[Finding]:
    """A `custom_vjp` or `custom_jvp` function lacks rules, or its rules take or return the wrong number of values."""
    application = rules.application
    place = Place(application.frame.path, application.at)
    note = FindingNote(f"`{application.short_name}` sets its derivative here", place)
    yield rules.diagnostic(rules.fault, notes=(note,), confidence=rules.confidence)
