"""Shapes and dtypes of operations, against NumPy's own answers and JAX's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.values import STATIC_INT, Array, Level, Static, Tuple, Value, constant

dims = st.integers(0, 4)
known = st.lists(dims, max_size=4).map(tuple)


def array(dtype: str | None = None, shape: Any = None, *, weak: bool = False) -> Array:
    return Array(Level.CONCRETE, dtype, shape, weak)


def numpy_says(operation: Any) -> tuple[int, ...] | None:
    """The shape of a result, None where NumPy refuses."""
    try:
        return np.shape(operation())
    except ValueError:
        return None


@given(st.lists(known, min_size=1, max_size=3))
def test_broadcasting_is_numpys(operands: list[tuple[int, ...]]) -> None:
    expected = numpy_says(lambda: np.empty(np.broadcast_shapes(*operands)))
    assume(expected is not None)
    assert shapes.broadcast(operands) == expected


@given(known, known)
def test_an_unknown_dimension_is_never_told(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    hidden = tuple(None for _ in a)
    result = shapes.broadcast([hidden, b])
    expected = numpy_says(lambda: np.empty(np.broadcast_shapes(a, b)))
    assume(expected is not None and result is not None)
    assert result is not None
    assert expected is not None
    assert len(result) == len(expected)
    assert all(mine in (None, true) for mine, true in zip(result, expected, strict=True))


@given(
    known, st.one_of(st.none(), st.integers(-5, 5), st.lists(st.integers(-3, 3), max_size=2).map(tuple)), st.booleans()
)
def test_reductions_are_numpys(shape: tuple[int, ...], axis: Any, keepdims: bool) -> None:
    expected = numpy_says(lambda: np.sum(np.empty(shape), axis=axis, keepdims=keepdims))
    assume(expected is not None)
    told = shapes.reduced(shape, axis, keepdims)
    assert told == expected or (shape == () and told is None)  # NumPy lets a scalar have an axis


@given(known, known)
def test_matrix_products_are_numpys(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    expected = numpy_says(lambda: np.empty(a) @ np.empty(b))
    assert expected is None or shapes.matmul(a, b) in (expected, None)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (constant(3), (3,)),
        (Tuple((constant(2), constant(3))), (2, 3)),
        (Tuple(()), ()),
        (Tuple((constant(2), STATIC_INT)), (2, None)),
        (STATIC_INT, (None,)),
        (constant(True), None),
        (constant("x"), None),
    ],
)
def test_shapes_given_by_the_program(value: Value, expected: Any) -> None:
    assert shapes.given_shape(value) == expected


ARRAYS = ("bool", "uint8", "uint32", "int8", "int32", "bfloat16", "float16", "float32", "complex64")
SCALARS = (True, 2, 1.5, 1j)


@pytest.mark.jax
@pytest.mark.parametrize("a", [*ARRAYS, *SCALARS])
@pytest.mark.parametrize("b", ARRAYS)
def test_promotion_is_jaxs(a: Any, b: str) -> None:
    """What is told is the dtype that JAX gives, or the class of names it belongs to."""
    import jax.numpy as jnp

    def value(x: Any) -> Value:
        return array(x) if isinstance(x, str) else Static(x, type(x).__name__)

    expected = jnp.result_type(jnp.dtype(a) if isinstance(a, str) else a, jnp.dtype(b)).name
    told = shapes.promote([value(a), value(b)])
    assert told in (None, expected, shapes.dtype_class(expected))


def test_promotion_of_what_is_unknown_is_unknown() -> None:
    assert shapes.promote([array("float32"), array()]) is None
    assert shapes.promote([array("float32"), array("float32", weak=True)]) == "float32"
