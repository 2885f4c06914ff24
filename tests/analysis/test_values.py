"""The lattice: joining is idempotent, does not depend on the order, and covers both sides."""

from __future__ import annotations

import copy
from collections.abc import Hashable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxlint.analysis.domain.lattice import join, join_all
from jaxlint.analysis.domain.state import State, join_states
from jaxlint.analysis.domain.values import (
    MAX_ATOMS,
    NONE,
    STATIC_INT,
    UNDETERMINED,
    UNKNOWN,
    Array,
    Iterable,
    Key,
    Leaves,
    Level,
    Object,
    Qualified,
    Ref,
    Shape,
    Static,
    Tuple,
    Union,
    Unknown,
    Value,
    atoms_of,
    constant,
)

idents = st.sampled_from([None, ("at", 1, 1), ("at", 2, 2)])
levels = st.sampled_from(list(Level))
shapes = st.sampled_from([None, (), (3,), (4,), (3, 4), ("n", None)])
constants = st.sampled_from([None, True, False, 0, 1, 2.0, "a", "b"])
statics = st.one_of(
    st.builds(constant, constants),
    st.builds(Static, st.just(UNDETERMINED), st.sampled_from([None, "int", "str", "bool"]), idents),
)
arrays = st.builds(
    Array,
    levels,
    st.sampled_from([None, "float32", "float64", "int32", "bool"]),
    shapes,
    st.booleans(),
    st.none(),
    idents,
    st.booleans(),
    st.booleans(),
)
leaf = st.one_of(
    statics,
    arrays,
    st.builds(Unknown, idents),
    st.builds(Leaves, levels, st.none(), idents, st.booleans()),
    st.builds(Key, st.sampled_from([("at", 3, 3), ("at", 4, 4)]), levels, shapes),
    st.builds(Object, st.integers(1, 3)),
    st.builds(Qualified, st.sampled_from(["jax", "numpy"])),
    st.builds(Ref, levels),
)
trees = st.recursive(
    leaf,
    lambda inner: st.one_of(
        st.builds(Tuple, st.lists(inner, max_size=3).map(tuple)),
        st.builds(
            Iterable,
            st.sampled_from(["range", "zip", "tuple"]),
            inner,
            st.booleans(),
            st.sampled_from([None, constant(3), constant(5)]),
        ),
    ),
    max_leaves=6,
)
values = st.lists(trees, min_size=1, max_size=3).map(join_all)


def form(value: Value | None) -> Hashable:
    """A value as plain data, the atoms of a union in any order; evidence is no part of it."""
    match value:
        case None:
            return None
        case Union():
            return frozenset(map(form, value.atoms))
        case Static():
            return ("static", repr(value.value), value.type, value.ident)
        case Array():
            known = (value.dtype, value.shape, value.weak, value.ident, value.assumed, value.readonly)
            return ("array", value.level, *known)
        case Unknown():
            return ("unknown", value.ident)
        case Leaves():
            return ("leaves", value.level, value.ident, value.assumed)
        case Key():
            return ("key", value.ident, value.level, value.shape)
        case Tuple():
            return ("tuple", tuple(map(form, value.elements)))
        case Iterable():
            return ("iterable", value.kind, form(value.element), value.once, form(value.length))
        case Object():
            return ("object", value.oid)
        case Qualified():
            return ("qualified", value.name)
        case Ref():
            return ("ref", value.level)
        case _:
            raise AssertionError(value)


def covers(big: Value | None, small: Value | None) -> bool:
    """Whether everything that `small` can be, `big` can be."""
    if big is None or small is None:
        return big is None
    return all(any(covers_atom(b, a) for b in atoms_of(big)) for a in atoms_of(small))


