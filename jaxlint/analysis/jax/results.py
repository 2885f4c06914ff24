"""Results of library functions, from the terms of the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.frozen import FrozenCell
from jaxlint.analysis.domain.idents import Ident
from jaxlint.analysis.domain.sharding_values import PROCESS_INDEX
from jaxlint.analysis.domain.values import (
    FALSE,
    NONE,
    STATIC,
    STATIC_DTYPE,
    STATIC_INT,
    UNKNOWN,
    Arguments,
    Array,
    Atom,
    DictCell,
    Iterable,
    Key,
    Leaves,
    Level,
    ListCell,
    Made,
    Object,
    Origin,
    Partial,
    Qualified,
    Static,
    Tuple,
    Value,
    atoms_of,
    is_traced,
    level_of,
    origin_of,
)
from jaxlint.analysis.jax import array_types
from jaxlint.analysis.machine.levels import (
    NUMBERS,
    Destination,
    Lifting,
    at_least,
    copied,
    evidence,
    is_surely_of_jax,
    undifferentiated,
    without_derivative,
)
from jaxlint.analysis.python import iteration
from jaxlint.analysis.source import replaced_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import FunctionRow, NumpyRow
    from jaxlint.jaxapi.terms import Term
    from jaxlint.syntax import ir


class LibraryCall(NamedTuple):
    """A call of a function that the tables list: its row, the arguments, where, and the level of what it returns."""

    row: FunctionRow
    arguments: Arguments
    node: ir.Expr
    level: Level


def of_function(it: Interpreter, row: FunctionRow, arguments: Arguments, node: ir.Expr) -> Value:
    """What a function of JAX returns for these arguments."""
    return returned(it, row.returns, LibraryCall(row, arguments, node, _level(it, arguments)))


def level_of_call(it: Interpreter, row: FunctionRow, arguments: Arguments) -> Level:
    """The level of what a framework's function gives: that of all arrays in what it is given, below dicts as well."""
    inside = (a for value in arguments.all() for atom in atoms_of(value) for a in _below(it, atom))
    return max(_level(it, arguments), *(level_of(atom) or Level.HOST for atom in inside), Level.CONCRETE)


def _below(it: Interpreter, atom: Atom) -> Iterator[Atom]:
    if isinstance(atom, Made):
        yield Array(atom.level)
    cell = it.cell(atom) if isinstance(atom, Object) else None
    if isinstance(cell, DictCell):
        for value in cell.items.values():
            yield from (part for inner in atoms_of(value) for part in (inner, *_below(it, inner)))


def held(level: Level, origin: Origin | None, ident: Ident, *, array: bool) -> Value:
    """An array, or a tree of arrays, of which nothing but the level is known."""
    if array:
        return Array(level, None, None, False, origin, ident)
    return Leaves(level, origin, ident)


def _level(it: Interpreter, arguments: Arguments) -> Level:
    """An operation's level: the highest of its operands and its surroundings."""
    level = max(it.frame.ambient, Level.CONCRETE)
    for value in arguments.all():
        own = level_of(value)  # most arguments are single arrays
        if own is not None:
            level = max(level, own)
            continue
        for atom in _arrays_in(it, value):
            level = max(level, level_of(atom) or Level.HOST)
    return level


def _arrays_in(it: Interpreter, value: Value, depth: int = 0) -> list[Atom]:
    """The arrays among a value's elements, rows of rows included."""
    found: list[Atom] = []
    for atom in atoms_of(value):
        if level_of(atom) is not None:
            found.append(atom)
            continue
        if isinstance(atom, Iterable):
            elements: tuple[Value, ...] = (atom.element,)
        else:
            elements = iteration.exact_elements(it, atom) or ()
        for element in elements if depth < _MOST_ROWS else ():
            found.extend(_arrays_in(it, element, depth + 1))
    return found


#: Lists of lists deeper than this are not looked into for arrays.
_MOST_ROWS = 4


