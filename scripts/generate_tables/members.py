"""array_members.tsv: attributes and methods of `jax.Array`, of `x.at[i]`, and NumPy's that JAX lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from classify import classify
from measure import Arguments, attempt, format_signature, probe_statics, signature_of

HEADER = (
    "name", "kind", "tracer", "grad", "concrete", "numpy", "returns", "mutates", "params", "static", "since", "until",
    "ran",
)  # fmt: skip

X = jnp.linspace(0.1, 0.9, 12, dtype=jnp.float32).reshape(3, 4)
ONE = jnp.float32(0.5) + jnp.zeros(())

#: Arguments of methods that take some.
CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "astype": ((jnp.int32,), {}),
    "clip": ((0.0, 0.5), {}),
    "compress": ((np.array([True, False, True]),), {"axis": 0}),
    "dot": ((X.T,), {}),
    "item": ((), {}),
    "repeat": ((2,), {}),
    "reshape": (((4, 3),), {}),
    "searchsorted": ((0.5,), {}),
    "swapaxes": ((0, 1), {}),
    "take": ((0,), {}),
    "choose": (([X, X],), {}),
    "sort": ((), {}),
    "view": ((jnp.int32,), {}),
    "partition": ((1,), {}),
    "argpartition": ((1,), {}),
    "to_device": ((jax.devices()[0],), {}),
    "addressable_data": ((0,), {}),
    "__getitem__": ((0,), {}),
    "__setitem__": ((0, 1.0), {}),
    "__format__": ((".2f",), {}),
    "__contains__": ((0.5,), {}),
    "__round__": ((), {}),
    "__divmod__": ((2.0,), {}),
    "__rdivmod__": ((2.0,), {}),
    "__pow__": ((2.0,), {}),
    "__matmul__": ((X.T,), {}),
    "__rmatmul__": ((X.T,), {}),
    "__array__": ((), {}),
}

#: Static parameters that no call by name shows: they are variadic, or a lucky shape hides the error.
ALSO_STATIC = {
    "repeat": frozenset({"repeats"}),
    "reshape": frozenset({"args"}),
    "transpose": frozenset({"args"}),
    "squeeze": frozenset({"axis"}),
}

#: These are tried on a scalar, those on a vector, others on a matrix.
ON_SCALAR = frozenset(["item", "__float__", "__int__", "__bool__", "__complex__", "__index__", "__format__"])
ON_VECTOR = frozenset({"searchsorted", "compress"})
ON_INTEGERS = frozenset(
    {"choose", "__index__", "__invert__", "__and__", "__or__", "__xor__", "__rand__", "__ror__", "__rxor__"}
)
BINARY = frozenset(
    f"__{prefix}{name}__"
    for prefix in ("", "r")
    for name in [
        "add",
        "sub",
        "mul",
        "truediv",
        "floordiv",
        "mod",
        "pow",
        "and",
        "or",
        "xor",
        "lshift",
        "rshift",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
    ]
)
DUNDERS = frozenset(
    [
        "__float__",
        "__int__",
        "__bool__",
        "__complex__",
        "__index__",
        "__len__",
        "__iter__",
        "__reversed__",
        "__contains__",
        "__getitem__",
        "__setitem__",
        "__array__",
        "__abs__",
        "__neg__",
        "__pos__",
        "__invert__",
        "__round__",
        "__divmod__",
        "__rdivmod__",
        "__matmul__",
        "__rmatmul__",
        "__hash__",
        "__format__",
        "__repr__",
        "__str__",
        "__jax_array__",
    ]
)

#: Attributes that are known without the value although they are no method: kept apart from arrays.
NUMPY_ONLY = sorted({name for name in dir(np.ndarray) if not name.startswith("_")} - set(dir(X)))


def rows() -> Iterator[tuple[str, ...]]:
    """Members of arrays, methods of `.at`, and what is absent."""
    names = sorted({name for name in dir(X) if not name.startswith("_")} | (DUNDERS | BINARY) & set(dir(X)))
    for name in names:
        yield member(name)
    for name in sorted({name for name in dir(X.at[0]) if not name.startswith("_")}):
        if callable(getattr(X.at[0], name)):
            yield at_method(name)
    for name in NUMPY_ONLY:
        yield (name, "absent", "error:AttributeError", "error:AttributeError", "error:AttributeError",
               numpy_has(name), "unknown", "yes" if name in MUTATING else "no", "", "", "", "", "yes")  # fmt: skip


#: What arrays have in some releases of NumPy only.
IN_SOME_RELEASES_OF_NUMPY = frozenset({"device", "mT", "to_device"})


def numpy_has(name: str) -> str:
    """Whether arrays and scalars of NumPy have a member; empty where that depends on which, or on the release."""
    found = {hasattr(owner, name) for owner in (np.ndarray, np.float32, np.int32, np.bool_)}
    if len(found) > 1 or name in IN_SOME_RELEASES_OF_NUMPY:
        return ""
    return "yes" if True in found else "no"


#: What NumPy's method would change in place.
MUTATING = frozenset(["fill", "resize", "itemset", "put", "setfield", "setflags", "partition", "byteswap"])


def subject(name: str) -> jax.Array:
    """A fresh array on which the member makes sense: `delete` is one of the members."""
    if name in ON_INTEGERS:
        return jnp.asarray(1) if name == "__index__" else jnp.arange(3) % 2
    if name in ON_SCALAR:
        return ONE
    return X[0, :3] if name in ON_VECTOR else X + 0


def use(name: str, is_method: bool) -> Callable[[Any], Any]:
    """Read the attribute, or call the method."""
    args, keywords = CALLS.get(name, ((), {}))
    if name in BINARY and name not in CALLS:
        args = (2,) if name in ON_INTEGERS else (2.0,)
    if "shift" in name:
        return lambda x: getattr(x.astype(jnp.int32), name)(1)
    if not is_method:
        return lambda x: getattr(x, name)
    return lambda x: getattr(x, name)(*args, **keywords)


def member(name: str) -> tuple[str, ...]:
    """Measure one attribute or method: concrete, under jit, under grad alone."""
    value = subject(name)
    is_method = callable(getattr(type(value), name, None))
    action = use(name, is_method)
    concrete, result = attempt(lambda: action(value))
    seen: list[Any] = []
    jit, jit_error = attempt(lambda: jax.eval_shape(lambda x: (seen.append(action(x)), x)[1], value))
    under_grad: list[Any] = []
    grad, grad_error = attempt(lambda: gradient(action, value, under_grad))
    signature = signature_of(getattr(value, name)) if is_method else None
    return (
        name,
        "method" if is_method else "attribute",
        verdict(jit, seen, jit_error),
        verdict(grad, under_grad, grad_error),
        "error:" + type(result).__name__ if not concrete else "static" if classify(result) == "static" else "value",
        numpy_has(name),
        returns(name, seen, concrete, result),
        "no",
        format_signature(signature) if signature is not None else "",
        ",".join(sorted(statics(name, value) | ALSO_STATIC.get(name, frozenset()))) if is_method and concrete else "",
        "",
        "",
        "yes",
    )


def gradient(action: Callable[[Any], Any], value: jax.Array, seen: list[Any]) -> Any:
    """Run the action on a differentiated value; integers are cast inside."""
    integral = not jnp.issubdtype(value.dtype, jnp.floating)

    def loss(x: Any) -> Any:
        seen.append(action(x.astype(value.dtype) if integral else x))
        return x.sum()

    return jax.grad(loss)(value.astype(jnp.float32) if integral else value)


def verdict(ok: bool, seen: list[Any], error: Any) -> str:
    """static, traced, or the error."""
    if not ok or not seen:
        return f"error:{type(error).__name__}"
    leaves = jax.tree.leaves(seen[0])
    return "traced" if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves) or is_proxy(seen[0]) else "static"


def is_proxy(value: object) -> bool:
    """`x.at` and `x.at[i]`, and iterators over the rows."""
    return type(value).__name__ in {"_IndexUpdateHelper", "_IndexUpdateRef"} or hasattr(value, "__next__")


def returns(name: str, seen: list[Any], concrete: bool, result: Any) -> str:
    """The `returns` term, of the traced call where there is one."""
    if name in {"at", "__iter__", "__reversed__"}:
        return "unknown"
    value = seen[0] if seen else result if concrete else None
    if value is None:
        return "none" if concrete and result is None else "unknown"
    term = classify(value)
    return "static" if term == "unknown" and verdict(bool(seen), seen, None) == "static" else term


def statics(name: str, value: jax.Array) -> frozenset[str]:
    """Parameters of the method that must be static."""
    args, keywords = CALLS.get(name, ((), {}))
    signature = signature_of(getattr(value, name))
    if signature is None or name.startswith("__"):
        return frozenset()
    ok, bound = attempt(lambda: signature.bind(*args, **keywords))
    if not ok:
        return frozenset()
    variadic = {key for key, item in signature.parameters.items() if item.kind is item.VAR_POSITIONAL}
    named = {key: item for key, item in bound.arguments.items() if key not in variadic}
    return probe_statics(getattr(value, name), Arguments(named)).traced


def at_method(name: str) -> tuple[str, ...]:
    """Measure one method of `x.at[i]`."""
    args: tuple[Any, ...] = () if name == "get" else (jnp.sin,) if name == "apply" else (2.0,)

    def action(x: Any) -> Any:
        return getattr(x.at[0], name)(*args)

    concrete, result = attempt(lambda: action(X))
    seen: list[Any] = []
    jit, error = attempt(lambda: jax.eval_shape(lambda x: (seen.append(action(x)), x)[1], X))
    under_grad: list[Any] = []
    grad, grad_error = attempt(lambda: gradient(action, X, under_grad))
    return (
        f"at.{name}",
        "at",
        verdict(jit, seen, error),
        verdict(grad, under_grad, grad_error),
        "value" if concrete else f"error:{type(result).__name__}",
        "",
        "array",
        "no",
        format_signature(signature_of(getattr(X.at[0], name))),
        "",
        "",
        "",
        "yes",
    )
