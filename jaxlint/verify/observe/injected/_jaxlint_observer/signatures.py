"""What JAX traces a function with, as plain data: the parts of its cache key, told without running the user's code.

A leaf is `[path, "traced", type, weak, sharding]`, `[path, "array", type]` for a concrete array, or
`[path, "static", type name, text, identity, by_identity, fields, exact]`: `exact` where the text is the whole value.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Iterator, Mapping
from types import FunctionType, MethodType, ModuleType
from typing import Any

from . import objects
from .entries import Entry

_MAX_LEAVES = 2000
_MAX_TREES = 64
_MAX_TEXT = 80
_MAX_FIELDS = 40
_MAX_ITEMS = 8
_MAX_OUTLINE = 1000
_SHORT = {"float": "f", "uint": "u", "int": "i", "complex": "c", "bfloat": "bf"}
_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_OBJECT: dict[str, Any] = {"__hash__": object.__hash__, "__eq__": object.__eq__}
_HASHED = (*_PLAIN, tuple, frozenset)
_CONTEXT = (
    "jax_enable_x64", "jax_numpy_dtype_promotion", "jax_numpy_rank_promotion", "jax_default_matmul_precision",
    "jax_default_device", "jax_default_prng_impl", "jax_threefry_partitionable", "jax_debug_nans", "jax_debug_infs",
    "jax_debug_key_reuse", "jax_enable_checks", "jax_softmax_custom_jvp", "jax_dynamic_shapes", "jax_disable_jit",
    "jax_check_tracer_leaks", "jax_random_seed_offset",
)  # fmt: skip


def signature(
    jax: ModuleType,
    entry: Entry,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    identity: Any,
) -> dict[str, Any]:
    """The arguments of one trace. `identity` numbers objects that are static by what they are."""
    leaves: list[list[Any]] = []
    trees: dict[str, list[Any]] = {}
    count = len(args)
    items = [(entry.name(i), value, entry.is_static(i, count)) for i, value in enumerate(args)]
    items += [(name, kwargs[name], name in entry.options.names) for name in sorted(kwargs)]
    for name, value, is_static in items:
        if is_static:
            leaves.append(_static(name, value, identity))
            made = None if leaves[-1][-1] else objects.described(value, {})
            trees[name] = ["static"] if made is None else ["static", {}, made]
        else:
            trees[name] = _flatten(jax, entry, name, value, leaves, identity)
    return {
        "leaves": leaves[:_MAX_LEAVES],
        "count": len(leaves),
        "trees": trees,
        "keywords": sorted(kwargs),
    }


def context(jax: ModuleType) -> dict[str, str]:
    """The configuration that JAX traces under, as far as it is part of its cache key."""
    found = {name: str(getattr(jax.config, name)) for name in _CONTEXT if hasattr(jax.config, name)}
    current = getattr(jax.sharding, "get_abstract_mesh", None)
    if current is not None:
        mesh = current()
        if mesh is not None and not getattr(mesh, "empty", True):
            found["mesh"] = str(mesh)
    return found


def _flatten(
    jax: ModuleType,
    entry: Entry,
    name: str,
    value: Any,
    leaves: list[list[Any]],
    identity: Any,
) -> list[Any]:
    """Add the leaves of one argument; the number of its structure, with an outline where that is new."""
    found, structure = jax.tree_util.tree_flatten_with_path(value)
    for path, leaf in found:
        leaves.append(_leaf(jax, name + jax.tree_util.keystr(path), leaf, identity))
    known = entry.trees.setdefault(name, [])
    number = next((n for n, other in known if other == structure), None)
    if number is not None:
        return [number]
    number = known[-1][0] + 1 if known else 0
    known.append((number, structure))
    del known[:-_MAX_TREES]
    outline = dict(_outline(name, value, 0, [_MAX_OUTLINE]))
    made = objects.described(value, {id(leaf): name + jax.tree_util.keystr(path) for path, leaf in found})
    return [number, outline, made] if made is not None and _has_object(made) else [number, outline]


def _has_object(made: Any) -> bool:
    """Whether a description has more than nests of leaves, for which the outline does."""
    return isinstance(made, list) and (made[:1] in (["object"], ["name"]) or any(map(_has_object, made)))


def _leaf(jax: ModuleType, path: str, leaf: Any, identity: Any) -> list[Any]:
    if isinstance(leaf, jax.core.Tracer):
        return [path, "traced", array_type(leaf), bool(getattr(leaf, "weak_type", False)), sharding(leaf)]
    if hasattr(leaf, "dtype") and hasattr(leaf, "shape"):
        return [path, "array", array_type(leaf)]
    return _static(path, leaf, identity)


def array_type(value: Any) -> str:
    """`f32[3,4]`, as in input specs."""
    dtype, shape = str(value.dtype), ",".join(map(str, value.shape))
    for long, short in _SHORT.items():
        if dtype.startswith(long) and dtype[len(long) :].isdigit():
            return f"{short}{dtype[len(long) :]}[{shape}]"
    return f"{dtype}[{shape}]"


def sharding(tracer: Any) -> str:
    """How the type says that the value is laid out over devices; empty where the type does not speak of it."""
    placed = getattr(getattr(tracer, "aval", None), "sharding", None)
    mesh = getattr(placed, "mesh", None)
    if placed is None or mesh is None or getattr(mesh, "empty", True):
        return ""
    spec = str(placed.spec)
    return "" if spec == "PartitionSpec()" and "Explicit" not in str(mesh) else f"{spec} over {dict(mesh.shape)}"


def _static(path: str, value: Any, identity: Any) -> list[Any]:
    kind = type(value)
    own = {"__hash__": kind.__hash__, "__eq__": kind.__eq__}
    by_identity = all(own[name] is _OBJECT[name] for name in own) and not isinstance(value, _PLAIN)
    if isinstance(value, (FunctionType, MethodType)):
        by_identity = True
    number = identity(value) if by_identity or not isinstance(value, _HASHED) else _hash(value)
    return [path, "static", kind.__name__, text(value), number, by_identity, _fields(value), _is_exact(value)]


def _hash(value: object) -> int | None:
    """Tells long strings and tuples apart whose texts are cut off at the same place."""
    try:
        return hash(value)
    except TypeError:
        return None


def _is_exact(value: Any) -> bool:
    """Whether the text of a value is a literal that stands for the whole of it."""
    return _is_literal(value, 2) and len(_text(value, 2)) <= _MAX_TEXT


def _is_literal(value: Any, depth: int) -> bool:
    kind = type(value)
    if kind is float or kind is complex:
        return bool(abs(value) < float("inf"))
    if kind in (str, bytes):
        return len(value) < _MAX_TEXT
    if kind in (tuple, list):
        return depth > 0 and len(value) <= _MAX_ITEMS and all(_is_literal(item, depth - 1) for item in value)
    if kind is dict:
        pairs = [(_is_literal(k, 0), _is_literal(v, depth - 1)) for k, v in list(value.items())[: _MAX_ITEMS + 1]]
        return depth > 0 and len(pairs) <= _MAX_ITEMS and all(map(all, pairs))
    return kind in _PLAIN


def _fields(value: object) -> dict[str, str] | None:
    """The attributes of an object of the user's, none of its code being run."""
    if isinstance(value, (*_PLAIN, FunctionType, MethodType, type, enum.Enum, list, tuple, dict, set, frozenset)):
        return None
    fields = getattr(value, "__dict__", None)
    if not isinstance(fields, dict):
        names = [name for base in type(value).__mro__ for name in _slots(base)]
        fields = {name: getattr(value, name) for name in names if hasattr(value, name)}
    own = [name for name in fields if not str(name).startswith("__")]  # not what `functools.wraps` copies
    return {str(name): text(fields[name]) for name in own[:_MAX_FIELDS]}