def covers_atom(big: Value, small: Value) -> bool:
    if isinstance(big, Unknown):
        return big.ident is None or (isinstance(small, Unknown) and big.ident == small.ident)
    match big, small:
        case Static(), Static():
            known = big.value is UNDETERMINED or (type(big.value) is type(small.value) and big.value == small.value)
            return known and big.type in (None, small.type) and big.ident in (None, small.ident)
        case Array(), Array():
            return covers_array(big, small)
        case Leaves(), Leaves():
            return big.level is small.level and big.ident in (None, small.ident) and big.assumed >= small.assumed
        case Key(), Key():
            return big.ident == small.ident and big.level >= small.level and covers_shape(big.shape, small.shape)
        case Tuple(), Tuple():
            pairs = zip(big.elements, small.elements, strict=False)
            return len(big.elements) == len(small.elements) and all(covers(b, a) for b, a in pairs)
        case Iterable(kind="tuple"), Tuple():
            return all(covers(big.element, a) for a in small.elements)
        case Iterable(), Iterable():
            once = big.once >= small.once
            return big.kind == small.kind and once and covers(big.element, small.element) and covers_length(big, small)
        case _:
            return form(big) == form(small)


def covers_array(big: Array, small: Array) -> bool:
    dtype = big.dtype is None or (small.dtype or "").startswith(big.dtype)
    shape = covers_shape(big.shape, small.shape)
    promises = big.weak <= small.weak and big.readonly <= small.readonly and big.assumed >= small.assumed
    return big.level is small.level and dtype and shape and promises and big.ident in (None, small.ident)


def covers_shape(big: Shape, small: Shape) -> bool:
    if big is None or small is None:
        return big is None
    return len(big) == len(small) and all(b in (None, a) for b, a in zip(big, small, strict=True))


def covers_length(big: Iterable, small: Iterable) -> bool:
    return big.length is None or (small.length is not None and covers(big.length, small.length))


@given(values)
def test_joining_a_value_with_itself_changes_nothing(value: Value) -> None:
    assert join(value, value) is value
    assert form(join(value, copy.deepcopy(value))) == form(value)


@given(values, values)
def test_the_order_does_not_matter(a: Value, b: Value) -> None:
    assert form(join(a, b)) == form(join(b, a))


@given(values, values)
def test_the_join_covers_both(a: Value, b: Value) -> None:
    joined = join(a, b)
    assert covers(joined, a)
    assert covers(joined, b)


@given(values, values)
def test_joining_again_says_nothing_new(a: Value, b: Value) -> None:
    joined = join(a, b)
    for side in (a, b):
        again = join(joined, side)
        assert covers(again, joined)
        assert covers(joined, again)


@given(st.lists(trees, min_size=1, max_size=8))
def test_a_union_is_small_and_flat(parts: list[Value]) -> None:
    atoms = atoms_of(join_all(parts))
    assert 1 <= len(atoms) <= MAX_ATOMS
    assert not any(isinstance(atom, Union) for atom in atoms)


def test_too_many_kinds_are_unknown() -> None:
    kinds = [NONE, STATIC_INT, Qualified("jax"), Qualified("numpy"), Object(1)]
    assert len(kinds) == MAX_ATOMS + 1
    assert join_all(kinds) is UNKNOWN


def test_none_stays_apart_so_that_a_test_can_narrow() -> None:
    assert len(atoms_of(join(NONE, constant(3)))) == 2


@pytest.mark.parametrize(
    ("a", "b", "dtype"),
    [("float32", "float64", "float"), ("float32", "float32", "float32"), ("int32", "float32", None)],
)
def test_dtypes_join_to_their_class(a: str, b: str, dtype: str | None) -> None:
    joined = join(Array(Level.TRACED, a), Array(Level.TRACED, b))
    assert isinstance(joined, Array)
    assert joined.dtype == dtype


@given(st.dictionaries(st.sampled_from("xyz"), values), st.dictionaries(st.sampled_from("xyz"), values))
def test_states_join_name_by_name(a: dict[str, Value], b: dict[str, Value]) -> None:
    joined = join_states(State(a, {}, {}), State(b, {}, {}))
    assert joined is not None
    assert joined.env.keys() == a.keys() | b.keys()
    assert all(covers(joined.env[name], side[name]) for side in (a, b) for name in side)


@given(st.dictionaries(st.sampled_from("xyz"), values))
def test_a_path_that_does_not_arrive_adds_nothing(env: dict[str, Value]) -> None:
    state = State(env, {}, {})
    assert join_states(state, None) is state
    assert join_states(None, state) is state
