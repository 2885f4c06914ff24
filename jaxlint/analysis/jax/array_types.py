"""The dtype, the shape and the weakness of what functions of arrays return, from the terms of the tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.values import (
    Arguments,
    Array,
    Iterable,
    Level,
    ListCell,
    Object,
    Qualified,
    Shape,
    Static,
    Tuple,
    Value,
    constant,
    is_none,
)
from jaxlint.analysis.jax import axis_patterns
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING
from jaxlint.analysis.python import iteration

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import FunctionRow


def parameter(row: FunctionRow, arguments: Arguments, name: str) -> Value | None:
    """The argument that a parameter is given."""
    position = row.params.positional.index(name) if name in row.params.positional else None
    return arguments.get(position, name)


def _given(row: FunctionRow, arguments: Arguments, name: str) -> Value | None:
    """The argument that a parameter is given, None where that is None itself."""
    value = parameter(row, arguments, name)
    return None if isinstance(value, Static) and is_none(value) else value


def _operands(row: FunctionRow, arguments: Arguments) -> list[Value]:
    """The arguments whose elements are combined: those by position, and those that could have been."""
    named = (v for name, v in arguments.keywords.items() if name in row.params.positional and name not in row.static)
    return [*arguments.positional, *named]


# --- dtypes


def dtype(it: Interpreter, row: FunctionRow, arguments: Arguments) -> str | None:  # noqa: PLR0911 - dispatches on terms
    """The dtype of the result, or the class of dtypes that it is one of; None where it is unknown."""
    asked = _given(row, arguments, "dtype")
    if asked is not None:
        return dtype_name(asked)
    match row.dtype.head:
        case head if shapes.dtype_class(head) in shapes.CLASSES:
            return head
        case "promote":
            return _promoted(row, arguments)
        case "total":
            found = _promoted(row, arguments)
            return "int" if found == "bool" else found
        case "inexact":
            found = _promoted(row, arguments)
            return "float" if shapes.dtype_class(found) in ("int", "uint", "bool") else found
        case "magnitude":
            return shapes.magnitude(_promoted(row, arguments))
        case "same":
            value = parameter(row, arguments, row.dtype.first)
            return None if value is None else _literal(it, value)
        case "param":
            value = _given(row, arguments, row.dtype.first)
            if value is None:
                return row.dtype.args[1].head if len(row.dtype.args) > 1 else None
            return dtype_name(value)
        case "counted":
            return _promoted(row, arguments)
        case _ if _join_of(it, row) is not None and "dtype" not in arguments.keywords:
            return shapes.promote(_joined(it, arguments) or ())
        case _:
            return None


def _promoted(row: FunctionRow, arguments: Arguments) -> str | None:
    operands = _operands(row, arguments)
    return shapes.promote(operands) if operands else None


def _literal(it: Interpreter, value: Value) -> str | None:
    """The dtype of an array made of a nested list of Python numbers, or of another array."""
    exact = iteration.exact_elements(it, value) if isinstance(value, Object | Tuple) else None
    if exact is None:
        return shapes.dtype_of(value)
    found = {_literal(it, element) for element in exact}
    if len(found) == 1:
        return found.pop()
    return shapes.promote(Array(Level.HOST, each) for each in found) if None not in found else None


#: Other names of dtypes, after those of types in C, and codes of a kind and a number of bytes.
_OTHER_NAMES: Final = {
    "half": "float16", "single": "float32", "double": "float64", "csingle": "complex64", "cdouble": "complex128",
    "f2": "float16", "f4": "float32", "f8": "float64", "c8": "complex64", "c16": "complex128", "i1": "int8",
    "i2": "int16", "i4": "int32", "i8": "int64", "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64",
}  # fmt: skip


def dtype_name(value: Value) -> str | None:
    """The dtype that `jnp.float32`, `np.int64`, `bool` or `"float32"` name."""
    if isinstance(value, Qualified):
        name = value.name.rpartition(".")[2].rstrip("_")
    elif isinstance(value, Static) and isinstance(value.value, str):
        name = value.value
    else:
        return None
    name = _OTHER_NAMES.get(name, name)
    return name if shapes.dtype_class(name) in shapes.CLASSES else None


#: Results of these dtypes are what the function makes of its own, whatever it is given.
_OWN: Final = frozenset({"bool", "int", "float", "complex"})


def is_strong(row: FunctionRow, arguments: Arguments, result: str | None) -> bool:
    """Whether the result surely keeps its dtype in arithmetic."""
    if result == "bool" or row.shape.head in ("reduce", "range", "spaced"):
        return True
    is_scalar_type = row.name.endswith(f".{row.dtype.head}")
    if is_scalar_type or row.dtype.head == "param" or _given(row, arguments, "dtype") is not None:
        return True
    operands = [v for v in _operands(row, arguments) if isinstance(v, Array) or shapes.is_weak(v)]
    if row.dtype.head in _OWN and row.shape.head == "create":
        return True
    return shapes.is_strong_result(operands, result)


# --- shapes


def shape(it: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    """The shape of the result; None where it is unknown."""
    rule = _RULES.get(row.shape.head)
    if rule is not None:
        return None if arguments.extra else rule(it, row, arguments)
    join = _join_of(it, row)
    return axis_patterns.result_shape(it, row.name, arguments) if join is None else _join_shape(it, join, arguments)


def least_rank(it: Interpreter, row: FunctionRow, arguments: Arguments) -> int:
    """How many axes the result has at least, where its shape is unknown."""
    if arguments.extra:
        return 0
    given = [parameter(row, arguments, term.head) for term in row.shape.args]
    ranks = [0 if value is None else shapes.least_rank(value) for value in given]
    least = 0
    match row.shape.head:
        case "elementwise":
            least = max(map(shapes.least_rank, _operands(row, arguments)), default=0)
        case "like" | "rank" | "turn":
            least = ranks[0]
        case "indicators":
            least = ranks[0] + 1
        case "drop":
            least = max(ranks) - 1
        case "rows":
            least = max(ranks[0] - 1, ranks[1])
        case "reduce":
            axis = _given(row, arguments, "axis")
            gone = None if axis is None else _sizes(it, axis)
            least = 0 if gone is None else ranks[0] - len(gone)
    return max(least, 0)


def _subject(row: FunctionRow, arguments: Arguments) -> Shape:
    """The shape of the array that the term names."""
    value = parameter(row, arguments, row.shape.first)
    return None if value is None else shapes.shape_of(value)


def _elementwise(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    return shapes.broadcast([shapes.shape_of(value) for value in _operands(row, arguments)])


def _like(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    """That of the first parameter that the term names, unless one of the others changes it: `n` of `fft`."""
    others = (_given(row, arguments, other.head) for other in row.shape.args[1:])
    is_changed = any(other is not None and other != constant(False) for other in others)
    return None if is_changed else _subject(row, arguments)


def _ranked(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    """As many axes, of lengths that are not known."""
    found = _subject(row, arguments)
    return None if found is None else (None,) * len(found)


def _create(it: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    value = _given(row, arguments, row.shape.first)
    if value is None and row.dtype.head == "same":  # `zeros_like(x)` has the shape of `x`, unless it is given
        like = parameter(row, arguments, row.dtype.first)
        return None if like is None else shapes.shape_of(like)
    sizes = None if value is None else _sizes(it, value)
    return sizes if len(row.shape.args) < 2 else _drawn(it, row, arguments, () if value is None else sizes)


def _drawn(it: Interpreter, row: FunctionRow, arguments: Arguments, sizes: Shape) -> Shape:
    """So many parts of an array, in the place of the axis along which they are taken; of a number, those below it."""
    array, axis = parameter(row, arguments, row.shape.args[1].head), parameter(row, arguments, "axis") or constant(0)
    found = None if array is None else shapes.shape_of(array)
    if found is None or sizes is None:
        return None
    place = axis.value if isinstance(axis, Static) else None
    if len(found) <= 1:
        return sizes
    if type(place) is not int or not -len(found) <= place < len(found):
        return (None,) * (len(sizes) + len(found) - 1)
    place %= len(found)
    return (*found[:place], *sizes, *found[place + 1 :])


def _sizes(it: Interpreter, value: Value) -> Shape:
    """A shape given as an int, a tuple or a list."""
    exact = iteration.exact_elements(it, value) if isinstance(value, Object) else None
    return shapes.given_shape(value if exact is None else Tuple(exact))


def _contents(it: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    value = parameter(row, arguments, row.shape.first)
    return None if value is None else _shape_of_contents(it, value, MAX_NESTING)


def _shape_of_contents(it: Interpreter, value: Value, room: int) -> Shape:
    """The shape of an array made of numbers, arrays, or tuples and lists of such, nested in `room` levels at most."""
    cell = it.cell(value) if isinstance(value, Object) else None
    if room == 0 or (cell is not None and not isinstance(cell, ListCell)):
        return None
    if isinstance(value, Iterable):
        part = _shape_of_contents(it, value.element, room - 1)
        return None if part is None else (None, *part)
    if not isinstance(value, Tuple | Object):
        return shapes.shape_of(value)
    elements = iteration.exact_elements(it, value)
    parts = {_shape_of_contents(it, element, room - 1) for element in elements or ()}
    part = parts.pop() if len(parts) == 1 else None
    return None if elements is None or part is None else (len(elements), *part)


def _reduced(it: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    value = parameter(row, arguments, row.shape.first)
    axis, keepdims = _given(row, arguments, "axis"), parameter(row, arguments, "keepdims")
    if value is None or (keepdims is not None and not (isinstance(keepdims, Static) and keepdims.known)):
        return None
    known = None
    if axis is not None:
        known = _sizes(it, axis)
        if known is None:
            return None
    keep = isinstance(keepdims, Static) and bool(keepdims.value)
    return shapes.reduced(shapes.shape_of(value), known, keep)


def _reshaped(it: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    asked = parameter(row, arguments, "shape")
    wanted = None if asked is None else _sizes(it, asked)
    return None if wanted is None else shapes.reshaped(_subject(row, arguments), wanted)


def _flat(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    return (shapes.size(_subject(row, arguments)),)


def _along(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    """The shape of the array where an axis is given; else all of its elements in a row."""
    found = _subject(row, arguments)
    return (shapes.size(found),) if _given(row, arguments, "axis") is None else found


def _sorted(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    """The shape of the array, unless the axis is said to be None: then all of its elements in a row."""
    found, axis = _subject(row, arguments), parameter(row, arguments, "axis")
    return (shapes.size(found),) if isinstance(axis, Static) and is_none(axis) else found


def _repeated(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    found = _subject(row, arguments)
    if _given(row, arguments, "axis") is None:
        return (None,)
    return None if found is None else (None,) * len(found)


def _expanded(it: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    axis = parameter(row, arguments, "axis")
    places = None if axis is None else _sizes(it, axis)
    return None if places is None else shapes.expanded(_subject(row, arguments), places)


def _squeezed(it: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    axis, found = _given(row, arguments, "axis"), _subject(row, arguments)
    if axis is not None:
        places = _sizes(it, axis)
        return None if places is None else shapes.reduced(found, places, False)
    if found is None or not all(isinstance(dim, int) for dim in found):
        return None
    return tuple(dim for dim in found if dim != 1)


def _transposed(it: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    axes, found = _given(row, arguments, "axes"), _subject(row, arguments)
    if found is None or axes is None:
        return None if found is None else found[::-1]
    order = _sizes(it, axes)
    known = order is not None and sorted(d for d in order if isinstance(d, int)) == list(range(len(found)))
    return tuple(found[d] for d in order if isinstance(d, int)) if known and order else (None,) * len(found)


def _turned(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    """The last two axes, one for the other."""
    found = _subject(row, arguments)
    return None if found is None or len(found) < 2 else (*found[:-2], found[-1], found[-2])


def _of_matrices(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    """One number for each matrix of a stack."""
    found = _subject(row, arguments)
    return None if found is None or _given(row, arguments, "keepdims") is not None else found[:-2]


def _range(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    stop = arguments.positional[0] if len(arguments.positional) == 1 and "stop" not in arguments.keywords else None
    known = isinstance(stop, Static) and type(stop.value) is int and "step" not in arguments.keywords
    return (max(stop.value, 0),) if known and isinstance(stop, Static) else (None,)


def _spaced(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    bounds = [parameter(row, arguments, name) for name in ("start", "stop")]
    if not all(bound is not None and shapes.shape_of(bound) == () for bound in bounds):
        return None
    number = parameter(row, arguments, "num") or constant(50)
    return None if _given(row, arguments, "axis") else shapes.given_shape(number) or (None,)


def _product(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    if len(arguments.positional) < 2:
        return None
    return shapes.matmul(*(shapes.shape_of(value) for value in arguments.positional[:2]))


def _dotted(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    given = [parameter(row, arguments, term.head) for term in row.shape.args]
    return shapes.dot(*(None if value is None else shapes.shape_of(value) for value in given))


def _square(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    """A matrix of as many rows as are given, and as many columns, or others."""
    rows = parameter(row, arguments, row.shape.first)
    columns = _given(row, arguments, row.shape.args[1].head) if len(row.shape.args) > 1 else None
    sides = [shapes.given_shape(side) for side in (rows, columns or rows) if side is not None]
    return tuple(side[0] if side and len(side) == 1 else None for side in sides) if len(sides) == 2 else None


def _matrix(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    """As many rows as the first array has numbers, and as many columns as the second one."""
    given = [parameter(row, arguments, name) for name in row.params.positional[:2]]
    rows, columns = (None if value is None else shapes.size(shapes.shape_of(value)) for value in given)
    return (rows, columns)


def _dropped(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    """Without the last axis, unless another one is named, of all the arrays together."""
    given = [parameter(row, arguments, term.head) for term in row.shape.args]
    found = shapes.broadcast([None if value is None else shapes.shape_of(value) for value in given])
    return None if not found or "axis" in arguments.keywords else found[:-1]


def _rows(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    """One number for each label; where their shape is unknown, one for each row of what they label."""
    labels = parameter(row, arguments, row.shape.args[1].head)
    found = None if labels is None else shapes.shape_of(labels)
    if found is None and "axis" not in arguments.keywords:
        return shapes.without_axis(_subject(row, arguments), -1)
    return found


def _indicators(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    """One more axis, as long as the second parameter says; where another axis is named, its place is not known."""
    found, classes = _subject(row, arguments), parameter(row, arguments, row.shape.args[1].head)
    length = None if classes is None else shapes.given_shape(classes)
    if found is None or length is None or len(length) != 1:
        return None
    return (None,) * (len(found) + 1) if "axis" in arguments.keywords else (*found, *length)


def _scalar(_: Interpreter, row: FunctionRow, arguments: Arguments) -> Shape:
    return ()


_RULES: Final[dict[str, Callable[..., Shape]]] = {
    "elementwise": _elementwise, "like": _like, "rank": _ranked, "create": _create, "contents": _contents,
    "reduce": _reduced, "scalar": _scalar, "reshape": _reshaped, "flat": _flat, "along": _along, "sorted": _sorted,
    "repeat": _repeated, "expand": _expanded, "squeeze": _squeezed, "transpose": _transposed, "turn": _turned,
    "matrices": _of_matrices, "dot": _dotted,
    "range": _range, "spaced": _spaced, "product": _product, "square": _square, "matrix": _matrix, "drop": _dropped,
    "rows": _rows, "indicators": _indicators,
}  # fmt: skip

#: How one array is made of several: along the axis that is given, if not the first, or along one that is new.
_JOINS: Final = {"concatenated": shapes.concatenated, "stacked": shapes.stacked}


def _join_of(it: Interpreter, row: FunctionRow) -> Callable[[Sequence[Shape], int], Shape] | None:
    """The shape of what a function joins; None for one that joins no arrays."""
    meaning = it.api.meaning(row.name)
    return None if meaning is None else _JOINS.get(meaning.head)


def _joined(it: Interpreter, arguments: Arguments) -> tuple[Value, ...] | None:
    return iteration.exact_elements(it, arguments.first)


def _join_shape(it: Interpreter, join: Callable[[Sequence[Shape], int], Shape], arguments: Arguments) -> Shape:
    parts, axis = _joined(it, arguments), arguments.get(1, "axis") or constant(0)
    if not parts or not isinstance(axis, Static) or type(axis.value) is not int:
        return None
    return join([shapes.shape_of(part) for part in parts], axis.value)
