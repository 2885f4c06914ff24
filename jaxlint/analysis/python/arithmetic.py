"""Operators: what arithmetic and comparisons give, atom by atom."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.idents import OfOperation, StartsAs
from jaxlint.analysis.domain.lattice import join, join_all, union
from jaxlint.analysis.domain.shapes import JAX_DTYPE
from jaxlint.analysis.domain.sharding_values import PROCESS_INDEX, PROCESS_TEST
from jaxlint.analysis.domain.values import (
    FALSE,
    STATIC,
    STATIC_BOOL,
    STATIC_STR,
    TRUE,
    UNKNOWN,
    Array,
    Atom,
    DictCell,
    Iterable,
    Key,
    Leaves,
    Level,
    ListCell,
    Object,
    Qualified,
    Ref,
    SetCell,
    Static,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    constant,
    has_no_value,
    level_of,
)
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.random import KeyMisuse
from jaxlint.analysis.events.tracing import IntegerNeeded
from jaxlint.analysis.machine.levels import evidence, is_surely_of_jax, undifferentiated
from jaxlint.analysis.machine.tree_leaves import leaves_of
from jaxlint.analysis.python import (
    classes,
    complex_steps,
    formulas,
    functions,
    given_out,
    numerical_idioms,
    references,
    special_methods,
    type_aliases,
)
from jaxlint.analysis.typestate import async_dispatch, key_arrays, placements, static_numbers, timing
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

_FOLD: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
#: Numbers beyond this are not folded: what they stand for matters more than their value.
MAX_NUMBER = 2**63
#: Sequences with more elements than this are known by their elements' join alone.
MAX_ELEMENTS = 16


def binary(it: Interpreter, op: str, left: Value, right: Value, node: ir.Expr) -> Value:
    """The value of `left op right`."""
    if isinstance(left, Key) or isinstance(right, Key):
        is_left = isinstance(left, Key)
        _key_in_arithmetic(it, op, left if is_left else right, node, is_left=is_left)
    for side, value in enumerate((left, right)):
        if isinstance(value, Ref):
            references.tell_unread(it, it.operand(value, _side(node, side)), node.at, op)
    for method, other in own_methods(it, op, left, right, node):
        given = atoms_of(functions.call_value(it, method, node, [other]))
        made = [atom for atom in given if not _is_not_implemented(atom)]
        if made:
            return join_all(made)
    if op == "-":
        numerical_idioms.subtracted(it, left, right, node)
    if op == "*":
        _tell_count(it, left, right, node)
    firsts, seconds = atoms_of(left), atoms_of(right)
    if len(firsts) == 1 and len(seconds) == 1:
        types = type_aliases.united(it, firsts[0], seconds[0]) if op == "|" else None
        result = types or _atoms(it, op, firsts[0], seconds[0], node)
    else:
        result = join_all([_atoms(it, op, a, b, node) for a in firsts for b in seconds])
    formulas.noted(it, op, (left, right), result)
    complex_steps.operated(it, op, left, right, result, node)
    if it.frame.state.clock is not None and op not in COMPARISONS:
        async_dispatch.operator(it, op, result, node.at)
    static_numbers.combined(it, (left, right), result)
    if it.frame.trace is None:
        placements.meet(it, ((left, _side(node, 0).at), (right, _side(node, 1).at)), result, node.at)
    return result


def _side(node: ir.Expr, number: int) -> ir.Expr:
    """The operand of that number, where the operator has no more than two."""
    match node:
        case ir.BinaryOperation():
            return node.right if number else node.left
        case ir.Comparison(rest=((_, right),)):
            return right if number else node.left
        case ir.UnaryOperation():
            return node.operand
        case _:
            return node


def augmented(it: Interpreter, op: str, left: Value, right: Value, node: ir.Expr) -> Value:
    """What `left op= right` puts in the place of `left`: what the object's class makes of it, else a new value."""
    own = special_methods.call(it, left, (f"__i{_METHODS[op]}__",), node, right) if op in _METHODS else None
    return binary(it, op, left, right, node) if own is None else own


def own_methods(it: Interpreter, op: str, left: Value, right: Value, node: ir.Expr) -> Iterator[tuple[Value, Value]]:
    """The methods that the operands' classes, of the project, define for an operator, each with the other operand."""
    name = _METHODS.get(op)
    if name is None:
        return
    for operand, other, method_name in ((left, right, f"__{name}__"), (right, left, f"__r{name}__")):
        cls = classes.class_of(it, operand)
        method = None if cls is None else classes.class_attribute(it, cls, method_name, operand, node.at)
        if method is not None:
            yield method, other


