"""tracer-as-key: a traced value cannot be hashed."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.events.effects import CachedFunction
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.tracing import Hashed
from jaxlint.diagnostics import Category, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.rule import rule
from jaxlint.rules.tracing._fix_static_parameters import make_static


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """A static argument, which has a value to look up."""
    return make_static(code, request.ordinals[0], is_certain=request.is_certain)


@rule("tracer-as-key", code="JX311", category=Category.CORRECTNESS, on=(Hashed, CachedFunction), fix=_fix)
def tracer_as_key(event: Hashed | CachedFunction) -> Iterator[Finding]:
    """A tracer or other JAX array as a dict key, set member or argument of a cached function."""
    if isinstance(event, Hashed):
        operand = event.operand
        where = {"in": "to look it up", "hash()": "by `hash()`"}.get(event.use, f"as a {event.use}")
        message = f"`{operand.text}` is hashed {where}, but it is {_state(operand)} and has no hash"
        fix = event.fix_request(operand.at) if operand.lifted else None
        yield event.diagnostic(message, notes=operand.evidence, confidence=operand.confidence_as_key, fix=fix)
        return
    for operand in event.operands:
        if operand.unhashable:
            what = f"`{event.function}` is cached by its arguments"
            message = f"{what}, but `{operand.text}` is {_state(operand)} and has no hash"
            request = event.fix_request(operand.at) if operand.lifted else None
            yield event.diagnostic(message, notes=operand.evidence, confidence=operand.confidence_as_key, fix=request)
            return


def _state(operand: Operand) -> str:
    return "traced" if operand.traced else "being differentiated" if operand.lifted else "a JAX array"