def returned(it: Interpreter, term: Term, call: LibraryCall) -> Value:  # noqa: PLR0911, PLR0912 - dispatches on terms
    """The value that a term of the tables stands for, of a function called with these arguments."""
    row, arguments, node, level = call
    match term.head:
        case "array":
            return _array(it, call)
        case "static":
            return _static(it, row, arguments)
        case "host" if arguments.positional and isinstance(arguments.positional[0], Array):
            return Array(Level.HOST, readonly=True)
        case "none":
            return NONE
        case "key" | "keys":
            return Key(it.ident(node.at), level, () if term.head == "key" else (None,))
        case "dtype":
            return STATIC_DTYPE
        case "same" | "frozen":
            value = _same(it, term, call)
            return value if term.head == "same" else _frozen(it, value, node.at)
        case "tuple":
            return Tuple(tuple(_part(it, part, call) for part in term.args))
        case "list" | "each":
            return _list(it, term, call)
        case "tree":
            if term.args and _is_array(array_types.parameter(row, arguments, term.first)):
                return _array(it, call)
            return Leaves(level, origin_of_call(it, arguments, node, level), it.ident(node.at))
        case "named":
            return Qualified(term.first)
        case "unraveled":
            tree = array_types.parameter(row, arguments, term.first)
            return Partial(Qualified(MADE_FUNCTION), (UNKNOWN if tree is None else tree,), {})
        case _:
            return it.unknown(f"call of `{row.name}`", node.at)


#: A function that a transform gives, or `ravel_pytree`, bound to a tree of the structure that it gives.
MADE_FUNCTION = "jaxlint.made_function"


def _list(it: Interpreter, term: Term, call: LibraryCall) -> Value:
    """A list; `each` gives one result for one argument, and a list of them for several.

    A function of any number of arrays gives as many.
    """
    element = _part(it, term.args[0], call) if term.args else UNKNOWN
    given = len(call.arguments.positional)
    if call.arguments.extra or call.row.params.positional or call.row.params.variadic is None:
        return it.allocate(ListCell(it.birth(call.node.at), None, element))
    if term.head == "each" and given == 1:
        return element
    elements = tuple(_part(it, term.args[0], call) for _ in range(given)) if term.args else (UNKNOWN,) * given
    return it.allocate(ListCell(it.birth(call.node.at), elements, element))


def _is_array(value: Value | None) -> bool:
    return value is not None and all(isinstance(atom, Array) for atom in atoms_of(value))


def _part(it: Interpreter, term: Term, call: LibraryCall) -> Value:
    """A part of a tuple or list: what the table says of shapes and dtypes holds for each."""
    if term.head == "array":
        origin = origin_of_call(it, call.arguments, call.node, call.level)
        shape, dtype = array_types.shape(it, call.row, call.arguments), _part_dtype(it, call.row, call.arguments)
        return Array(call.level, dtype, shape, False, origin, it.ident(call.node.at))
    return returned(it, term, call)


def _part_dtype(it: Interpreter, row: FunctionRow, arguments: Arguments) -> str | None:
    return array_types.dtype(it, row, arguments) if row.dtype.head == "same" else None


def origin_of_call(it: Interpreter, arguments: Arguments, node: ir.Expr, level: Level) -> Origin | None:
    """The evidence of the first traced argument; a constant made under a trace is traced by the trace itself."""
    if level < Level.GRAD:
        return None
    best = evidence(it, [a for v in arguments.all() for a in _arrays_in(it, v) if (level_of(a) or 0) >= Level.GRAD])
    if best is not None:
        return best
    trace = it.frame.trace
    parent = None if trace is None else trace.origin
    return Origin("operation", "a JAX operation in traced code", it.frame.path, node.at, parent)


def _array(it: Interpreter, call: LibraryCall) -> Value:
    row, arguments, node, level = call
    it.facts.array_operations += 1
    dtype = array_types.dtype(it, row, arguments)
    shape = array_types.shape(it, row, arguments)
    strong = array_types.is_strong(row, arguments, dtype)
    weak = (
        row.shape.head == "elementwise"
        and dtype != "bool"
        and not strong
        and all(shapes.is_weak(value) for value in arguments.positional)
    )
    if it.api.has(row.name, "of-shape"):
        level = max(it.frame.ambient, Level.CONCRETE)
    origin = origin_of_call(it, arguments, node, level)
    # Behind an undecided isinstance, what is made of unknown values may never be made.
    assumed = it.frame.caveats.type_asked and level >= Level.GRAD and not any(map(is_traced, arguments.all()))
    if shapes.is_discrete(dtype) or it.api.has(row.name, "undifferentiated"):
        level = undifferentiated(level)
    axes = array_types.least_rank(it, row, arguments) if shape is None else 0
    return Array(level, dtype, shape, weak, origin, it.ident(node.at), assumed, strong=strong, axes=axes)


