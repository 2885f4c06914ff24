"""Results that are thrown away, bound to what they were made from: `x.at[i].set(v)` becomes `x = x.at[i].set(v)`."""

from __future__ import annotations

from typing import Final

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import Named, name_of, qualified_name
from jaxlint.fixes.rebinding import is_read_later, is_simple_target, rebinding
from jaxlint.rules.tracing._fix_counterpart import counterpart
from jaxlint.syntax import ir

#: Functions that return the new array when they are told not to work in place.
_OUT_OF_PLACE: Final = ("numpy.put", "numpy.fill_diagonal")


def bind_update(request: FixRequest, code: Code) -> Fix | None:
    """`x.at[i].set(v)` as `x = x.at[i].set(v)`."""
    call = code.node(request.at)
    match call:
        case ir.Call(func=ir.Attribute(attr=method, base=ir.Subscript(base=ir.Attribute(base=base, attr="at")))):
            if method == "get":
                return None  # it gives a part of the array
            return _bind(code, call, base, [], request.is_certain)
        case _:
            return None


def replace_method(request: FixRequest, code: Code) -> Fix | None:
    """`x.sort()` as `x = x.sort()`, and what else has an update or a function that stands for it."""
    call = code.node(request.at)
    if not isinstance(call, ir.Call) or not isinstance(code.parent(call.at), ir.ExpressionStatement):
        return None
    how, _ = request.words
    if how == "out=":
        return _without_out(request, code, call)
    if how == ".sort()" and isinstance(call.func, ir.Attribute):
        return _bind(code, call, call.func.base, [], request.is_certain)
    if how == ".fill()" and isinstance(call.func, ir.Attribute) and len(call.args) == 1 and not call.keywords:
        changes = [Change(code.outer(call.func.base.at)[1], code.span(call.func.at)[1], ".at[...].set")]
        return _bind(code, call, call.func.base, changes, request.is_certain)
    return _function(request, code, call)


def _without_out(request: FixRequest, code: Code, call: ir.Call) -> Fix | None:
    """`np.add(x, y, out=x)` as `x = jnp.add(x, y)`."""
    function = counterpart(qualified_name(code, call.func) or "")
    named = None if function is None else name_of(code, call.at, function)
    if named is None or len(call.keywords) != 1 or not call.args:
        return None
    out = call.keywords[0][1]
    dropped = Change(code.outer(call.args[-1].at)[1], code.outer(out.at)[1], "")
    renamed = Change(*code.span(call.func.at), named.text)
    return _bind(code, call, out, [renamed, *named.changes, dropped], request.is_certain)


def _function(request: FixRequest, code: Code, call: ir.Call) -> Fix | None:
    """NumPy functions that write into their first argument; a `method` of `x.at[i]` does the same as a ufunc's `at`."""
    how, method = request.words
    if call.keywords or any(isinstance(argument, ir.Starred) for argument in call.args):
        return None
    match call.args:
        case (array, _) if how == "numpy.copyto":
            return _bind(code, call, array, _rewritten(code, call, "", ".at[...].set("), request.is_certain)
        case (array, index, _) if how.endswith(".at") and method:
            is_list = isinstance(index, ir.SequenceDisplay) and index.kind == "list"
            named = name_of(code, call.at, "jax.numpy.array") if is_list else Named("")
            if named is None:
                return None
            around = (f".at[{named.text}(", f")].{method}(") if is_list else (".at[", f"].{method}(")
            return _bind(code, call, array, [*_rewritten(code, call, "", *around), *named.changes], request.is_certain)
        case (array, *_) if how in _OUT_OF_PLACE:
            named = name_of(code, call.at, f"jax.{how}")
            if named is None:
                return None
            end = code.outer(call.args[-1].at)[1]
            renamed = Change(*code.span(call.func.at), named.text)
            changes = [renamed, *named.changes, Change(end, end, ", inplace=False")]
            return _bind(code, call, array, changes, request.is_certain)
        case _:
            return None


def _rewritten(code: Code, call: ir.Call, *texts: str) -> list[Change]:
    """Changes that put texts before the arguments of a call, in place of the function's name and of the commas."""
    starts = [code.span(call.func.at)[0], *(code.outer(argument.at)[1] for argument in call.args)]
    ends = [code.outer(argument.at)[0] for argument in call.args]
    return [Change(start, end, text) for start, end, text in zip(starts, ends, texts, strict=False)]


def _bind(code: Code, call: ir.Call, base: ir.Expr, changes: list[Change], is_certain: bool) -> Fix | None:
    """Bind what the call gives to the base, after other changes to the call.

    A statement that changes nothing can only have been meant so where its base is a local name that nobody else holds.
    """
    judged = rebinding(code, base.at) if is_simple_target(base) else None
    if judged is None:
        return None
    if any("#" in code.text[change.start : change.end] for change in changes):
        return None  # a comment between what is put together anew
    text = code.segment(base.at)
    start = code.outer(call.at)[0]
    title, bound = f"Bind the result to `{text}`", _merged(changes, start, f"{text} = ")
    is_local = isinstance(base, ir.Name) and is_read_later(code, base)
    if is_certain and is_local and judged.applicability is Applicability.SAFE:
        return code.fix(title, bound)
    reason = judged.reason or f"the following code sees the new `{text}`"
    shown = judged.applicability is Applicability.DISPLAY_ONLY
    return code.fix(title, bound, Applicability.DISPLAY_ONLY if shown else Applicability.UNSAFE, reason)


def _merged(changes: list[Change], start: int, text: str) -> list[Change]:
    """The changes with a text before the offset where the first of them may start."""
    first = next((c for c in changes if c.start == start), None)
    if first is None:
        return [Change(start, start, text), *changes]
    return [first._replace(text=text + first.text), *(c for c in changes if c is not first)]
