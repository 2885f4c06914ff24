"""captured-mutation: traced code changes outer containers while tracing only."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.events.effects import Mutation
from jaxlint.diagnostics import Category, Fix
from jaxlint.fixes.code import Code
from jaxlint.fixes.known_values import kinds_by_name, known_values
from jaxlint.rules.effects._constants import diagnose
from jaxlint.rules.effects._fix_callback import kept_by_callback
from jaxlint.rules.rule import rule


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """A callback that keeps the values of each run, where the traced code does not look at them."""
    return kept_by_callback(code, request.at, kinds_by_name(request.words))


@rule("captured-mutation", code="JX403", category=Category.CORRECTNESS, on=Mutation, fix=_fix)
def captured_mutation(change: Mutation) -> Iterator[Finding]:
    """Traced code changes a list, dict, set or NumPy array from outside."""
    leaks = change.is_leak
    if (
        change.role != "captured"
        or not (change.is_lost or leaks)
        or ((change.is_cache or change.is_measure) and not leaks)
    ):
        return
    message = f"`{change.receiver.text}` comes from outside the traced function; it {_what_happens(change)}"
    fix = change.fix_request(words=known_values(change.frame))
    yield diagnose(change, message, change.certainty, fix)


def _what_happens(change: Mutation) -> str:
    if change.is_leak and (not change.is_lost or change.is_of_each_call):
        return "stores a tracer, which is invalid once tracing ends (leaked tracer)"
    if change.is_of_each_call:
        return "is changed once in each call, and not once for each element"
    return "is changed once, during tracing, and not on later calls"
