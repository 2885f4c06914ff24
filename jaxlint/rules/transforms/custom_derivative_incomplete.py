"""custom-derivative-incomplete: functions of `custom_vjp` and `custom_jvp` have rules that fit them."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.application import underlying
from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest, Place
from jaxlint.analysis.events.contracts import DerivativeRules
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule
from jaxlint.rules.transforms._fix_cotangents import add_cotangents


@rule(
    "custom-derivative-incomplete", code="JX710", category=Category.CORRECTNESS, on=DerivativeRules, fix=add_cotangents
)
def custom_derivative_incomplete(rules: DerivativeRules) -> Iterator[Finding]:
    """A `custom_vjp` or `custom_jvp` function lacks rules, or its rules take or return the wrong number of values."""
    application = rules.application
    place = Place(application.frame.path, application.at)
    note = FindingNote(f"`{application.short_name}` sets its derivative here", place)
    yield rules.diagnostic(rules.fault, notes=(note,), confidence=rules.confidence, fix=_request(rules))


def _request(rules: DerivativeRules) -> FixRequest | None:
    """The backward rule that returns too few cotangents, and the function whose derivative it computes."""
    if rules.short is None or rules.short[0].path != rules.frame.path:
        return None
    place, count = rules.short
    primal = underlying(rules.application.target)
    at = primal.function.at if primal is not None and primal.closure.path == rules.frame.path else -1
    return rules.fix_request(place.at, at, words=(str(count), *map(str, sorted(rules.application.statics.numbers))))
