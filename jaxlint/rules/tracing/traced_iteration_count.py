"""traced-iteration-count: Python cannot count to a value that JAX is tracing."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.events.tracing import IntegerNeeded
from jaxlint.diagnostics import Category, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.rule import rule
from jaxlint.rules.tracing._fix_loops import counted
from jaxlint.rules.tracing._fix_reverse import is_reversed
from jaxlint.rules.tracing._fix_static_parameters import make_static


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """A static argument where the count is one; a loop of JAX elsewhere, which cannot be differentiated in reverse."""
    static = make_static(code, request.ordinals[0], is_certain=request.is_certain)
    if static is not None or request.words:
        return static
    return counted(code, request.at)


@rule("traced-iteration-count", code="JX303", category=Category.CORRECTNESS, on=IntegerNeeded, fix=_fix)
def traced_iteration_count(need: IntegerNeeded) -> Iterator[Finding]:
    """A traced value as the bound of `range()` or as the count of a repeated sequence."""
    if need.use == "repeat":
        message = f"`{need.text}` needs the value of `{need.operand.text}`, which is traced"
        yield need.diagnostic(message, notes=need.operand.evidence, confidence=need.operand.confidence)
    if need.use != "range":
        return
    message = f"`range()` needs the value of `{need.operand.text}`, which is traced"
    notes, confidence = need.operand.evidence, need.operand.confidence
    words = ("reversed",) if is_reversed(need.trace) else ()
    yield need.diagnostic(
        message, notes=notes, confidence=confidence, fix=need.fix_request(need.operand.at, words=words)
    )
