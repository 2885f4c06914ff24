"""Functions of `operator`: a call is interpreted as the expression or statement that it stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from jaxlint.analysis.domain.values import (
    NONE,
    UNKNOWN,
    Arguments,
    Partial,
    Qualified,
    Static,
    Tuple,
    Value,
)
from jaxlint.analysis.python import stores
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.machine.semantics import Handler

#: Writes the expression that a call stands for, of those of its operands, at the call's own place.
_Writing: TypeAlias = Callable[[list[ir.Expr], int], ir.Expr]

_BINARY = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
    "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "concat": "+",
}  # fmt: skip
_IN_PLACE = {
    "iadd": "+", "isub": "-", "imul": "*", "itruediv": "/", "ifloordiv": "//", "imod": "%", "ipow": "**",
    "imatmul": "@", "iand": "&", "ior": "|", "ixor": "^", "ilshift": "<<", "irshift": ">>", "iconcat": "+",
}  # fmt: skip
_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "is_": "is", "is_not": "is not"}
_UNARY = {"neg": "-", "pos": "+", "inv": "~", "invert": "~"}

#: What `iadd` and its kin change for a moment: no name of Python's.
_TARGET = "target of operator"


@contextmanager
def _operands(it: Interpreter, arguments: Arguments, node: ir.Expr) -> Iterator[list[ir.Expr]]:
    """Expressions for the arguments, which have been evaluated: paths of names as written, else names of their own."""
    written: list[ir.Expr] = []
    bound: list[str] = []
    for number, value in enumerate(arguments.positional):
        at = arguments.at(number, None)
        argument = walks.expression_at(node, at) if at >= 0 and isinstance(node, ir.Call) else None
        if argument is not None and walks.dotted(argument):
            written.append(argument)
            continue
        name = f"operand {number} of operator"  # no name of Python's either
        it.frame.state.env[name] = value
        bound.append(name)
        written.append(ir.Name(name, at if at >= 0 else node.at))
    yield written
    for name in bound:
        it.frame.state.env.pop(name, None)


def _taking(count: int, handler: Handler) -> Handler:
    """The handler for calls with this number of arguments; others raise."""

    def call(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
        if arguments.extra or len(arguments.positional) != count:
            return it.unknown(f"call of `{name}`", node.at)
        return handler(it, name, arguments, node)

    return call


def _expression(write: _Writing) -> Handler:
    """A function that is an expression."""

    def evaluate(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
        with _operands(it, arguments, node) as operands:
            return it.eval(write(operands, node.at))

    return evaluate


def _binary(op: str) -> Handler:
    return _expression(lambda operands, at: ir.BinaryOperation(op, operands[0], operands[1], at))


def _comparison(op: str) -> Handler:
    return _expression(lambda operands, at: ir.Comparison(operands[0], ((op, operands[1]),), at))


def _unary(op: str) -> Handler:
    return _expression(lambda operands, at: ir.UnaryOperation(op, operands[0], at))


def _in_place(op: str) -> Handler:
    """`iadd(a, b)`: what `a += b` makes of `a`, to which it assigns nothing."""

    def augment(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
        with _operands(it, arguments, node) as (left, right):
            target = ir.Name(_TARGET, left.at)
            it.frame.state.env[_TARGET] = arguments.first
            stores.augment(it, ir.AugmentedAssign(target, op, right, node.at))
            return it.frame.state.env.pop(_TARGET, UNKNOWN)

    return augment


def _setitem(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    with _operands(it, arguments, node) as (base, index, source):
        stores.bind(it, ir.Subscript(base, (index,), node.at), arguments.positional[2], source)
    return NONE


def _delitem(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    with _operands(it, arguments, node) as (base, index):
        stores.delete(it, ir.Subscript(base, (index,), node.at))
    return NONE


def _call(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return it.call(arguments.first, arguments.after(1), node)


# --- functions that get items and attributes, or call methods, of what they are given

_ITEMS, _ATTRIBUTES, _METHOD = (f"jaxlint.{name}" for name in ("itemgetter", "attrgetter", "methodcaller"))


def _maker(called: str) -> Handler:
    """Makes a function of what it gets, or calls."""

    def make(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
        if arguments.extra or not arguments.positional:
            return it.unknown(f"call of `{name}`", node.at)
        return Partial(Qualified(called), (Tuple(tuple(arguments.positional)),), arguments.keywords, it.fresh())

    return make


def _getter(one: Callable[[Interpreter, Value, Value, ir.Expr], Value]) -> Handler:
    """Calls a function that gets one thing, or a tuple of several."""

    def get(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
        wanted, source = arguments.first, arguments.get(1, None)
        if not isinstance(wanted, Tuple) or source is None:
            return it.unknown(f"call of `{name}`", node.at)
        found = tuple(one(it, source, part, node) for part in wanted.elements)
        return found[0] if len(found) == 1 else Tuple(found)

    return get


def _item(it: Interpreter, source: Value, key: Value, node: ir.Expr) -> Value:
    given = Arguments([source, key], positional_at=[-1, -1])
    with _operands(it, given, node) as (base, index):
        return it.eval(ir.Subscript(base, (index,), node.at))


def _attribute(it: Interpreter, source: Value, path: Value, node: ir.Expr) -> Value:
    if not isinstance(path, Static) or not isinstance(path.value, str):
        return it.unknown("an attribute whose name is not known", node.at)
    for name in path.value.split("."):
        source = it.attribute(source, name, node.at)
    return source


def _method_call(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    given, receiver = arguments.first, arguments.get(1, None)
    named = given.elements[0] if isinstance(given, Tuple) else UNKNOWN
    if receiver is None or not isinstance(given, Tuple) or not isinstance(named, Static):
        return it.unknown(f"call of `{name}`", node.at)
    inner = list(given.elements[1:])
    method = it.attribute(receiver, str(named.value), node.at)
    return it.call(method, Arguments(inner, arguments.keywords, [-1] * len(inner)), node)


SPECIAL: dict[str, Handler] = {
    **{f"operator.{name}": _taking(2, _binary(op)) for name, op in _BINARY.items()},
    **{f"operator.{name}": _taking(2, _in_place(op)) for name, op in _IN_PLACE.items()},
    **{f"operator.{name}": _taking(2, _comparison(op)) for name, op in _COMPARISONS.items()},
    **{f"operator.{name}": _taking(1, _unary(op)) for name, op in _UNARY.items()},
    "operator.getitem": _taking(2, _expression(lambda operands, at: ir.Subscript(operands[0], (operands[1],), at))),
    "operator.setitem": _taking(3, _setitem),
    "operator.delitem": _taking(2, _delitem),
    "operator.call": _call,
    "operator.itemgetter": _maker(_ITEMS),
    "operator.attrgetter": _maker(_ATTRIBUTES),
    "operator.methodcaller": _maker(_METHOD),
    _ITEMS: _getter(_item),
    _ATTRIBUTES: _getter(_attribute),
    _METHOD: _method_call,
}
