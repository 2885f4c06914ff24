"""Functions that were called where they are to be passed: `cond(p, f(x), g(x))` becomes `cond(p, f, g, x)`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import qualified_name
from jaxlint.syntax import ir

#: Choices: how many arguments come before the functions, and whether these stand in a list.
_CHOICES: Final = {"jax.lax.cond": (1, False), "jax.lax.switch": (1, True)}
#: Loops: where their functions stand, each with how many arguments it is called with.
_LOOPS: Final = {
    "jax.lax.fori_loop": {2: 2}, "jax.lax.while_loop": {0: 1, 1: 1}, "jax.lax.scan": {0: 2}, "jax.lax.map": {0: 1},
}  # fmt: skip
#: Transforms that return a function of the same arguments.
_WRAPPERS: Final = (
    "jax.grad", "jax.value_and_grad", "jax.jit", "jax.vmap", "jax.jacfwd", "jax.jacrev", "jax.hessian",
)  # fmt: skip


def pass_functions(request: FixRequest, code: Code) -> Fix | None:
    """Pass the function, and its arguments to what calls it."""
    call = next((node for node in code.ancestors(request.at) if isinstance(node, ir.Call)), None)
    name = None if call is None else qualified_name(code, call.func)
    if call is None or name is None:
        return None
    fix = _fix_call(code, call, name, is_alone="alone" in request.words)
    if fix is None or (request.is_certain and "whole" in request.words):
        return fix
    reason = "the argument may be a function, or other code may expect the error"
    return replace(fix, applicability=Applicability.UNSAFE, reason=reason)


def _fix_call(code: Code, call: ir.Call, name: str, *, is_alone: bool) -> Fix | None:
    if name in _CHOICES:
        return _fix_choice(code, call, *_CHOICES[name]) if is_alone else None
    if name in _LOOPS:
        return _fix_loop(code, call, _LOOPS[name])
    return _fix_wrapper(code, call) if name in _WRAPPERS else None


def _plain(node: object) -> ir.Call | None:
    """A call whose arguments are names and constants, given by position."""
    if not isinstance(node, ir.Call) or node.keywords or not isinstance(node.func, ir.Name | ir.Attribute):
        return None
    return node if all(isinstance(argument, ir.Name | ir.Constant) for argument in node.args) else None


def _arguments(code: Code, call: ir.Call) -> tuple[str, ...]:
    return tuple(code.segment(argument.at) for argument in call.args)


def _fix_choice(code: Code, call: ir.Call, first: int, is_list: bool) -> Fix | None:
    """All branches as functions; of the same arguments, these go to the choice, else each branch is a lambda."""
    given = call.args[first:]
    if call.keywords or (is_list and len(given) != 1):
        return None
    if is_list and not isinstance(given[0], ir.SequenceDisplay):
        return None
    branches = given[0].elements if is_list and isinstance(given[0], ir.SequenceDisplay) else given
    calls = [_plain(branch) for branch in branches]
    if not all(calls) or not branches:
        return None
    lists = {_arguments(code, branch) for branch in calls if branch is not None}
    if len(lists) > 1:
        changes = [Change(code.outer(b.at)[0], code.outer(b.at)[0], "lambda: ") for b in branches]
        return code.fix("Pass the branches as functions", changes)
    changes = [Change(code.span(b.func.at)[1], code.span(b.at)[1], "") for b in calls if b is not None]
    end = code.outer(given[-1].at)[1]
    passed = "".join(f", {text}" for text in lists.pop())
    return code.fix("Pass the branches, followed by their operands", [*changes, Change(end, end, passed)])


def _fix_loop(code: Code, call: ir.Call, counts: Mapping[int, int]) -> Fix | None:
    """`fori_loop(0, n, step(0, x), x)` as `fori_loop(0, n, step, x)`: it takes as many arguments as the loop gives."""
    given = {at: call.args[at] for at in counts if at < len(call.args)}
    called = {at: node for at, node in given.items() if isinstance(node, ir.Call)}
    if len(given) < len(counts) or not called:
        return None
    plain = [(_plain(node), counts[at]) for at, node in called.items()]
    if any(inner is None or len(inner.args) != count for inner, count in plain):
        return None
    changes = [Change(code.span(i.func.at)[1], code.span(i.at)[1], "") for i, _ in plain if i is not None]
    return code.fix("Pass the function", changes)


def _fix_wrapper(code: Code, call: ir.Call) -> Fix | None:
    """`grad(f(x))(x)` as `grad(f)(x)`."""
    inner, outer = _plain(call.args[0] if call.args else None), code.parent(call.at)
    if inner is None or not isinstance(outer, ir.Call) or outer.func is not call or outer.keywords:
        return None
    if _arguments(code, inner) != _arguments(code, outer):
        return None
    return code.fix("Pass the function", [Change(code.span(inner.func.at)[1], code.span(inner.at)[1], "")])