def _is_not_implemented(atom: Atom) -> bool:
    return isinstance(atom, Qualified) and atom.name == "builtins.NotImplemented"


_METHODS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "&": "and", "|": "or", "^": "xor", "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
}  # fmt: skip


def _key_in_arithmetic(it: Interpreter, op: str, key: Value, node: ir.Expr, *, is_left: bool) -> None:
    if op not in ("==", "!=") and it.wants(KeyMisuse):
        doubt = isinstance(key, Key) and key_arrays.may_be_word(key)
        it.emit(KeyMisuse(it.frame, node.at, it.operand(key, node), op, "arithmetic", is_left, doubt))


def _atoms(it: Interpreter, op: str, a: Atom, b: Atom, node: ir.Expr) -> Value:
    if isinstance(a, _ARRAYS) or isinstance(b, _ARRAYS):
        if it.facts.numbers:
            it.tell_numbers((a, b))
        return _concatenated(it, op, a, b, node) or _arrays(it, op, a, b, node)
    if isinstance(a, Static) and isinstance(b, Static):
        return _two_statics(it, op, a, b, node)
    if op in COMPARISONS:
        return _compare_others(a, b)
    if isinstance(a, Tuple) or isinstance(b, Tuple):
        return _or_own(it, a, op, _tuples(op, a, b))
    if isinstance(a, Object) or isinstance(b, Object):
        return _or_own(it, a, op, _lists(it, op, a, b, node))
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        reason = a.reason if isinstance(a, Unknown) else b.reason if isinstance(b, Unknown) else None
        return Unknown(OfOperation(it.fresh()), reason)
    return UNKNOWN


def _or_own(it: Interpreter, left: Atom, op: str, repeated: Value) -> Value:
    """What `left * [3, 3]` may be: of an object with an operator of its own, anything."""
    if op != "*" or not isinstance(left, Unknown):
        return repeated
    return union((Unknown(OfOperation(it.fresh()), left.reason), *atoms_of(repeated)))


def _concatenated(it: Interpreter, op: str, a: Atom, b: Atom, node: ir.Expr) -> Value | None:
    """A name of parts of it, or a list or tuple of arrays and more of them: JAX adds no array to text and sequences."""
    if op != "+":
        return None
    if _is_named(a, b):
        return STATIC_STR
    for tree, more in ((a, b), (b, a)):
        if isinstance(tree, Leaves) and _is_sequence(it, more) and not isinstance(more, Static):
            parts = [level_of(atom) or Level.HOST for leaf in leaves_of(it, more) for atom in atoms_of(leaf)]
            level = max([tree.level, *parts])
            return Leaves(level, evidence(it, (a, b)), it.ident(node.at), tree.assumed)
    return None


def _is_named(a: Atom, b: Atom) -> bool:
    """Whether a string is put together with what a walk over a tree gave: a name, since that tree is a dict."""
    return any(
        isinstance(text, Static) and text.type == "str" and isinstance(part, Leaves) and part.element
        for text, part in ((a, b), (b, a))
    )


def _tell_count(it: Interpreter, a: Value, b: Value, node: ir.Expr) -> None:
    """A sequence, whatever it holds, is repeated as often as a traced number says."""
    for sequence, count in ((a, b), (b, a)):
        if not isinstance(count, Array) or count.shape != () or not has_no_value(count):
            continue
        if it.wants(IntegerNeeded) and all(_is_sequence(it, atom) for atom in atoms_of(sequence)):
            at = node.right.at if isinstance(node, ir.BinaryOperation) and sequence is a else node.at
            it.emit(IntegerNeeded(it.frame, node.at, Operand(count, it.frame, at), "repeat"))


def _is_sequence(it: Interpreter, atom: Atom) -> bool:
    if isinstance(atom, Object):
        return isinstance(it.cell(atom), ListCell)
    return isinstance(atom, Tuple) or (isinstance(atom, Static) and atom.type == "str")


def _two_statics(it: Interpreter, op: str, a: Static, b: Static, node: ir.Expr) -> Value:
    """Two readings of a clock, two structures of trees, or other values that Python knows."""
    if op == "-" and a.ident is not None and b.ident is not None:
        timing.difference(it, a.ident, b.ident, node)
    if a.type == b.type == "treedef" and op in ("==", "!=") and it.library.structures_differ(it, a, b):
        return TRUE if op == "!=" else FALSE
    if op in COMPARISONS:
        return _statics(op, _at_start(a), _at_start(b))
    return given_out.made_of(it, (a, b), _statics(op, a, b))