def _static(it: Interpreter, row: FunctionRow, arguments: Arguments) -> Value:
    last = row.name.rpartition(".")[2]
    if last in ("shape", "ndim", "size"):
        return _of_shape(last, arguments)
    if last == "process_index" and not replaced_names.is_replaced(it, row.name):
        return Static(type=PROCESS_INDEX)
    if last in ("device_count", "local_device_count", "process_count", "process_index"):
        return STATIC_INT
    return STATIC


def _of_shape(asked: str, arguments: Arguments) -> Value:
    """The shape of an array, or the number of its dimensions or elements."""
    value = arguments.get(0, "a")
    shape = None if value is None else shapes.shape_of(value)
    if asked == "shape":
        if shape is None:
            return Iterable("tuple", STATIC_INT)
        return Tuple(tuple(Static(d, "int") if isinstance(d, int) else STATIC_INT for d in shape))
    is_whole = len(arguments.positional) + len(arguments.keywords) == 1 and not arguments.extra
    is_counted = isinstance(value, Array | Key) or (isinstance(value, Static) and value.type in NUMBERS)
    count = shapes.count(asked, shape) if is_whole and is_counted else None
    return Static(count, "int") if isinstance(count, int) else STATIC_INT


def _same(it: Interpreter, term: Term, call: LibraryCall) -> Value:
    """The tree given in a parameter, its leaves arrays of the level around."""
    row, arguments, node, level = call
    value = array_types.parameter(row, arguments, term.first)
    if value is None:
        return it.unknown(f"call of `{row.name}`", node.at)
    if it.api.has(row.name, "to-device"):
        value = at_least(it, value, Level.CONCRETE)
    if it.api.has(row.name, "undifferentiated"):
        value = without_derivative(it, value)
        level = undifferentiated(level)
    if level < Level.GRAD:
        return value if _hands_on(it, row, arguments) else copied(it, value)
    origin = origin_of(value) or origin_of_call(it, arguments, node, level)
    if origin is None or it.frame.ambient < Level.GRAD:
        return value
    # The static fields of a module stay as they are.
    is_module = any(isinstance(atom, Object) for atom in atoms_of(value))
    arrays_only = is_module or it.api.has(row.name, "keeps-static-leaves")
    destination = Destination(it.frame.ambient, origin, node.at, it.frame.serial)
    return Lifting(it, destination, arrays_only=arrays_only)(value)


def _frozen(it: Interpreter, value: Value, at: int) -> Value:
    """The same mapping, and those inside it, with a hash."""
    cell = it.cell(value) if isinstance(value, Object) else None
    if not isinstance(cell, DictCell):
        return value
    items = {key: _frozen(it, item, at) for key, item in cell.items.items()}
    return it.allocate(FrozenCell(it.birth(at), items, None if cell.rest is None else _frozen(it, cell.rest, at)))


def _hands_on(it: Interpreter, row: FunctionRow, arguments: Arguments) -> bool:
    """Whether the result has the buffers of the argument; put on a certain device, it is a copy or not."""
    alone = len(arguments.all()) == 1
    return it.api.has(row.name, "hands-on") or (alone and it.api.has(row.name, "hands-on-alone"))


# --- NumPy and the standard library

#: Functions of `math`, `cmath` and `operator` that give other numbers than most of their modules.
_TYPES_OF_NUMBERS: Final = {
    **{f"math.{name}": "int" for name in ("ceil", "comb", "factorial", "floor", "gcd", "isqrt", "lcm", "perm")},
    **{f"math.{name}": "int" for name in ("prod", "trunc")},
    **{f"math.{name}": "bool" for name in ("isclose", "isfinite", "isinf", "isnan")},
    **{f"cmath.{name}": "bool" for name in ("isclose", "isfinite", "isinf", "isnan")},
    "cmath.phase": "float",
    "operator.index": "int",
}  # fmt: skip


