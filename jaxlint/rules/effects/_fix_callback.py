"""Calls of traced code that belong to the run, not to the trace: `jax.debug.callback(lambda x: call(x), x)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.deferred import REASON
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.known_values import is_array
from jaxlint.fixes.names import is_local, is_stored_to, reads
from jaxlint.syntax import ir

#: Methods that put a value into a container and give nothing back.
_TAKING: Final = frozenset({"append", "appendleft", "add", "extend", "insert"})
#: What makes names of its own, or stops: the names in it are not those of the function alone.
_SCOPES = (ir.Lambda, ir.Comprehension, ir.NamedExpression, ir.Await, ir.Yield)


def as_callback(request: FixRequest, code: Code) -> Fix | None:
    """A statement that is one call, made with the values that its names have at run time."""
    return _called_back(code, code.node(request.at))


def kept_by_callback(code: Code, at: int, kinds: Mapping[str, str]) -> Fix | None:
    """A container from outside that takes arrays by a method, as `losses.append(loss)`, and is not read beside it."""
    base, call = code.node(at), code.statement(at)
    call = call.value if isinstance(call, ir.ExpressionStatement) else None
    if not isinstance(base, ir.Name) or not isinstance(call, ir.Call) or not isinstance(call.func, ir.Attribute):
        return None
    names, owner = _names(code, call), code.owner(at)
    is_read = sum(1 for _ in reads(code, base.id, owner)) > 1
    if owner is None or is_read or not names or not all(is_array(kinds.get(name, "")) for name in names):
        return None
    return _called_back(code, call) if call.func.base.at == at and call.func.attr in _TAKING else None


def _called_back(code: Code, call: Any) -> Fix | None:  # noqa: ANN401 - an expression
    names = _names(code, call)
    if not isinstance(code.parent(call.at), ir.ExpressionStatement) or not names:
        return None
    named = name_of(code, call.at, "jax.debug.callback")
    if named is None:
        return None
    start, end = code.outer(call.at)
    listed = ", ".join(names)
    changes = [Change(start, start, f"{named.text}(lambda {listed}: "), Change(end, end, f", {listed})")]
    return code.fix(f"Call in `{named.text}`", [*changes, *named.changes], Applicability.UNSAFE, REASON)


def _names(code: Code, call: ir.Call) -> list[str] | None:
    """The local names in the arguments, in order; None where they are not all that the call needs."""
    found: dict[str, None] = {}
    callee = {node.id for node in (call.func, *code.inside(call.func)) if isinstance(node, ir.Name)}
    for argument in (*call.args, *(value for _, value in call.keywords)):
        for node in (argument, *code.inside(argument)):
            if isinstance(node, _SCOPES):
                return None
            if isinstance(node, ir.Name) and not is_stored_to(code, node) and is_local(code, node):
                found[node.id] = None
    return None if callee & set(found) or {"self", "cls"} & set(found) else list(found)
