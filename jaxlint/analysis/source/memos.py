"""Memos: what a function computes once and keeps in a name or a container of its module, its class or its object.

Inside a trace it computes that only if no call outside filled the memo before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Decorators of `functools` that make a memo of a function.
CACHING = frozenset({"cache", "lru_cache"})


class Guard(NamedTuple):
    """A test of whether a memo is filled, and how the memo is called. `is_rest`: what fills it stands behind the test.

    Elsewhere it stands in the body of the test.
    """

    name: str
    is_rest: bool


@memoised
def of_decorator(_: Interpreter, function: ir.Function) -> str:
    """The name of a function that a decorator makes a memo of; empty for any other."""
    made = (node.func if isinstance(node, ir.Call) else node for node in function.decorators)
    is_cached = any(walks.spelling(node).lstrip(".") in CACHING for node in made)
    return function.name if is_cached else ""


@memoised
def keeps(it: Interpreter, function: ir.Function) -> bool:
    """Whether a function fills a memo."""
    tests = (node for node in walks.statements(function.body) if isinstance(node, ir.If))
    return bool(of_decorator(it, function)) or any(guard(it, test, function) is not None for test in tests)


def guard(it: Interpreter, node: ir.If, function: ir.Function) -> Guard | None:
    """What an `if` of a function guards, if that fills a memo."""
    return _guards(it, function).get(node.at) if _mentions(node.test) else None


def _mentions(test: ir.Expr) -> bool:
    """Whether a test may ask for what a memo holds."""
    return isinstance(test, ir.Comparison | ir.UnaryOperation)


@memoised
def _guards(_: Interpreter, function: ir.Function) -> dict[int, Guard]:
    """The tests of a function that guard a memo, by their ordinals."""
    taken = {}  # names that hold what was taken out of a container, by the container
    for node in walks.statements(function.body):
        match node:
            case ir.Assign(targets=(ir.Name(id=name),), value=ir.Call(func=ir.Attribute(base=held, attr="get"))):
                taken[name] = walks.dotted(held)
    found = {}
    for node in walks.statements(function.body):
        if isinstance(node, ir.If):
            is_missing, memo = _asked(node.test, taken)
            if memo and _is_outside(function, memo):
                known = _guard(node, function, memo, is_missing=is_missing)
                if known is not None:
                    found[node.at] = known
    return found


def _guard(node: ir.If, function: ir.Function, memo: str, *, is_missing: bool) -> Guard | None:
    if is_missing:
        return Guard(memo, is_rest=False) if _fills(node.body, memo, 0) else None
    leaves = bool(node.body) and isinstance(node.body[-1], ir.Return)
    if not leaves:
        return Guard(memo, is_rest=False) if _fills(node.orelse, memo, 0) else None
    return Guard(memo, is_rest=True) if _fills(function.body, memo, node.at) else None


def _asked(test: ir.Expr, taken: dict[str, str]) -> tuple[bool, str]:
    """Whether a test holds where something is missing, and the memo that it is missing in; empty for other tests."""
    match test:
        case ir.UnaryOperation(op="not", operand=operand):
            is_missing, memo = _asked(operand, taken)
            return not is_missing, memo
        case ir.Comparison(rest=(("not in" | "in" as op, container),)):
            return op == "not in", walks.dotted(container)
        case ir.Comparison(left=left, rest=(("is" | "is not" as op, ir.Constant(value=None)),)):
            name = walks.dotted(left)
            return op == "is", taken.get(name, name)
        case _:
            return False, ""


def _is_outside(function: ir.Function, memo: str) -> bool:
    """Whether a name or a path of attributes starts at what outlives a call: no local, or the object of the method."""
    root, dot, _ = memo.partition(".")
    is_own = root in function.scope.bound and root not in function.scope.globals
    receiver = function.parameters[0].name if function.parameters else ""
    return not is_own or (bool(dot) and root == receiver)


def _fills(body: ir.Block, memo: str, behind: int) -> bool:
    """Whether code behind a node stores something in the memo."""
    for node in walks.statements(body):
        if isinstance(node, ir.Assign) and node.at > behind:
            for target in node.targets:
                if walks.dotted(target.base if isinstance(target, ir.Subscript) else target) == memo:
                    return True
    return False
