"""static-name-mismatch: static and donated parameters must exist."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.domain.values import FunctionValue
from jaxlint.analysis.events.compilation import JitBinding
from jaxlint.diagnostics import Applicability, Category, Fix
from jaxlint.fixes.code import Code
from jaxlint.fixes.handlers import is_tried
from jaxlint.rules.recompilation._fix_names import repaired
from jaxlint.rules.recompilation._fix_options import function_at, places
from jaxlint.rules.rule import rule
from jaxlint.syntax import ir


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """The parameter with the name most like it, or the index that was meant."""
    call, function = code.node(request.at), function_at(code, request.ordinals[1])
    found = repaired(code, call, function) if isinstance(call, ir.Call) and function is not None else None
    if found is None:
        return None
    is_safe = request.is_certain and not found.guess and not is_tried(code, call.at)
    if is_safe:
        return code.fix("Name the parameter", found.changes)
    reason = found.guess or "a handler expects the error"
    return code.fix("Name the parameter", found.changes, Applicability.UNSAFE, reason)


@rule("static-name-mismatch", code="JX503", category=Category.CORRECTNESS, on=JitBinding, fix=_fix)
def static_name_mismatch(binding: JitBinding) -> Iterator[Finding]:
    """`static_argnames`, `static_argnums` or `donate_*` name a parameter that does not exist."""
    for option, missing in binding.mismatches:
        kind = "has no parameter at index" if isinstance(missing, int) else "has no parameter"
        shown = str(missing) if isinstance(missing, int) else f"`{missing}`"
        message = f"`{option}` is wrong: `{binding.target_name}` {kind} {shown}"
        known = places(binding.application, binding.frame.path)
        is_whole = isinstance(binding.application.target, FunctionValue)
        yield binding.diagnostic(message, fix=binding.fix_request(*known) if known and is_whole else None)