def _slots(base: type) -> tuple[str, ...]:
    slots = base.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def text(value: Any, depth: int = 2) -> str:
    """A short text for a value, without calling its own `__repr__`."""
    return _text(value, depth)[:_MAX_TEXT]


def _text(value: Any, depth: int) -> str:  # noqa: PLR0911 - dispatches on the kinds of values
    if type(value) in _PLAIN:
        return repr(value[:_MAX_TEXT] if isinstance(value, (str, bytes)) else value)
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, type):
        return value.__qualname__
    if isinstance(value, (FunctionType, MethodType)):
        return value.__qualname__
    if type(value) in (tuple, list, set, frozenset):
        inner = ", ".join(_text(item, depth - 1) for item in list(value)[:_MAX_ITEMS]) if depth else "..."
        opening, closing = "()" if type(value) is tuple else "[]" if type(value) is list else "{}"
        end = ", ..." if len(value) > _MAX_ITEMS else "," if type(value) is tuple and len(value) == 1 else ""
        return f"{opening}{inner}{end}{closing}"
    if type(value) is dict:
        return (
            "{" + ", ".join(f"{_text(k, 0)}: {_text(v, depth - 1)}" for k, v in list(value.items())[:_MAX_ITEMS]) + "}"
            if depth
            else "{...}"
        )
    if _is_array(value):
        return array_type(value)
    return str(value) if _is_dtype(value) else _own_name(value) or f"<{type(value).__qualname__}>"


def _own_name(value: object) -> str:
    """The name that a callable object took over from the function that it wraps."""
    name = getattr(value, "__dict__", {}).get("__qualname__") if callable(value) else None
    return name if type(name) is str else ""


def _is_array(value: Any) -> bool:
    return isinstance(getattr(value, "shape", None), tuple) and hasattr(value, "dtype")


def _is_dtype(value: object) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.dtype)


def _outline(path: str, value: Any, depth: int, budget: list[int]) -> Iterator[tuple[str, str]]:
    """The containers of a tree by path, and the constants in them that its structure holds."""
    budget[0] -= 1
    if budget[0] < 0 or depth > 8:
        return
    if isinstance(value, dict):
        yield path, type(value).__name__
        for key, item in value.items():
            yield from _outline(f"{path}[{text(key)}]", item, depth + 1, budget)
    elif isinstance(value, (list, tuple)):
        yield path, f"{type(value).__name__} of {len(value)}"
        for index, item in enumerate(value):
            yield from _outline(f"{path}[{index}]", item, depth + 1, budget)
    elif _is_array(value):
        yield path, "array"
    elif isinstance(value, (*_PLAIN, FunctionType, MethodType, type, enum.Enum)):
        yield path, text(value)
    else:
        yield path, type(value).__qualname__
        fields = getattr(value, "__dict__", None)
        if isinstance(fields, dict):
            for name, item in fields.items():
                yield from _outline(f"{path}.{name}", item, depth + 1, budget)
