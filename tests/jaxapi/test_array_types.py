"""What the tables say of shapes and dtypes is what JAX gives, for arrays that are no square and not all alike."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import itertools
from types import SimpleNamespace
from typing import Any

import pytest

from jaxlint.analysis.domain.shapes import dtype_class
from jaxlint.analysis.domain.values import Arguments, Array, Level, Static
from jaxlint.analysis.jax import array_types
from jaxlint.jaxapi.api import Api
from jaxlint.jaxapi.rows import FunctionRow

jax = pytest.importorskip("jax")
pytestmark = pytest.mark.jax

API = Api.load(jax.__version__)
#: All that plain terms ask of the interpreter.
ASKED: Any = SimpleNamespace(api=API)
MODULES = (
    "jax.numpy", "jax.lax", "jax.nn", "optax", "jax.numpy.linalg", "jax.numpy.fft", "jax.lax.linalg",
    "jax.scipy.linalg", "jax.scipy.special", "jax.scipy.integrate", "jax.scipy.signal",
)  # fmt: skip
#: Shapes that need nothing but the arguments themselves.
PLAIN = (
    "elementwise", "like", "rank", "reduce", "scalar", "along", "sorted", "flat", "squeeze", "transpose", "turn",
    "product", "dot", "matrix", "matrices", "drop",
)  # fmt: skip
SHAPES = ((), (3,), (2, 3), (5, 2, 3), (2, 4, 4))
DTYPES = ("float32", "int32", "bool")
#: Functions of several meanings: the tables hold that for arrays of numbers.
SPECIAL = ("jax.numpy.piecewise", "jax.numpy.astype")


def rows() -> list[FunctionRow]:
    found = [row for row in map(API.function, sorted(set(API.names()))) if row is not None]
    return [row for row in found if row.name.rpartition(".")[0] in MODULES and row.shape.head in PLAIN]


def arrays_of(function: Any) -> int:
    """How many arrays a call needs."""
    parameters = inspect.signature(function).parameters.values()
    needed = [p for p in parameters if p.default is p.empty and p.kind <= p.POSITIONAL_OR_KEYWORD]
    return len(needed) or 2


@pytest.mark.parametrize("row", [row for row in rows() if row.name not in SPECIAL], ids=lambda row: row.name)
def test_tables_predict_shapes_and_dtypes(row: FunctionRow) -> None:
    module, _, name = row.name.rpartition(".")
    if importlib.util.find_spec(module.partition(".")[0]) is None:
        pytest.skip(f"needs {module}")
    function = getattr(importlib.import_module(module), name, None)
    if function is None:
        pytest.skip("not in this release")
    count = arrays_of(function)
    if count > 3:
        pytest.skip("takes more arrays than are tried")
    tried = SHAPES if count < 3 else SHAPES[:4]
    for shapes, dtype in itertools.product(itertools.product(tried, repeat=count), DTYPES):
        given = [jax.ShapeDtypeStruct(shape, dtype) for shape in shapes]
        try:
            result = jax.eval_shape(function, *given)
        except Exception:
            continue  # it takes no such arrays
        if not hasattr(result, "shape"):
            continue
        arguments = Arguments([Array(Level.CONCRETE, dtype, shape) for shape in shapes])
        predicted = array_types.shape(ASKED, row, arguments)
        assert predicted is None or _covers(predicted, result.shape), (shapes, predicted, result.shape)
        kind = array_types.dtype(ASKED, row, arguments)
        assert kind is None or dtype_class(kind) == dtype_class(str(result.dtype)), (dtype, kind, result.dtype)


@pytest.mark.parametrize("name", ["ceil", "floor", "trunc"])
@pytest.mark.parametrize(("release", "dtype"), [("0.4.30", "float"), ("0.4.31", "int32"), (None, "int32")])
def test_rounding_keeps_integers_from_a_release_on(name: str, release: str | None, dtype: str) -> None:
    row = Api.load(release).function(f"jax.numpy.{name}")
    assert row is not None
    assert array_types.dtype(ASKED, row, Arguments([Array(Level.CONCRETE, "int32", (3,))])) == dtype


@pytest.mark.parametrize(("given", "asked"), [("float32", "int32"), ("float32", "uint8"), ("uint8", "float32")])
def test_a_bitcast_has_the_dtype_that_is_asked_for(given: str, asked: str) -> None:
    row = API.function("jax.lax.bitcast_convert_type")
    assert row is not None
    result = jax.eval_shape(lambda x: jax.lax.bitcast_convert_type(x, asked), jax.ShapeDtypeStruct((2, 4), given))
    arguments = Arguments([Array(Level.CONCRETE, given, (2, 4)), Static(asked, "str")])
    assert array_types.dtype(ASKED, row, arguments) == result.dtype == asked
    assert array_types.shape(ASKED, row, arguments) in (None, result.shape)


def _covers(predicted: tuple[Any, ...], shape: tuple[int, ...]) -> bool:
    return len(predicted) == len(shape) and all(p in (None, s) for p, s in zip(predicted, shape, strict=True))
