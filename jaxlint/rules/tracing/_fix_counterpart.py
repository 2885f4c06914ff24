"""Functions of NumPy, SciPy and `math` as those of JAX that mean the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of, qualified_name
from jaxlint.jaxapi import Api
from jaxlint.syntax import ir

#: What `math` calls by another name.
_RENAMED: Final = {
    "math.fabs": "jax.numpy.abs", "math.gamma": "jax.scipy.special.gamma", "math.lgamma": "jax.scipy.special.gammaln",
    "math.erf": "jax.scipy.special.erf", "math.erfc": "jax.scipy.special.erfc",
    "numpy.asanyarray": "jax.numpy.asarray", "numpy.ascontiguousarray": "jax.numpy.asarray",
}  # fmt: skip
#: Of the same name, but with a shape that depends on data, with an effect, or with another result.
_DIFFERENT: Final = frozenset(
    [
        "apply_along_axis",
        "apply_over_axes",
        "array_repr",
        "array_str",
        "argwhere",
        "bincount",
        "compress",
        "delete",
        "extract",
        "fill_diagonal",
        "flatnonzero",
        "frexp",
        "from_dlpack",
        "frombuffer",
        "fromiter",
        "fromfunction",
        "fsum",
        "intersect1d",
        "iscomplexobj",
        "isdtype",
        "isrealobj",
        "isscalar",
        "issubdtype",
        "iterable",
        "ldexp",
        "modf",
        "ndim",
        "nonzero",
        "place",
        "poly",
        "prod",
        "put",
        "repeat",
        "resize",
        "roots",
        "setdiff1d",
        "setxor1d",
        "shape",
        "size",
        "trim_zeros",
        "union1d",
        "unique",
        "unique_all",
        "unique_counts",
        "unique_inverse",
        "unique_values",
        "vectorize",
    ]
)
#: Options that JAX refuses, or for which it has no use.
_REFUSED: Final = frozenset({"out", "casting", "subok", "order", "like", "extobj", "signature"})
#: Functions whose first argument is a sequence of arrays, a shape or a dtype: lists are right there.
_TAKES_SEQUENCE: Final = frozenset(
    [
        "array",
        "asarray",
        "asanyarray",
        "ascontiguousarray",
        "stack",
        "concatenate",
        "concat",
        "hstack",
        "vstack",
        "dstack",
        "column_stack",
        "row_stack",
        "block",
        "zeros",
        "ones",
        "empty",
        "full",
        "multi_dot",
        "select",
        "einsum",
        "ravel_multi_index",
        "block_diag",
        "histogramdd",
    ]
)

#: Functions whose later arguments are arrays as well, not axes or shapes.
_TAKES_ARRAYS: Final = frozenset(
    [
        "add",
        "subtract",
        "multiply",
        "divide",
        "true_divide",
        "floor_divide",
        "power",
        "pow",
        "mod",
        "maximum",
        "minimum",
        "fmax",
        "fmin",
        "arctan2",
        "atan2",
        "hypot",
        "equal",
        "not_equal",
        "less",
        "less_equal",
        "greater",
        "greater_equal",
        "logical_and",
        "logical_or",
        "dot",
        "vdot",
        "inner",
        "outer",
        "cross",
        "kron",
        "matmul",
        "convolve",
        "correlate",
        "interp",
        "where",
        "clip",
        "allclose",
        "isclose",
        "array_equal",
        "polyval",
        "searchsorted",
        "digitize",
        "append",
        "copysign",
        "isin",
    ]
)


def counterpart(qualified: str) -> str | None:
    """The function of JAX for one of NumPy, SciPy or `math` ("numpy.sin" gives "jax.numpy.sin"); None where none is."""
    renamed = _RENAMED.get(qualified)
    if renamed is not None:
        return renamed
    root, _, rest = qualified.partition(".")
    member = qualified.rpartition(".")[2]
    if member in _DIFFERENT and not (root == "numpy" and member == "prod"):
        return None
    wanted = {"numpy": f"jax.numpy.{rest}", "scipy": f"jax.scipy.{rest}", "math": f"jax.numpy.{rest}"}.get(root)
    return wanted if wanted is not None and Api.load().exists(wanted) else None


def call_of_jax(code: Code, call: ir.Call) -> tuple[str, list[Change]] | None:
    """The name of JAX's function for a call, and the changes that call it; lists become arrays."""
    qualified = qualified_name(code, call.func)
    wanted = None if qualified is None else counterpart(qualified)
    if qualified is None or wanted is None or any(key is None or key in _REFUSED for key, _ in call.keywords):
        return None
    if any(isinstance(argument, ir.Starred) for argument in call.args):
        return None
    if (qualified == "math.log" and len(call.args) > 1) or (qualified == "numpy.where" and len(call.args) < 3):
        return None
    named = name_of(code, call.at, wanted)
    if named is None:
        return None
    start, end = code.outer(call.func.at)
    changes = [Change(start, end, named.text), *named.changes]
    if wanted.rpartition(".")[2] not in _TAKES_SEQUENCE:
        changes += _wrapped(code, call, wanted)
    return named.text, changes


def _wrapped(code: Code, call: ir.Call, wanted: str) -> Iterator[Change]:
    """Lists as arrays: the first argument, later ones where they are no axes or shapes."""
    count = len(call.args) if wanted.rpartition(".")[2] in _TAKES_ARRAYS else 1
    for argument in call.args[:count]:
        named = name_of(code, call.at, "jax.numpy.array") if _is_list(argument) else None
        if named is not None:
            start, end = code.outer(argument.at)
            text = code.segment(argument.at)
            opener = "" if text.startswith(("(", "[")) or code.text[start] == "(" else "("
            yield Change(start, start, f"{named.text}({opener}")
            yield Change(end, end, ")" if not opener else "))")
            yield from named.changes


def _is_list(node: Any) -> bool:  # noqa: ANN401 - an expression
    match node:
        case ir.SequenceDisplay(kind="list" | "tuple") | ir.Comprehension(kind="list"):
            return True
        case _:
            return False
