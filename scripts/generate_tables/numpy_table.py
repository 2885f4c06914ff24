"""numpy_dispatch.tsv: what NumPy, the standard library and builtins do with a value that JAX is tracing."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from measure import attempt

HEADER = ("name", "jit", "grad", "returns", "ran")

X = jnp.linspace(0.1, 0.9, 4, dtype=jnp.float32)
M = jnp.eye(2, dtype=jnp.float32) * 2 + 0.1
S = jnp.float32(0.5) + jnp.zeros(())

MODULES = (
    "numpy", "numpy.linalg", "numpy.fft", "numpy.random", "numpy.testing", "math", "cmath", "operator", "statistics",
    "scipy.special", "scipy.linalg", "scipy.stats", "scipy.fft", "scipy.signal", "scipy.ndimage", "scipy.integrate",
)  # fmt: skip

#: Of these modules only what people call on arrays.
ONLY = {
    "scipy.stats": {"zscore", "rankdata", "skew", "kurtosis", "entropy", "pearsonr", "spearmanr", "mode", "sem"},
    "scipy.signal": {"convolve", "fftconvolve", "correlate", "convolve2d", "detrend", "hilbert", "lfilter", "medfilt"},
    "scipy.ndimage": {"gaussian_filter", "convolve", "rotate", "zoom", "shift", "label", "uniform_filter"},
    "scipy.integrate": {"trapezoid", "simpson", "cumulative_trapezoid"},
    "statistics": {"mean", "fmean", "median", "stdev", "variance", "pstdev"},
}

#: These write files, change settings, or take no value at all.
SKIPPED = frozenset(
    [
        "save",
        "savez",
        "savez_compressed",
        "savetxt",
        "load",
        "loadtxt",
        "genfromtxt",
        "fromfile",
        "memmap",
        "set_printoptions",
        "get_printoptions",
        "printoptions",
        "seterr",
        "geterr",
        "errstate",
        "setbufsize",
        "getbufsize",
        "seterrcall",
        "geterrcall",
        "show_config",
        "show_runtime",
        "info",
        "test",
        "get_include",
        "set_numeric_ops",
        "ndenumerate",
        "nditer",
        "nested_iters",
        "broadcast",
        "busdaycalendar",
        "format_parser",
        "main",
        "deprecate",
        "finfo",
        "iinfo",
        "dtype",
        "vectorize",
        "poly1d",
        "matrix",
        "recarray",
        "record",
        "chararray",
        "ndindex",
        "require",
        "busday_count",
        "busday_offset",
        "is_busday",
        "lookfor",
        "mintypecode",
        "getrlock",
        "set_workers",
        "get_workers",
        "get_bit_generator",
        "set_bit_generator",
        "get_state",
        "set_state",
    ]
)

#: Calls of which the first argument is not the only one that counts; `v` is the value under test.
CALLS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "numpy.where": lambda f, v, _: f(v > 0.5, v, v),
    "numpy.zeros": lambda f, _, s: f((s,)),
    "numpy.ones": lambda f, _, s: f((s,)),
    "numpy.empty": lambda f, _, s: f((s,)),
    "numpy.full": lambda f, _, s: f((2,), s),
    "numpy.eye": lambda f, _, s: f(s),
    "numpy.identity": lambda f, _, s: f(s),
    "numpy.tri": lambda f, _, s: f(s),
    "numpy.arange": lambda f, _, s: f(s),
    "numpy.linspace": lambda f, _, s: f(0.0, s, 3),
    "numpy.concatenate": lambda f, v, _: f([v, v]),
    "numpy.concat": lambda f, v, _: f([v, v]),
    "numpy.stack": lambda f, v, _: f([v, v]),
    "numpy.vstack": lambda f, v, _: f([v, v]),
    "numpy.hstack": lambda f, v, _: f([v, v]),
    "numpy.dstack": lambda f, v, _: f([v, v]),
    "numpy.column_stack": lambda f, v, _: f([v, v]),
    "numpy.block": lambda f, v, _: f([v, v]),
    "numpy.reshape": lambda f, v, _: f(v, (2, 2)),
    "numpy.clip": lambda f, v, _: f(v, 0.0, 0.5),
    "numpy.take": lambda f, v, _: f(v, 0),
    "numpy.repeat": lambda f, v, _: f(v, 2),
    "numpy.tile": lambda f, v, _: f(v, 2),
    "numpy.roll": lambda f, v, _: f(v, 1),
    "numpy.expand_dims": lambda f, v, _: f(v, 0),
    "numpy.moveaxis": lambda f, v, _: f(v, 0, 0),
    "numpy.swapaxes": lambda f, v, _: f(v, 0, 0),
    "numpy.split": lambda f, v, _: f(v, 2),
    "numpy.array_split": lambda f, v, _: f(v, 2),
    "numpy.percentile": lambda f, v, _: f(v, 50),
    "numpy.quantile": lambda f, v, _: f(v, 0.5),
    "numpy.searchsorted": lambda f, v, _: f(v, 0.5),
    "numpy.einsum": lambda f, v, _: f("i->", v),
    "numpy.pad": lambda f, v, _: f(v, 1),
    "numpy.compress": lambda f, v, _: f(v > 0.5, v),
    "numpy.extract": lambda f, v, _: f(v > 0.5, v),
    "numpy.select": lambda f, v, _: f([v > 0.5], [v]),
    "numpy.piecewise": lambda f, v, _: f(v, [v > 0.5], [1.0]),
    "numpy.interp": lambda f, v, _: f(v, v, v),
    "numpy.apply_along_axis": lambda f, v, _: f(np.sum, 0, v),
    "numpy.full_like": lambda f, v, _: f(v, 1.0),
    "numpy.tensordot": lambda f, v, _: f(v, v, 1),
    "numpy.isdtype": lambda f, v, _: f(v.dtype, "real floating"),
    "numpy.issubdtype": lambda f, v, _: f(v.dtype, np.floating),
    "numpy.broadcast_to": lambda f, v, _: f(v, (2, 4)),
    "numpy.take_along_axis": lambda f, v, _: f(v, np.array([0]), 0),
    "numpy.ravel_multi_index": lambda f, v, _: f((v.astype(int),), (4,)),
    "numpy.unravel_index": lambda f, v, _: f(v.astype(int), (4,)),
    "numpy.bincount": lambda f, v, _: f(v.astype(int)),
    "numpy.digitize": lambda f, v, _: f(v, np.array([0.5])),
    "numpy.histogram": lambda f, v, _: f(v, bins=2),
    "numpy.delete": lambda f, v, _: f(v, 0),
    "numpy.insert": lambda f, v, _: f(v, 0, 1.0),
    "numpy.squeeze": lambda f, v, _: f(v),
    "numpy.copyto": lambda f, v, _: f(np.zeros(4, np.float32), v),
    "numpy.fromiter": lambda f, v, _: f(v, float),
    "numpy.put": lambda f, v, _: f(v, 0, 1.0),
    "numpy.place": lambda f, v, _: f(v, v > 0.5, 1.0),
    "numpy.fill_diagonal": lambda f, v, _: f(v.reshape(2, 2), 1.0),
    "operator.getitem": lambda f, v, _: f(v, 0),
    "operator.setitem": lambda f, v, _: f(v, 0, 1.0),
    "operator.index": lambda f, _, s: f(s.astype(int)),
    "operator.contains": lambda f, v, s: f(v, s),
    "numpy.random.seed": lambda f, _, s: f((s * 4).astype(int)),
    "numpy.random.shuffle": lambda f, v, _: f(v),
    "numpy.random.multinomial": lambda f, v, _: f(3, v / 8),
    "numpy.random.multivariate_normal": lambda f, v, _: f(v, np.eye(4)),
    "numpy.random.randint": lambda f, _, s: f(0, 9 + s),
    "numpy.random.random_integers": lambda f, _, s: f(1, 9 + s),
    "numpy.random.triangular": lambda f, v, _: f(v, 2.0, 3.0),
    "scipy.linalg.solve": lambda f, v, _: f(v.reshape(2, 2), v.reshape(2, 2)),
}

#: Builtins, with the call to make: `v` a vector, `s` a scalar.
BUILTINS: dict[str, Callable[[Any, Any], Any]] = {
    "float": lambda _, s: float(s),
    "int": lambda _, s: int(s),
    "bool": lambda _, s: bool(s),
    "complex": lambda _, s: complex(s),
    "abs": lambda v, _: abs(v),
    "round": lambda v, _: round(v),
    "sum": lambda v, _: sum(v),
    "min": lambda v, _: min(v),
    "max": lambda v, _: max(v),
    "sorted": lambda v, _: sorted(v),
    "any": lambda v, _: any(v),
    "all": lambda v, _: all(v),
    "len": lambda v, _: len(v),
    "list": lambda v, _: list(v),
    "tuple": lambda v, _: tuple(v),
    "set": lambda v, _: set(v),
    "frozenset": lambda v, _: frozenset(v),
    "dict": lambda v, _: {"a": v},
    "str": lambda v, _: str(v),
    "repr": lambda v, _: repr(v),
    "format": lambda _, s: format(s, ".2f"),
    "ascii": lambda v, _: ascii(v),
    "hash": lambda v, _: hash(v),
    "range": lambda _, s: range(s.astype(int)),
    "enumerate": lambda v, _: list(enumerate(v)),
    "zip": lambda v, _: list(zip(v, v, strict=True)),
    "divmod": lambda v, _: divmod(v, 2),
    "pow": lambda v, _: pow(v, 2),
    "isinstance": lambda v, _: isinstance(v, jax.Array),
    "iter": lambda v, _: iter(v),
    "next": lambda v, _: next(iter(v)),
    "map": lambda v, _: list(map(abs, v)),
    "filter": lambda v, _: list(filter(lambda e: e > 0, v)),
    "reversed": lambda v, _: list(reversed(v)),
    "id": lambda v, _: id(v),
    "type": lambda v, _: type(v),
    "print": lambda v, _: print(v, file=_SINK),
    "hex": lambda _, s: hex(s.astype(int)),
    "bin": lambda _, s: bin(s.astype(int)),
    "oct": lambda _, s: oct(s.astype(int)),
    "chr": lambda _, s: chr(s.astype(int)),
    "slice": lambda _, s: slice(s),
    "callable": lambda v, _: callable(v),
    "hasattr": lambda v, _: hasattr(v, "shape"),
    "getattr": lambda v, _: v.T,
    "vars": lambda v, _: vars(v),
    "dir": lambda v, _: dir(v),
    "issubclass": lambda v, _: issubclass(type(v), jax.Array),
    "bytes": lambda v, _: bytes(v),
    "bytearray": lambda v, _: bytearray(v),  # jaxlint: ignore[numpy-on-tracer] -- whether it raises is measured
    "memoryview": lambda v, _: memoryview(v),  # jaxlint: ignore[numpy-on-tracer] -- whether it raises is measured
}


class _Sink:
    """Where `print` writes while it is measured."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        return None


