"""Fixes that write a formula as the one function that computes it without losing digits."""

from __future__ import annotations

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import Named, name_of
from jaxlint.syntax import ir

#: The functions that the formulas are.
STABLE = {
    "log1p": "jax.numpy.log1p", "expm1": "jax.numpy.expm1", "logsumexp": "jax.nn.logsumexp",
    "log_softmax": "jax.nn.log_softmax",
}  # fmt: skip


def stable_fix(request: FixRequest, code: Code) -> Fix | None:
    """The formula as one call, where all of it stands in one expression."""
    form, node = request.words[0], code.node(request.at)
    named = name_of(code, request.at, STABLE[form])
    changes = None if named is None else _CHANGES[form](code, node, named)
    if named is None or changes is None or any("#" in code.text[c.start : c.end] for c in changes):
        return None
    return code.fix(f"Replace with `{named.text}`", [*changes, *named.changes])


def _log1p(code: Code, node: ir.Expr, named: Named) -> list[Change] | None:
    """`log1p(x)` for `log(1 + x)` and `log(x + 1)`, `log1p(-x)` for `log(1 - x)`."""
    if not isinstance(node, ir.Call) or not isinstance(node.args[0], ir.BinaryOperation):
        return None
    given = node.args[0]
    start, end = code.span(given.at)
    renamed = Change(*code.outer(node.func.at), named.text)
    if isinstance(given.left, ir.Constant):
        return [renamed, Change(start, code.outer(given.right.at)[0], "-" if given.op == "-" else "")]
    return [renamed, Change(code.outer(given.left.at)[1], end, "")]


def _expm1(code: Code, node: ir.Expr, named: Named) -> list[Change] | None:
    """`expm1(x)` for `exp(x) - 1`."""
    if not isinstance(node, ir.BinaryOperation) or not isinstance(node.left, ir.Call):
        return None
    end = code.outer(node.left.at)[1]
    return [Change(*code.outer(node.left.func.at), named.text), Change(end, code.span(node.at)[1], "")]


def _log_softmax(code: Code, node: ir.Expr, named: Named) -> list[Change] | None:
    """`log_softmax(x, axis)` for `log(softmax(x, axis))`."""
    inner = node.args[0] if isinstance(node, ir.Call) else None
    if not isinstance(inner, ir.Call):
        return None
    return [*_without_call(code, node, inner), Change(*code.outer(inner.func.at), named.text)]


def _logsumexp(code: Code, node: ir.Expr, named: Named) -> list[Change] | None:
    """`logsumexp(x, axis)` for `log(sum(exp(x), axis))`."""
    total = node.args[0] if isinstance(node, ir.Call) else None
    power = total.args[0] if isinstance(total, ir.Call) and total.args else None
    if not isinstance(total, ir.Call) or not isinstance(power, ir.Call) or len(power.args) != 1 or power.keywords:
        return None
    renamed = Change(*code.outer(total.func.at), named.text)
    return [*_without_call(code, node, total), renamed, *_without_call(code, power, power.args[0])]


def _without_call(code: Code, call: ir.Expr, argument: ir.Expr) -> list[Change]:
    """The argument of a call in place of the call."""
    (start, end), (first, last) = code.span(call.at), code.span(argument.at)
    return [Change(start, first, ""), Change(last, end, "")]


_CHANGES = {"log1p": _log1p, "expm1": _expm1, "logsumexp": _logsumexp, "log_softmax": _log_softmax}
