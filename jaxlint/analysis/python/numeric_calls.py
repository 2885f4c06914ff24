"""Calls that convert, compare, add up or test numbers and arrays: float(), max(), sum(), any(), psum()."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import (
    FALSE,
    STATIC,
    STATIC_BOOL,
    STATIC_STR,
    TRUE,
    Arguments,
    Leaves,
    Level,
    ListCell,
    Object,
    Origin,
    Static,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    constant,
    has_no_value,
    is_traced,
    level_of,
)
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.tracing import Branch, Conversion
from jaxlint.analysis.machine import ended_paths
from jaxlint.analysis.machine.levels import at_level, without_derivative
from jaxlint.analysis.python import arithmetic, iteration, special_methods, truth
from jaxlint.analysis.typestate import static_numbers
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.machine.semantics import Handler


def _conversion(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """float(x), int(x), bool(x), complex(x)."""
    kind = name.rpartition(".")[2]
    value = arguments.first
    own = special_methods.call(it, value, (f"__{kind}__", "__index__"), node)
    if own is not None:
        return own if isinstance(own, Static) else Static(type=kind)
    lifted = [atom for atom in atoms_of(value) if (level_of(atom) or Level.HOST) >= Level.GRAD]
    if lifted:
        it.decide("traced", node.at)
        row = it.api.numpy(name)
        raises = row is None or any(row.jit if has_no_value(a) else row.grad != "works" for a in lifted)
        made = static_numbers.needed(it, value)
        if raises:
            operand = Operand.argument(arguments, 0, it.frame, node.at)
            ended_paths.end_if_caught(it, operand)
            if it.wants(Conversion):
                it.emit(Conversion(it.frame, node.at, operand, kind, row, made))
        return Static(type=kind)
    it.works(node.at, Conversion)
    if it.frame.trace is not None:
        if isinstance(value, Unknown):
            it.undecided(value, node.at)
        else:
            it.decide("static", node.at)
    if kind == "float" and isinstance(value, Static) and str(value.value).lower() == "nan":
        return constant(math.nan)
    if isinstance(value, Static) and value.known and isinstance(value.value, int | float) and kind in ("int", "float"):
        try:
            return constant(int(value.value) if kind == "int" else float(value.value))
        except (ValueError, OverflowError):
            return Static(type=kind)
    return Static(type=kind)


#: What methods of Python's numbers give.
_METHODS: Final = {
    "bit_length": "int", "bit_count": "int", "__index__": "int", "__int__": "int", "__float__": "float",
    "is_integer": "bool", "hex": "str", "to_bytes": "bytes",
}  # fmt: skip


def method(receiver: Static, name: str) -> Value:
    """A call of a method of a number."""
    kind = _METHODS.get(name)
    if kind is None:
        return STATIC
    if isinstance(receiver.value, int) and name == "bit_length":
        return constant(receiver.value.bit_length())
    return Static(type=kind)


def _digits(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """bin, hex, oct, chr: the text of a whole number."""
    row = it.api.numpy(name)
    if is_traced(arguments.first) and it.wants(Conversion):
        operand = Operand.argument(arguments, 0, it.frame, node.at)
        it.emit(Conversion(it.frame, node.at, operand, name.rpartition(".")[2], row))
    return STATIC_STR


def _through(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """abs(x), round(x), divmod, pow: arrays stay arrays."""
    value = arguments.first
    own = special_methods.call(it, value, (f"__{name.rpartition('.')[2]}__",), node, *arguments.positional[1:])
    if own is not None:
        return own
    if any(level_of(atom) is not None for argument in arguments.all() for atom in atoms_of(argument)):
        other = arguments.positional[1] if len(arguments.positional) > 1 else Static(1, "int")
        result = arithmetic.binary(it, "+", value, other, node)
        if name.endswith("round"):
            return without_derivative(it, result)
        return Tuple((result, result)) if name.endswith("divmod") else result
    if isinstance(value, Unknown):
        return Unknown(None, value.reason)
    result = Static(type=getattr(value, "type", None))
    return Tuple((result, result)) if name.endswith("divmod") else result


def _extreme(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """min, max, sorted: elements are compared with each other, and the outcome is tested."""
    short = name.rpartition(".")[2]
    spread = [] if arguments.spread is None else [arguments.spread, *arguments.tail]
    several = len(arguments.positional) > 1 or bool(spread)
    given = [*arguments.positional, *spread * 2] if several else list(_elements(it, arguments.first, node))
    key = arguments.keywords.get("key")
    values = given
    if key is not None and given:
        values = [it.call(key, Arguments([given[0]], positional_at=[-1]), node)] * min(len(given), 2)
    if values and any(isinstance(a, Object) or level_of(a) for value in values for a in atoms_of(value)):
        compared = arithmetic.binary(it, "<", values[0], values[-1] if len(values) > 1 else values[0], node)
        tree = isinstance(arguments.first, Leaves) and short == "sorted"  # a dict of arrays is sorted by its keys
        if (several or not tree) and len(values) > 1 and is_traced(compared):
            it.emit(Branch(it.frame, node.at, Operand(_traced_of(values, compared), it.frame, node.at), short))
    if short == "sorted":
        alone = tuple(given) if len(given) == 1 and iteration.exact_elements(it, arguments.first) is not None else None
        return it.allocate(ListCell(it.birth(node.at), alone, join_all(given)))
    return join_all(given)


def _traced_of(values: list[Value], fallback: Value) -> Value:
    return next((value for value in values if is_traced(value)), fallback)


def _elements(it: Interpreter, value: Value, node: ir.Expr) -> tuple[Value, ...]:
    exact = iteration.exact_elements(it, value)
    if exact is not None:
        return exact
    one = iteration.element(it, value, node.at)
    return (one, iteration.refresh(it, one, iteration.each(it, node.at, 1)))


def _quantifier(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """any, all: every element is tested."""
    short = name.rpartition(".")[2]
    value = iteration.walked(it, arguments.first, node, short)
    elements = () if isinstance(value, Leaves) else _elements(it, value, node)
    for element in elements:
        if is_traced(element):
            if it.wants(Branch):
                it.emit(Branch(it.frame, node.at, Operand(element, it.frame, node.at), short))
            break
    # Where it is not known whether there is an element at all, this is what comes out of none.
    empty = short == "all"
    return (
        constant(empty) if elements and all(truth.outcome_of(it, each) is empty for each in elements) else STATIC_BOOL
    )


def _sum(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    value = iteration.walked(it, arguments.first, node, "sum")
    elements = _elements(it, value, node)
    result: Value = arguments.positional[1] if len(arguments.positional) > 1 else Static(0, "int")
    for element in elements[:2]:
        result = arithmetic.binary(it, "+", result, element, node)
    return result


def _bool_of(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    if not arguments.positional:
        return FALSE
    value = arguments.first
    is_container = isinstance(value, Leaves) and value.container
    if not is_container and any((level_of(atom) or Level.HOST) >= Level.GRAD for atom in atoms_of(value)):
        return _conversion(it, name, arguments, node)
    outcome = truth.outcome_of(it, value)
    return STATIC_BOOL if outcome is None else TRUE if outcome else FALSE


def _collective(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`psum(1, axis)` of a Python number is a Python number: the axis size."""
    value = arguments.first
    if isinstance(value, Static) and value.type in ("int", "float"):
        return Static(type=value.type)
    level = it.frame.ambient
    trace = it.frame.trace
    parent = None if trace is None else trace.origin
    origin = Origin("operation", "result of a collective", it.frame.path, node.at, parent)
    return at_level(it, value, max(level, Level.MAPPED if trace is not None else level), origin)


SPECIAL: dict[str, Handler] = {
    **dict.fromkeys((f"builtins.{n}" for n in ("float", "int", "complex")), _conversion),
    **dict.fromkeys((f"builtins.{n}" for n in ("bin", "hex", "oct", "chr")), _digits),
    **dict.fromkeys((f"builtins.{n}" for n in ("abs", "round", "divmod", "pow")), _through),
    **dict.fromkeys((f"builtins.{n}" for n in ("min", "max", "sorted")), _extreme),
    **dict.fromkeys((f"builtins.{n}" for n in ("any", "all")), _quantifier),
    "builtins.bool": _bool_of,
    "builtins.sum": _sum,
    "collective": _collective,
}
