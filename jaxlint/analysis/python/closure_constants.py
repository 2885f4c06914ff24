"""Large arrays from outside that compiled code computes with: they become constants of the program.

Under-approximates: only arrays whose shape is known and is that of 1 MiB or more, where an operation is applied to the
name or attribute itself; what NumPy may have computed with at trace time is left alone, and so are tests.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain.values import Array, Level, Qualified, Value
from jaxlint.analysis.events.compilation import ClosureConstant
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source import reaching_definitions, test_context
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Trace
    from jaxlint.analysis.machine.interpreter import Interpreter

#: What `jaxlint verify` calls large as well.
LARGE: Final = 1 << 20
#: Attributes that say what an array is, not what is in it.
_DESCRIPTIONS: Final = frozenset({"shape", "dtype", "ndim", "size", "nbytes", "itemsize", "sharding", "weak_type"})


def read(it: Interpreter, value: Value, made: int, at: int, owner: Frame | None = None, name: str = "") -> None:
    """Traced code reads something that was made at this serial number: tell the rules of a large array."""
    if value.__class__ is not Array or value.level > Level.ANY or not value.shape:
        return
    size = _size(value)
    trace = _program(it, made) if size >= LARGE and it.wants(ClosureConstant) else None
    if trace is None or any(map(test_context.is_test, it.frame.known_callers())):
        return
    function = it.frame.function
    if function is None or not _is_operand(it, function, at, value.level):
        return
    if owner is None or not _is_uniform(it, owner, name):
        it.emit(ClosureConstant(it.frame, at, value.shape or (), size, trace))


def _size(array: Array) -> int:
    """The bytes of an array, a lower bound where its dtype is not known in full; 0 where its shape is not."""
    lengths = [length for length in array.shape or () if isinstance(length, int)]
    if len(lengths) != len(array.shape or ()):
        return 0
    bits = (array.dtype or "").lstrip("abcdefghijklmnopqrstuvwxyz")
    return math.prod(lengths) * (int(bits) // 8 if bits else _WIDTHS.get(array.dtype or "", 1))


#: Bytes of an element where only the class of the dtype is known, and 64 bits are off.
_WIDTHS: Final = {"int": 4, "uint": 4, "float": 4, "complex": 8}


def _program(it: Interpreter, made: int) -> Trace | None:
    """The innermost compiled function around that is kept and was traced after something was made."""
    trace = it.frame.trace
    for each in () if trace is None else trace.crossed(made):
        if not each.is_compiled:
            return None
        if each.application is not None and it.api.has(each.application.name, "keeps-programs"):
            return each
    return None


# --- what becomes of it


def _is_operand(it: Interpreter, function: ir.Function, at: int, level: Level) -> bool:
    """Whether JAX computes with what is read at `at`; with an array of NumPy's, only where JAX surely gets it."""
    for call, argument in _arguments(it, function):
        if argument == at:
            callee = _library_function(it, call.func)
            if callee is None or not it.api.is_of(callee, "core"):
                return False
            is_put = level is Level.HOST and it.api.has(callee, "to-device")
            return is_put or it.api.has(callee, "reads-contents")
    return level is not Level.HOST and at in _operands(it, function)


@memoised
def _arguments(_: Interpreter, function: ir.Function) -> list[tuple[ir.Call, int]]:
    calls = (part for part in walks.nodes(function.body) if isinstance(part, ir.Call))
    return [(call, argument.at) for call in calls for argument in (*call.args, *(value for _, value in call.keywords))]


@memoised
def _operands(_: Interpreter, function: ir.Function) -> frozenset[int]:
    return frozenset(node.at for part in walks.nodes(function.body) for node in _computed_with(part))


def _computed_with(part: Any) -> Iterator[ir.Expr]:
    match part:
        case ir.BinaryOperation(left=left, right=right):
            yield from (left, right)
        case ir.BinaryChain(first=first, rest=rest) | ir.Comparison(left=first, rest=rest):
            yield from (first, *(operand for _, operand in rest))
        case ir.UnaryOperation(operand=operand, op="-" | "~"):
            yield operand
        case ir.Subscript(base=base):
            yield base
        case ir.Attribute(attr=attr, base=base) if attr not in _DESCRIPTIONS:  # `.T`, or the method that is called
            yield base


def _library_function(it: Interpreter, node: ir.Expr) -> str | None:
    """The function of a library that an expression names, without evaluating it."""
    root, dot, rest = walks.dotted(node).partition(".")
    value = it.peek(root) if root else None
    return value.name + dot + rest if isinstance(value, Qualified) else None


def _is_uniform(it: Interpreter, owner: Frame, name: str) -> bool:
    """Whether a name is bound to an array with one value throughout, which a program holds as that one number."""
    bindings = reaching_definitions.known_bindings(it, owner.body, name)
    return any(_is_filled(it, owner, binding.value) for binding in bindings)


def _is_filled(it: Interpreter, owner: Frame, node: Any) -> bool:
    callee = it.tables[Callees].by_call.get((owner.path, node.at)) if isinstance(node, ir.Call) else None
    return isinstance(callee, Qualified) and it.api.has(callee.name, "fills")
