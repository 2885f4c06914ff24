"""traced-iteration-count: Python cannot count to a value that JAX is tracing."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.events.tracing import IntegerNeeded
from jaxlint.diagnostics import Category, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.rule import rule
from jaxlint.rules.tracing._fix_known_numbers import in_numpy
from jaxlint.rules.tracing._fix_loops import counted
from jaxlint.rules.tracing._fix_reverse import is_reversed
from jaxlint.rules.tracing._fix_static_parameters import make_static

#: What a request says of a count that Python knew.
_KNOWN = "=known"


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """NumPy where JAX traced a number that Python knew; a static argument where the count is one; else a loop of JAX.

    Such a loop cannot be differentiated in reverse.
    """
    if _KNOWN in request.words:
        return in_numpy(code, request.ordinals[1], is_whole=False)
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
    yield need.diagnostic(message, notes=notes, confidence=confidence, fix=_request(need))


def _request(need: IntegerNeeded) -> FixRequest | None:
    if need.made is None:
        return need.fix_request(need.operand.at, words=("reversed",) if is_reversed(need.trace) else ())
    if need.made.place.path != need.place.path:
        return None
    return need.fix_request(need.operand.at, need.made.at, words=(_KNOWN,))