def _at_start(value: Static) -> Static:
    """What a test sees of a number that a loop has not changed yet."""
    return Static(value.ident.number, value.type) if isinstance(value.ident, StartsAs) else value


_ARRAYS = (Array, Leaves, Key, Ref)


def _arrays(it: Interpreter, op: str, a: Atom, b: Atom, node: ir.Expr) -> Value:
    """At least one operand is an array: so is the result, unless a tree meets something only Python compares."""
    if (
        op in ("==", "!=")
        and (_never_equal(a) or _never_equal(b))
        and not isinstance(a, Array)
        and not isinstance(b, Array)
    ):
        return STATIC_BOOL
    if op in ("==", "!=") and any(isinstance(x, Static) and x.type == "treedef" for x in (a, b)):
        return STATIC_BOOL  # a structure of trees is neither equal to an array nor unequal
    if op in ("==", "!=") and any(_is_left_to_python(x) for x in (a, b)):
        return constant(op == "!=") if any(map(is_surely_of_jax, (a, b))) else STATIC_BOOL
    arrays = [atom for atom in (a, b) if isinstance(atom, _ARRAYS)]
    levels = [atom.level for atom in arrays]
    level = max(levels)
    if level is not Level.HOST:
        level = max(level, it.frame.ambient)
        it.facts.array_operations += 1
    dtype = "bool" if op in COMPARISONS else shapes.promote((a, b))
    if op == "//" or shapes.is_discrete(dtype):
        level = undifferentiated(level)
    assumed = all(isinstance(atom, Array | Leaves) and atom.assumed for atom in arrays)
    if dtype is None and op in ("&", "|", "^") and "bool" in (shapes.dtype_of(a), shapes.dtype_of(b)):
        dtype, assumed = "bool", True  # masks are combined with masks
    if op == "/" and shapes.dtype_class(dtype) in ("int", "uint", "bool"):
        dtype = "float"
    shape = shapes.matmul(shapes.shape_of(a), shapes.shape_of(b)) if op == "@" else _broadcast(a, b)
    weak = op not in COMPARISONS and shapes.is_weak(a) and shapes.is_weak(b)
    strong = shapes.is_strong_result((a, b), dtype)
    axes = 0 if op == "@" or shape is not None else max(shapes.least_rank(a), shapes.least_rank(b))
    return Array(level, dtype, shape, weak, evidence(it, (a, b)), it.ident(node.at), assumed, strong=strong, axes=axes)


#: Types whose values an array leaves to Python to compare with, as run on JAX 0.4.30 and 0.10.2.
_NOT_COMPARED = frozenset({"NoneType", "str", "bytes", "slice", "ellipsis"})


def _is_left_to_python(atom: Atom) -> bool:
    if isinstance(atom, Qualified):
        return atom.name == "builtins.Ellipsis"
    return isinstance(atom, Static) and atom.type in _NOT_COMPARED


def _broadcast(a: Atom, b: Atom) -> Any:
    return shapes.broadcast((shapes.shape_of(a), shapes.shape_of(b)))


def _never_equal(atom: Atom) -> bool:
    """None and strings: `==` with an array is decided by Python without looking at the array."""
    return isinstance(atom, Tuple | Object) or (isinstance(atom, Static) and atom.type in ("NoneType", "str", "bytes"))


def _statics(op: str, a: Static, b: Static) -> Value:
    if a.known and b.known and op in _FOLD and _is_small(a.value) and _is_small(b.value):
        try:
            return constant(_FOLD[op](a.value, b.value))
        except (TypeError, ValueError, ArithmeticError):
            return STATIC
    if op in COMPARISONS:
        return Static(type=PROCESS_TEST) if PROCESS_INDEX in (a.type, b.type) else STATIC_BOOL
    if a.type == "str" or b.type == "str":
        return STATIC_STR
    if a.type in _NUMBERS and b.type in _NUMBERS:
        if op == "/":
            return Static(type="complex" if "complex" in (a.type, b.type) else "float")
        return Static(type=max(a.type, b.type, key=_NUMBERS.index) if a.type != "bool" or b.type != "bool" else "int")
    return STATIC


_NUMBERS = ("bool", "int", "float", "complex")


