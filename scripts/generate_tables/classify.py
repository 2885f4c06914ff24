"""What came back: the table's words for results, shapes and dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from measure import Arguments, attempt, is_array, signature_of

MAX_TUPLE = 6


def classify(result: Any) -> str:
    """The `returns` term of a result."""
    if result is None:
        return "none"
    if isinstance(result, jax.Array):
        if jnp.issubdtype(result.dtype, jax.dtypes.prng_key):
            return "keys" if result.ndim else "key"
        return "array"
    if isinstance(result, np.dtype) or (isinstance(result, type) and issubdtype_like(result)):
        return "dtype"
    if isinstance(result, (np.ndarray, np.generic)):
        return "host"
    if isinstance(result, (bool, int, float, complex, str, bytes)):
        return "static"
    return classify_container(result)


def classify_container(result: Any) -> str:
    """The term of a tuple, list, tree, function or object."""
    if isinstance(result, tuple) and 0 < len(result) <= MAX_TUPLE:
        kinds = [classify(item) for item in result]
        return "static" if set(kinds) == {"static"} else f"tuple({','.join(kinds)})"
    if isinstance(result, list) and result:
        kinds = {classify(item) for item in result}
        return f"list({kinds.pop()})" if len(kinds) == 1 else "unknown"
    leaves = jax.tree.leaves(result)
    if leaves and all(isinstance(leaf, jax.Array) for leaf in leaves):
        return "tree"
    if isinstance(result, (tuple, list)) and not leaves:
        return "static"
    if callable(result):
        return "function"
    return "unknown"


def issubdtype_like(value: type) -> bool:
    """Whether a class is a scalar type."""
    return issubclass(value, np.generic) or type(value).__name__ == "_ScalarMeta"


def array_parameters(arguments: Arguments) -> list[str]:
    """The parameters of this call that are arrays of numbers."""
    return [
        name
        for name, value in arguments.named.items()
        if is_array(value) and not jnp.issubdtype(value.dtype, jax.dtypes.prng_key)
    ]


def is_numeric(leaf: Any) -> bool:
    """Whether a leaf is an array of numbers: keys decide no dtype."""
    return is_array(leaf) and not jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)


def abstract(function: Callable[..., Any], arguments: Arguments, **changes: Any) -> jax.ShapeDtypeStruct | None:
    """Shape and dtype of a single array result, without computing it."""
    arrays = {name: value for name, value in changes.items() if isinstance(value, jax.ShapeDtypeStruct)}
    others = {name: value for name, value in changes.items() if name not in arrays}
    ok, result = attempt(lambda: jax.eval_shape(lambda given: arguments.apply(function, **others, **given), arrays))
    return result if ok and isinstance(result, jax.ShapeDtypeStruct) else None


def shape_term(function: Callable[..., Any], arguments: Arguments, result: Any) -> str:
    """How the result's shape follows from the arguments, checked on several shapes; empty where no rule holds."""
    if not is_array(result):
        return ""
    created = created_shape(function, arguments)
    if created:
        return created
    arrays = array_parameters(arguments)
    signature = signature_of(function)
    if not arrays or signature is None:
        return ""
    first = arrays[0]
    if "axis" in signature.parameters and is_reduction(function, arguments, first):
        return f"reduce({first})"
    if len(arrays) > 1:
        return (
            "elementwise" if is_elementwise(function, arguments, arrays) else follows_one(function, arguments, arrays)
        )
    return follows_one(function, arguments, arrays)


def created_shape(function: Callable[..., Any], arguments: Arguments) -> str:
    """`create(shape)` where the result has the shape asked for, whatever the arrays."""
    signature = signature_of(function)
    if signature is None or "shape" not in signature.parameters:
        return ""
    shapes = [(2, 3), (4, 1, 2)]
    results = [abstract(function, arguments, shape=shape) for shape in shapes]
    if all(result is not None and result.shape == shape for result, shape in zip(results, shapes, strict=True)):
        return "create(shape)"
    return ""


def struct(*shape: int, dtype: Any = jnp.float32) -> jax.ShapeDtypeStruct:
    """An abstract array."""
    return jax.ShapeDtypeStruct(shape, dtype)


