"""The lattice of abstract values: the least value that covers others, and which atoms merge into one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.values import (
    MAX_ATOMS,
    UNDETERMINED,
    UNKNOWN,
    Array,
    Atom,
    BoundMethod,
    ClassValue,
    FunctionValue,
    Iterable,
    Key,
    Leaves,
    Made,
    Member,
    Object,
    Qualified,
    Ref,
    Shape,
    Static,
    Tuple,
    Union,
    Unknown,
    Update,
    Value,
    atoms_of,
)

#: How many functions or classes a value may be one of: those that a registry holds.
MAX_CODE = 8
_CODE = (BoundMethod, ClassValue, FunctionValue, Object, Qualified)


def join(a: Value, b: Value) -> Value:
    """The least value that covers both. The very same object comes back where nothing changes."""
    if a is b:
        return a
    if not isinstance(a, Union) and not isinstance(b, Union):
        merged = _merge(a, b)
        if merged is not None:
            return merged
    return union((*atoms_of(a), *atoms_of(b)))


def join_all(values: Iterator[Value] | Sequence[Value]) -> Value:
    """The join of any number of values; Unknown for none."""
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
    return UNKNOWN if result is None else result


def union(atoms: tuple[Atom, ...]) -> Value:
    """A value that is one of these atoms; atoms that merge are merged."""
    kept: list[Atom] = []
    for atom in atoms:
        for i, other in enumerate(kept):
            merged = atom if other is atom else _merge(other, atom)
            if merged is not None:
                kept[i] = merged
                break
        else:
            kept.append(atom)
    if len(kept) == 1:
        return kept[0]
    if len(kept) > MAX_ATOMS and (len(kept) > MAX_CODE or not all(isinstance(atom, _CODE) for atom in kept)):
        return UNKNOWN
    return Union(tuple(kept))


def _merge(a: Atom, b: Atom) -> Atom | None:
    """One atom for both, or None where they must stay apart."""
    kind = a.__class__
    if kind is not b.__class__:
        if isinstance(a, Iterable) and isinstance(b, Tuple):
            return _absorb(a, b)
        return _absorb(b, a) if isinstance(a, Tuple) and isinstance(b, Iterable) else None
    merge = _MERGERS.get(kind)
    return None if merge is None else merge(a, b)


def _merge_unknown(a: Unknown, b: Unknown) -> Unknown:
    if a.ident is not None and a.ident == b.ident:
        return a
    return a if a.ident is None else Unknown(None, a.reason or b.reason)


def _merge_made(a: Made, b: Made) -> Unknown:
    if a.cls != b.cls:
        return _merge_unknown(a, b)
    ident = a.ident if a.ident == b.ident else None
    level, options = max(a.level, b.level), a.options if a.options == b.options else frozenset()
    declared = a.declared or b.declared
    if (ident, level, options, declared) == (a.ident, a.level, a.options, a.declared):
        return a
    return Made(ident, a.reason, a.cls, level, a.origin or b.origin, options, declared)


def _merge_static(a: Static, b: Static) -> Static | None:
    same_type = a.type == b.type
    same = a.value is b.value or (same_type and _equal(a.value, b.value))
    if same and same_type and a.ident == b.ident:
        return a
    if (a.value is None) != (b.value is None):
        return None  # None stays apart, so that `is None` can narrow
    kind = a.type if same_type else "dtype" if {a.type, b.type} == {"dtype", shapes.JAX_DTYPE} else None
    return Static(a.value if same else UNDETERMINED, kind)


def _equal(a: object, b: object) -> bool:
    try:
        return bool(a == b)
    except Exception:  # comparing arbitrary constants must never end the analysis
        return False


def _merge_array(a: Array, b: Array) -> Array | None:
    if a.level is not b.level:
        return None
    dtype = a.dtype if a.dtype == b.dtype else join_dtype(a.dtype, b.dtype)
    shape = a.shape if a.shape == b.shape else _join_shape(a.shape, b.shape)
    ident = a.ident if a.ident == b.ident else None
    weak, assumed, readonly = a.weak and b.weak, a.assumed or b.assumed, a.readonly and b.readonly
    strong = a.strong and b.strong
    axes = min(shapes.least_rank(a), shapes.least_rank(b)) if shape is None else 0
    if (dtype, shape, ident, weak, assumed, readonly, strong, axes) == (
        a.dtype, a.shape, a.ident, a.weak, a.assumed, a.readonly, a.strong, a.axes,
    ):  # fmt: skip
        return a
    return Array(a.level, dtype, shape, weak, a.origin or b.origin, ident, assumed, readonly, strong, axes)


def join_dtype(a: str | None, b: str | None) -> str | None:
    """The class of names that two dtypes share, or None."""
    if a is None or b is None:
        return None
    first, second = a.rstrip("0123456789"), b.rstrip("0123456789")
    return first if first == second else None


def _join_shape(a: Shape, b: Shape) -> Shape:
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(x if x == y else None for x, y in zip(a, b))


def _merge_leaves(a: Leaves, b: Leaves) -> Leaves | None:
    if a.level is not b.level:
        return None
    if a.ident == b.ident and a.assumed >= b.assumed and a.element >= b.element:
        return a
    ident = a.ident if a.ident == b.ident else None
    return Leaves(a.level, a.origin or b.origin, ident, a.assumed or b.assumed, a.element or b.element)


def _merge_key(a: Key, b: Key) -> Key | None:
    if a.ident != b.ident:
        return None
    shape = a.shape if a.shape == b.shape else _join_shape(a.shape, b.shape)
    level, typed = max(a.level, b.level), a.typed and b.typed
    if (shape, level, typed) == (a.shape, a.level, a.typed):
        return a
    return Key(a.ident, level, shape, a.origin or b.origin, typed)


def _merge_tuple(a: Tuple, b: Tuple) -> Atom | None:
    if a.cls is not b.cls:
        return None
    if len(a.elements) == len(b.elements) and a.names == b.names:
        joined = tuple(map(join, a.elements, b.elements))
        if all(x is y for x, y in zip(joined, a.elements)):
            return a
        return Tuple(joined, a.names, a.cls)
    return Iterable("tuple", join_all([*a.elements, *b.elements]))


def _absorb(many: Iterable, one: Tuple) -> Iterable | None:
    """A tuple of unknown length covers one whose elements are known."""
    if many.kind != "tuple" or one.cls is not None:
        return None
    element = join_all([many.element, *one.elements])
    return many if element is many.element else replace(many, element=element)


def _merge_iterable(a: Iterable, b: Iterable) -> Iterable | None:
    if a.kind != b.kind:
        return None
    element = join(a.element, b.element)
    length = None if a.length is None or b.length is None else join(a.length, b.length)
    once = a.once or b.once
    if element is a.element and length is a.length and once is a.once:
        return a
    return replace(a, element=element, length=length, once=once)


def _merge_object(a: Object, b: Object) -> Object | None:
    return a if a.oid == b.oid else None


def _merge_function(a: FunctionValue, b: FunctionValue) -> FunctionValue | None:
    return a if a.function is b.function and a.closure is b.closure else None


def _merge_named(a: Qualified, b: Qualified) -> Qualified | None:
    return a if a.name == b.name and a.parts == b.parts else None


def _merge_bound(a: BoundMethod, b: BoundMethod) -> BoundMethod | None:
    function = join(a.function, b.function)
    receiver = join(a.receiver, b.receiver)
    if function is a.function and receiver is a.receiver:
        return a
    return None if function.__class__ is Union else BoundMethod(function, receiver)


def _merge_member(a: Member, b: Member) -> Member | None:
    return Member(join(a.receiver, b.receiver), a.name) if a.name == b.name else None


def _merge_ref(a: Ref, b: Ref) -> Ref | None:
    return a if a.level is b.level and a.kernel is b.kernel else None


def _merge_update(a: Update, b: Update) -> Update | None:
    return Update(join(a.array, b.array), a.indexed) if a.indexed == b.indexed else None


_MERGERS: dict[type, Callable[[Any, Any], Atom | None]] = {
    Unknown: _merge_unknown,
    Made: _merge_made,
    Static: _merge_static,
    Array: _merge_array,
    Leaves: _merge_leaves,
    Key: _merge_key,
    Tuple: _merge_tuple,
    Iterable: _merge_iterable,
    Object: _merge_object,
    FunctionValue: _merge_function,
    Qualified: _merge_named,
    BoundMethod: _merge_bound,
    Member: _merge_member,
    Ref: _merge_ref,
    Update: _merge_update,
}