def _is_small(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= 200
    return isinstance(value, int | float | complex) and abs(value) < MAX_NUMBER


def _compare_others(a: Atom, b: Atom) -> Value:
    """Comparing what is no array: a bool, unless an operand may be an array after all."""
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        other = b if isinstance(a, Unknown) else a
        if isinstance(other, Static) and other.type in ("str", "NoneType", "bytes", "type", "dtype", JAX_DTYPE):
            return STATIC_BOOL
        reason = a.reason if isinstance(a, Unknown) else b.reason if isinstance(b, Unknown) else None
        return Unknown(None, reason)
    return STATIC_BOOL


def _tuples(op: str, a: Atom, b: Atom) -> Value:
    if op == "+" and isinstance(a, Tuple) and isinstance(b, Tuple):
        return Tuple((*a.elements, *b.elements))
    if op == "*":
        sequence, count = (a, b) if isinstance(a, Tuple) else (b, a)
        if isinstance(sequence, Tuple):
            exact = _repeated(sequence.elements, count)
            return Iterable("tuple", join_all(sequence.elements)) if exact is None else Tuple(exact)
    elements = [part for atom in (a, b) if isinstance(atom, Tuple) for part in atom.elements]
    elements += [atom.element for atom in (a, b) if isinstance(atom, Iterable)]
    if op == "+" and not isinstance(a, Unknown) and not isinstance(b, Unknown):
        return Iterable("tuple", join_all(elements))
    return UNKNOWN


def _lists(it: Interpreter, op: str, a: Atom, b: Atom, node: ir.Expr) -> Value:
    first = it.cell(a) if isinstance(a, Object) else None
    second = it.cell(b) if isinstance(b, Object) else None
    if op == "+" and isinstance(first, ListCell) and isinstance(second, ListCell):
        exact = None
        if first.elements is not None and second.elements is not None:
            exact = _short((*first.elements, *second.elements))
        return it.allocate(ListCell(it.birth(node.at), exact, _joined(first, second)))
    if op == "|" and isinstance(first, DictCell) and isinstance(second, DictCell):
        rests = [cell.rest for cell in (first, second) if cell.rest is not None]
        items = {**first.items, **second.items}
        return it.allocate(DictCell(it.birth(node.at), items, join_all(rests) if rests else None))
    if op in _SET_OPERATORS and (_is_set(a, first) or _is_set(b, second)):
        return it.allocate(SetCell(it.birth(node.at), UNKNOWN))
    cell = first if isinstance(first, ListCell) else second if isinstance(second, ListCell) else None
    if op == "*" and cell is not None:
        exact = _repeated(cell.elements, b if cell is first else a)
        return it.allocate(ListCell(it.birth(node.at), exact, cell.element))
    return it.unknown(f"`{op}` of objects", node.at)


#: Operators that give a set, if an operand is a set or a view of keys.
_SET_OPERATORS: Final = frozenset({"-", "&", "|", "^"})


def _is_set(atom: Atom, cell: object) -> bool:
    return isinstance(cell, SetCell) or (isinstance(atom, Iterable) and atom.kind in ("keys", "items"))


def _repeated(elements: tuple[Value, ...] | None, count: Atom) -> tuple[Value, ...] | None:
    """The elements so many times, where both are known."""
    times = count.value if isinstance(count, Static) else None
    if elements is None or not isinstance(times, int) or times < 0 or times > MAX_ELEMENTS:
        return None
    return _short(elements * times)


def _short(elements: tuple[Value, ...]) -> tuple[Value, ...] | None:
    """The elements, if they are few enough to be told apart."""
    return elements if len(elements) <= MAX_ELEMENTS else None


def _joined(first: ListCell, second: ListCell) -> Value:
    """The element of a concatenation; an empty list adds nothing."""
    if first.elements == ():
        return second.element
    if second.elements == ():
        return first.element
    return join(first.element, second.element)


def unary(it: Interpreter, op: str, value: Value, node: ir.Expr) -> Value:
    """The value of `-x`, `+x` or `~x`."""
    result = join_all([_unary_atom(it, op, atom, node) for atom in atoms_of(value)])
    formulas.noted(it, "neg" if op == "-" else op, (value,), result)
    return result


def _unary_atom(it: Interpreter, op: str, atom: Atom, node: ir.Expr) -> Value:
    match atom:
        case Static(value=int() | float() | complex() as number) if op == "-" and type(number) is not bool:
            return constant(-number)
        case Static():
            return given_out.made_of(it, (atom,), Static(type="int" if atom.type == "bool" else atom.type))
        case Array():
            level = atom.level if atom.level is Level.HOST else max(atom.level, it.frame.ambient)
            return replace(atom, level=level, ident=it.ident(node.at), assumed=False, readonly=False)
        case Leaves() | Key() | Ref():
            if isinstance(atom, Ref):
                references.tell_unread(it, it.operand(atom, _side(node, 0)), node.at, op)
            return Array(max(atom.level, it.frame.ambient), None, None, False, atom.origin, it.ident(node.at))
        case Unknown():
            return Unknown(None, atom.reason)
        case _:
            return UNKNOWN