def is_elementwise(function: Callable[..., Any], arguments: Arguments, arrays: list[str]) -> bool:
    """Whether all array arguments are broadcast against one another."""
    dtypes = {name: arguments.named[name].dtype for name in arrays}
    shapes = [(3, 1), (4,), (1, 1), (3, 4)]
    changes = {name: struct(*shapes[i % 4], dtype=dtypes[name]) for i, name in enumerate(arrays)}
    result = abstract(function, arguments, **changes)
    return result is not None and result.shape == (3, 4)


def follows_one(function: Callable[..., Any], arguments: Arguments, arrays: list[str]) -> str:
    """`like(P)` where the result has the shape of P on two shapes, `scalar` where it has none on both."""
    for name in arrays:
        dtype = arguments.named[name].dtype
        rank = max(arguments.named[name].ndim, 1)
        shapes = [(2, 5, 3, 2)[:rank], (4, 4, 2, 3)[:rank]] if rank != 2 else [(4, 4), (6, 6)]
        results = [abstract(function, arguments, **{name: struct(*shape, dtype=dtype)}) for shape in shapes]
        if any(result is None for result in results):
            continue
        if all(result is not None and result.shape == shape for result, shape in zip(results, shapes, strict=True)):
            return f"like({name})"
        if len(arrays) == 1 and all(result is not None and result.shape == () for result in results):
            return "scalar"
    return ""


def is_reduction(function: Callable[..., Any], arguments: Arguments, name: str) -> bool:
    """Whether no axis gives a scalar and an axis removes that axis."""
    value = struct(3, 4, 5, dtype=arguments.named[name].dtype)
    whole = abstract(function, arguments, **{name: value, "axis": None})
    one = abstract(function, arguments, **{name: value, "axis": 1})
    return whole is not None and one is not None and whole.shape == () and one.shape == (3, 5)


KINDS = {"float": jnp.float32, "int": jnp.int32, "bool": jnp.bool_, "complex": jnp.complex64}


def kind_of(dtype: Any) -> str:
    """The word for a dtype."""
    for kind, general in (
        ("bool", jnp.bool_),
        ("int", jnp.integer),
        ("float", jnp.floating),
        ("complex", jnp.complexfloating),
    ):
        if jnp.issubdtype(dtype, general):
            return kind
    return "unknown"


def dtype_term(function: Callable[..., Any], arguments: Arguments, result: Any) -> str:
    """How the result's dtype follows from the arguments, checked on several dtypes; empty where no rule holds."""
    if not is_array(result):
        return ""
    arrays = array_parameters(arguments)
    if not arrays:
        given = jax.tree.leaves((arguments.named, arguments.variadic))
        return "" if any(is_numeric(leaf) for leaf in given) else created_dtype(function, arguments, result)
    seen: dict[str, str] = {}
    for kind, dtype in KINDS.items():
        changes = {name: struct(*arguments.named[name].shape, dtype=dtype) for name in arrays}
        answer = abstract(function, arguments, **changes)
        if answer is not None:
            seen[kind] = kind_of(answer.dtype)
    return describe_dtypes(seen, arrays)


def describe_dtypes(seen: dict[str, str], arrays: list[str]) -> str:
    """The term for a mapping of argument kinds to result kinds."""
    results = set(seen.values())
    if len(seen) >= 2 and len(results) == 1:
        return results.pop()
    if len(seen) >= 2 and all(kind == result for kind, result in seen.items()):
        return f"same({arrays[0]})" if len(arrays) == 1 else "promote"
    if seen.get("int") == "float" and seen.get("float") == "float":
        return "inexact" if seen.get("complex") == "complex" else "float"
    if seen.get("int") == "int" and seen.get("float") == "float":
        return "promote"
    return ""


def created_dtype(function: Callable[..., Any], arguments: Arguments, result: Any) -> str:
    """`param(dtype,default)` where the parameter decides, else the kind of what came back."""
    answer = abstract(function, arguments, dtype=jnp.int8)
    other = abstract(function, arguments, dtype=jnp.float16)
    takes = (answer is not None and answer.dtype == jnp.int8) or (other is not None and other.dtype == jnp.float16)
    kind = kind_of(result.dtype)
    return f"param(dtype,{kind})" if takes else kind