def of_host_function(it: Interpreter, name: str, row: NumpyRow, arguments: Arguments, node: ir.Expr) -> Value:
    """A function of NumPy or the standard library on values that Python knows."""
    if name in _TYPES_OF_NUMBERS or name.startswith(("math.", "cmath.")):
        return Static(type=_TYPES_OF_NUMBERS.get(name, "float" if name.startswith("math.") else "complex"))
    if name.startswith("operator."):
        by_jax = row.returns.head == "array" and any(map(_is_device_array, arguments.positional))
        return of_dispatching(it, row, arguments) if by_jax else STATIC
    last = name.rpartition(".")[2]
    if last in _HOST_STATICS:
        return _looked_at(it, name, arguments)
    if last in ("prod", "sum", "max", "min") and all(isinstance(v, Tuple | Iterable) for v in arguments.positional):
        return Array(Level.HOST, "int", ())
    if it.api.has(name, "scalar-type"):
        return host_scalar(it, name, arguments)
    if last == "asarray" and arguments.positional and _is_device_array(arguments.positional[0]):
        return Array(Level.HOST, shapes.dtype_of(arguments.positional[0]), readonly=True)
    is_drawn = it.api.has(name, "random-generator")
    same = None if is_drawn else it.api.array_function(last)  # which gives arrays of the same shape
    shape = None if same is None else array_types.shape(it, same, arguments)
    array = Array(Level.HOST, _host_dtype(arguments, same), shape)
    return Iterable("list", array) if same is not None and same.returns.head == "list" else array


_HOST_STATICS = frozenset({"shape", "ndim", "size", "dtype", "isscalar", "result_type", "finfo", "iinfo", "issubdtype"})


def host_scalar(it: Interpreter, name: str, arguments: Arguments) -> Value:
    """A dtype of NumPy, or what its scalar type makes of a number: hashable, and known while tracing.

    Of a sequence or an array a scalar type makes an array.
    """
    last = name.rpartition(".")[2]
    if last == "dtype":
        return STATIC_DTYPE
    same = it.api.array_function("asarray") if arguments.positional else None
    shape = None if same is None else array_types.shape(it, same, arguments)
    if shape:
        return Array(Level.HOST, shapes.dtype_class(last.rstrip("_")), shape)
    return Static(type=shapes.dtype_class(last.rstrip("_")))


def _is_device_array(value: Value) -> bool:
    return all(isinstance(atom, Array) and atom.level is not Level.HOST for atom in atoms_of(value))


def _host_dtype(arguments: Arguments, same: FunctionRow | None) -> str | None:
    """The dtype that is asked for; arrays of objects are what only NumPy has."""
    value = arguments.get(None, "dtype") if same is None else array_types.parameter(same, arguments, "dtype")
    if isinstance(value, Qualified) and value.name.rpartition(".")[2].rstrip("_") == "object":
        return "object"
    if isinstance(value, Static) and value.value in ("object", "O"):
        return "object"
    return None if value is None else array_types.dtype_name(value)


def _looked_at(it: Interpreter, name: str, arguments: Arguments) -> Value:
    """What a function finds out that looks at no numbers: of arrays, that they are none."""
    asked = atoms_of(arguments.positional[0]) if arguments.positional and it.api.has(name, "asks-for-number") else ()
    return FALSE if asked and all(map(is_surely_of_jax, asked)) else STATIC


def of_dispatching(it: Interpreter, row: NumpyRow, arguments: Arguments) -> Value:
    """A NumPy function that hands traced arguments over to JAX."""
    level = _level(it, arguments)
    match row.returns.head:
        case "static":
            return _looked_at(it, row.name, arguments)
        case "host":
            return Array(Level.HOST)
        case "none":
            return NONE
        case "tuple":
            return Tuple(tuple(Array(level) for _ in row.returns.args))
        case _:
            return Array(level, None, None, False, evidence(it, arguments.all()))