_SINK = _Sink()


def rows() -> Iterator[tuple[str, ...]]:
    """One row per function that can be called on an array."""
    for name, call in BUILTINS.items():
        yield measured(f"builtins.{name}", call)
    for qualname, function in functions():
        explicit = CALLS.get(qualname)
        if explicit is not None:
            yield measured(qualname, lambda v, s, call=explicit, f=function: call(f, v, s))
            continue
        call = working_call(function)
        if call is not None:
            yield measured(qualname, call)


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Public functions, ufuncs and scalar types, each under each of its names."""
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        for name in sorted(dir(module)):
            value = getattr(module, name, None)
            if name.startswith("_") or name in SKIPPED or not callable(value) or inspect.ismodule(value):
                continue
            if inspect.isclass(value) and not (issubclass(value, np.generic) or module_name == "builtins"):
                continue
            if module_name in ONLY and name not in ONLY[module_name]:
                continue
            if issubclass(type(value), type) and issubclass(value, np.flexible):
                continue
            yield f"{module_name}.{name}", value


#: How to pass one value to a function that was not told of: v is a vector, m a matrix, s a scalar.
SHAPES: tuple[tuple[str, Callable[[Callable[..., Any], Any], Any]], ...] = (
    ("v", lambda f, v: f(v)),
    ("s", lambda f, s: f(s)),
    ("m", lambda f, m: f(m)),
    ("v", lambda f, v: f(v, v)),
    ("m", lambda f, m: f(m, m)),
    ("s", lambda f, s: f(s, s)),
    ("i", lambda f, i: f(i)),
    ("i", lambda f, i: f(i, i)),
    ("n", lambda f, n: f(n)),
    ("n", lambda f, n: f(n, n)),
    ("v", lambda f, v: f(v, 1)),
    ("l", lambda f, v: f([v, v])),
    ("v", lambda f, v: f(v, v, v)),
    ("v", lambda f, v: f(2, v)),
    ("s", lambda f, s: f(s, s, s)),
    ("s", lambda f, s: f(s, 1)),
)


def variants(v: Any, s: Any) -> dict[str, Any]:
    """The values by letter, made from a vector of four and a scalar."""
    return {"v": v, "s": s, "m": v.reshape(2, 2), "i": (v * 4).astype(int), "n": (s * 4).astype(int), "l": v}


def working_call(function: Callable[..., Any]) -> Callable[[Any, Any], Any] | None:
    """A way to call the function that NumPy itself accepts."""
    plain = variants(np.asarray(X), np.float32(0.5))
    for letter, shape in SHAPES:
        if attempt(lambda letter=letter, shape=shape: shape(function, plain[letter]))[0]:
            return lambda v, s, letter=letter, shape=shape: shape(function, variants(v, s)[letter])
    return None


def measured(qualname: str, call: Callable[[Any, Any], Any]) -> tuple[str, ...]:
    """Run one call under jit, and under grad alone."""
    seen: list[Any] = []

    def traced(v: Any, s: Any) -> Any:
        seen.append(call(v, s))
        return v.sum()

    under_jit, error = attempt(lambda: jax.eval_shape(traced, X, S))
    under_grad, grad_error = attempt(lambda: jax.grad(lambda v: traced(v, v[0]))(X))
    returns = kind_of(seen[0]) if under_jit and seen else "unknown"
    return (
        qualname,
        "works" if under_jit else type(error).__name__,
        "works" if under_grad else type(grad_error).__name__,
        returns,
        "yes",
    )


def kind_of(value: Any) -> str:
    """The `returns` term of a value seen under a trace."""
    if isinstance(value, jax.Array):
        return "array"
    if value is None:
        return "none"
    if isinstance(value, (tuple, list)) and value:
        kinds = [kind_of(item) for item in value]
        if isinstance(value, list):
            return f"list({kinds[0]})" if len(set(kinds)) == 1 else "unknown"
        return "static" if set(kinds) == {"static"} else f"tuple({','.join(kinds)})" if len(kinds) <= 6 else "unknown"
    return "host" if isinstance(value, (np.ndarray, np.generic)) else "static"
