"""The arguments of a probe: each parameter's value from the first source that knows one, and what of it is traced."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from .remade import LostNameError, named, remade

#: Sources that a person or a run vouches for: what they show may refute a finding.
VOUCHED = ("command line", "spec", "recorded run")
_KEY_NAME = re.compile(r"(.*_)?(key|rng|prng)")
_PRIMES = (5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59)
_SCALARS: Mapping[str, Any] = {"float": 1.5, "int": 2, "bool": True}
_ARRAYS = ("Array", "ArrayLike", "ndarray")
_KINDS = inspect.Parameter
_LITERALS = (bool, int, float, complex, str, bytes, tuple, list, dict, set)


class MissingInputError(Exception):
    """A parameter that no source knows a value for, by name; `kind` is the class it is annotated with, if any.

    `lost` is what its recorded value is made of and the imported modules do not have.
    """

    def __init__(self, name: str, kind: str = "", lost: str = "") -> None:
        super().__init__(name)
        self.kind = kind
        self.lost = lost


@dataclass(frozen=True)
class Abstract:
    """A leaf that is traced: an abstract array, or a Python scalar that becomes one."""

    value: Any


@dataclass(frozen=True)
class Static:
    """A leaf that tracing sees as it is."""

    value: Any


@dataclass(frozen=True)
class Argument:
    """A parameter's value: a nest whose leaves are Abstract or Static. `ranks` are other shapes worth a try."""

    value: Any
    source: str

    @property
    def text(self) -> str:
        """The value as a person reads it, in the grammar of input specs where that has a word."""
        return _text(self.value)


@dataclass(frozen=True)
class Inputs:
    """The arguments of one call, by parameter; parameters that keep their default are absent."""

    signature: inspect.Signature
    arguments: Mapping[str, Argument]

    @property
    def vouched(self) -> bool:
        """Whether every argument comes from a person or a run."""
        return all(argument.source in VOUCHED for argument in self.arguments.values()) and not self._defaults()

    @property
    def asked(self) -> bool:
        """Whether a person or a run says what an argument is, and so that the function is traced."""
        return any(argument.source in VOUCHED for argument in self.arguments.values())

    def _defaults(self) -> list[str]:
        required = (_KINDS.VAR_POSITIONAL, _KINDS.VAR_KEYWORD)
        parameters = self.signature.parameters.values()
        return [p.name for p in parameters if p.name not in self.arguments and p.kind not in required]

    def described(self) -> dict[str, dict[str, str]]:
        """The arguments as JSON: what each is and where it comes from."""
        return {name: {"text": a.text, "source": a.source} for name, a in self.arguments.items()}

    def leaves(self) -> list[Any]:
        """The traced leaves, in order."""
        return [leaf.value for a in self.arguments.values() for leaf in _leaves(a.value) if isinstance(leaf, Abstract)]

    def call(self, function: Callable[..., Any], leaves: Sequence[Any]) -> Any:
        """Call the function with `leaves` in the places of the traced ones."""
        rest = iter(leaves)
        values = {name: _planted(argument.value, rest) for name, argument in self.arguments.items()}
        positional: list[Any] = []
        keywords: dict[str, Any] = {}
        skipped = False
        for name, parameter in self.signature.parameters.items():
            if name not in values:
                skipped = True
            elif parameter.kind is _KINDS.VAR_POSITIONAL:
                positional += values[name]
            elif parameter.kind is _KINDS.VAR_KEYWORD:
                keywords.update(values[name])
            elif parameter.kind is _KINDS.KEYWORD_ONLY or (skipped and parameter.kind is not _KINDS.POSITIONAL_ONLY):
                keywords[name] = values[name]
            else:
                positional.append(values[name])
        return function(*positional, **keywords)


def collect(
    function: Callable[..., Any],
    given: Mapping[str, Any],
    sources: Sequence[Callable[[inspect.Parameter], Argument | None]],
) -> Inputs:
    """The inputs of a call. `given` maps parameters to (value as JSON, source). Raises MissingInputError."""
    signature = signature_of(function)
    arguments: dict[str, Argument] = {}
    for name, parameter in signature.parameters.items():
        if name in given:
            arguments[name] = _given(parameter, given[name])
            continue
        found = next((argument for source in sources if (argument := source(parameter))), None)
        if found is not None:
            arguments[name] = found
        elif parameter.default is parameter.empty and parameter.kind not in (_KINDS.VAR_POSITIONAL, _KINDS.VAR_KEYWORD):
            raise MissingInputError(name, _class_of(parameter))
    unknown = [name for name in given if name not in signature.parameters]
    asked = next((name for name in unknown if given[name]["source"] != "recorded run"), None)
    if asked is not None:
        raise MissingInputError(asked)
    rest = next((name for name, parameter in signature.parameters.items() if parameter.kind is _KINDS.VAR_KEYWORD), "")
    if rest and unknown and rest not in arguments:
        keywords = {name: from_json(given[name]["value"]) for name in unknown}
        arguments[rest] = Argument(keywords, given[unknown[0]]["source"])
    return Inputs(signature, arguments)


def _given(parameter: inspect.Parameter, given: Mapping[str, Any]) -> Argument:
    try:
        return Argument(from_json(given["value"]), given["source"])
    except LostNameError as error:
        raise MissingInputError(parameter.name, lost=str(error)) from None


def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """The signature, with annotations that are written as text read where they can be."""
    try:
        return inspect.signature(function, eval_str=True)
    except Exception:  # names that only a type checker sees
        return inspect.signature(function)


def _class_of(parameter: inspect.Parameter) -> str:
    """The class of a parameter that is annotated with one; empty for plain values and for none."""
    annotation = parameter.annotation
    if annotation is parameter.empty:
        return ""
    if isinstance(annotation, str):
        return annotation if annotation[:1].isupper() else ""
    is_class = isinstance(annotation, type) and annotation.__module__ != "builtins"
    return annotation.__qualname__ if is_class else ""


def abstract_array(shape: Sequence[int], dtype: Any) -> Any:
    """An array of which only shape and dtype are known."""
    make: Any = jax.ShapeDtypeStruct
    return make(tuple(shape), dtype)


def key_dtype() -> Any:
    """The dtype of typed keys, without starting a backend."""
    return jax.eval_shape(lambda: jax.random.key(0)).dtype


def from_json(value: Mapping[str, Any]) -> Any:  # noqa: PLR0911 - dispatches on the kinds of values
    """A nest of leaves from a spec's JSON."""
    kind = value["kind"]
    if kind == "array":
        return Abstract(abstract_array(value["shape"], value["dtype"]))
    if kind == "key":
        return Abstract(abstract_array(value["shape"], key_dtype()))
    if kind == "scalar":
        return Abstract(_SCALARS[value["type"]])
    if kind == "static":
        return Static(ast.literal_eval(value["text"]))
    if kind == "none":
        return Static(None)
    if kind == "dict":
        return {name: from_json(entry) for name, entry in value["items"]}
    if kind in ("name", "object"):
        return _of_modules(value)
    items = [from_json(entry) for entry in value["items"]]
    return items if kind == "list" else tuple(items)


def _of_modules(value: Mapping[str, Any]) -> Any:
    """What the modules hold by name, or an object of theirs."""
    if value["kind"] == "name":
        return Static(named(value["module"], value["name"]))
    made = _bare(value)
    return jax.tree_util.tree_map(lambda leaf: leaf if isinstance(leaf, Abstract) else Static(leaf), made)


def _bare(value: Mapping[str, Any]) -> Any:
    """The value itself, what is traced in it still marked: objects hold constants as they are."""
    kind = value["kind"]
    if kind == "dict":
        return {name: _bare(entry) for name, entry in value["items"]}
    if kind in ("list", "tuple"):
        items = [_bare(entry) for entry in value["items"]]
        return items if kind == "list" else tuple(items)
    if kind == "object":
        return remade(value["module"], value["name"], _bare(value["value"]))
    leaf = from_json(value)
    return leaf.value if isinstance(leaf, Static) else leaf


# --- the sources besides what is given


class Annotations:
    """Arguments from annotations: jaxtyping's shapes with a distinct prime per name, keys, and unshaped arrays."""

    def __init__(self, sizes: Mapping[str, int], rank: int, dtype: str = "float32", *, scalars: bool) -> None:
        self.sizes = dict(sizes)
        self.rank = rank
        self.dtype = dtype
        self.scalars = scalars

    def shaped(self, parameter: inspect.Parameter) -> Argument | None:
        """From a jaxtyping annotation, which names dtype and dimensions."""
        if parameter.kind in (_KINDS.VAR_POSITIONAL, _KINDS.VAR_KEYWORD):
            return None
        found = self._shaped(parameter.annotation)
        return None if found is None else Argument(found, "jaxtyping annotation")

    def _shaped(self, annotation: Any) -> Any:
        dims = getattr(annotation, "dim_str", None)
        if dims is None:
            return None
        dtypes = getattr(annotation, "dtypes", ())
        name = " ".join(map(str, dtypes)) if isinstance(dtypes, (list, tuple)) else str(dtypes)
        dtype = key_dtype() if "prng_key" in name else _dtype(name)
        shape = tuple(self._size(dim) for dim in dims.split() if "..." not in dim and not dim.startswith("*"))
        return Abstract(abstract_array(shape, dtype))

    def _size(self, dim: str) -> int:
        name = dim.lstrip("#?_").rpartition("=")[2]
        if name.isdigit():
            return int(name)
        if name not in self.sizes:
            taken = set(self.sizes.values())
            self.sizes[name] = next(prime for prime in _PRIMES if prime not in taken)
        return self.sizes[name]

    def plain(self, parameter: inspect.Parameter) -> Argument | None:
        """From `jax.Array`, or from a scalar type where the function itself says which parameters are static."""
        annotation = parameter.annotation
        text = _last_name(annotation)
        if parameter.default is not parameter.empty:
            return None
        if _KEY_NAME.fullmatch(parameter.name) or text in ("PRNGKeyArray", "PRNGKey"):
            source = "name" if annotation is parameter.empty else "annotation"
            return Argument(Abstract(abstract_array((), key_dtype())), source)
        if text in _ARRAYS:
            return Argument(self._any_array(), "annotation, any shape")
        if self.scalars and text in _SCALARS:
            return Argument(Static(_SCALARS[text]), "annotation")
        if parameter.kind in (_KINDS.VAR_POSITIONAL, _KINDS.VAR_KEYWORD):
            return None
        made = self._made(annotation, 3)
        return None if made is None else Argument(made, "annotation, any shape")

    def _any_array(self) -> Abstract:
        return Abstract(abstract_array(_PRIMES[: self.rank], self.dtype))

    def _made(self, annotation: Any, depth: int) -> Any:  # noqa: PLR0911 - dispatches on the kinds of annotations
        """A value of an annotated kind: nests of arrays, and classes of JAX's trees made of them. None if unknown."""
        shaped = self._shaped(annotation)
        if shaped is not None or depth == 0:
            return shaped
        name = _last_name(annotation)
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if origin is typing.Union or type(annotation).__name__ == "UnionType":
            if any(_last_name(one) in _ARRAYS for one in arguments):
                return self._any_array()
            return next((m for one in arguments if (m := self._made(one, depth - 1)) is not None), None)
        if origin is typing.Annotated:
            return self._made(arguments[0], depth)
        if origin in (list, tuple, dict, Sequence, Mapping):
            return self._nest(origin, arguments, depth)
        if name in _ARRAYS:
            return self._any_array()
        if name == "PRNGKeyArray":
            return Abstract(abstract_array((), key_dtype()))
        if name in _SCALARS:
            return Static(_SCALARS[name])
        return self._object(annotation, depth) if isinstance(annotation, type) else None

    def _nest(self, origin: Any, arguments: Sequence[Any], depth: int) -> Any:
        parts = [self._made(one, depth - 1) for one in arguments if one is not ... and one is not str]
        if not parts or any(part is None for part in parts):
            return None
        if origin in (dict, Mapping):
            return {"a": parts[-1], "b": parts[-1]}
        if origin is tuple:
            return tuple(parts) if arguments[-1] is not ... else (parts[0], parts[0])
        return [parts[0], parts[0]]

    def _object(self, kind: type, depth: int) -> Any:
        """An object of a class that JAX takes apart, made of its annotated fields."""
        try:
            hints = typing.get_type_hints(kind)
            fields = [f.name for f in dataclasses.fields(kind) if f.init and f.default is dataclasses.MISSING]
        except TypeError:
            fields = list(getattr(kind, "_fields", ()))
        except Exception:
            return None
        parts = {name: self._made(hints.get(name), depth - 1) for name in fields}
        if not parts or any(part is None for part in parts.values()):
            return None
        try:
            made = kind(**parts)
            leaves = jax.tree_util.tree_leaves(made)
        except Exception:
            return None
        return made if leaves and all(isinstance(leaf, (Abstract, Static)) for leaf in leaves) else None


def _last_name(annotation: Any) -> str:
    """`Array` for `jax.Array`, whichever way an annotation spells it."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    return str(text).rpartition(".")[2]


def _dtype(names: str) -> str:
    for word, dtype in (
        ("float", "float32"),
        ("uint", "uint32"),
        ("int", "int32"),
        ("bool", "bool"),
        ("complex", "complex64"),
    ):
        if word in names:
            return dtype
    return "float32"


# --- nests


def _leaves(value: Any) -> list[Any]:
    return jax.tree_util.tree_leaves(value)


def _planted(value: Any, rest: Iterator[Any]) -> Any:
    """The nest with traced leaves taken from `rest` and the others as they stand."""
    return jax.tree_util.tree_map(lambda leaf: next(rest) if isinstance(leaf, Abstract) else leaf.value, value)


_SHORT = {"float": "f", "int": "i", "uint": "u", "complex": "c", "bfloat": "bf"}


def short_dtype(dtype: Any) -> str:
    """`f32` for float32; `key` for typed keys."""
    name = str(dtype)
    if name.startswith("key"):
        return "key"
    found = re.fullmatch(r"([a-z]+)(\d+)", name)
    return f"{_SHORT.get(found[1], found[1])}{found[2]}" if found else name


def _text(value: Any) -> str:  # noqa: PLR0911 - dispatches on the kinds of values
    if isinstance(value, Abstract):
        inner = value.value
        if not hasattr(inner, "dtype"):
            return type(inner).__name__
        dtype = short_dtype(inner.dtype)
        return dtype if dtype == "key" and not inner.shape else f"{dtype}[{','.join(map(str, inner.shape))}]"
    if isinstance(value, Static):
        if inspect.isfunction(value.value):
            return f"`{value.value.__qualname__}`"
        if not isinstance(value.value, (*_LITERALS, type(None))):
            return f"{type(value.value).__name__}(...)"
        return "none" if value.value is None else f"static:{value.value!r}"[:80]
    if value is None:
        return "none"
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{name}": {_text(entry)}' for name, entry in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    if type(value) is tuple:
        return "(" + ", ".join(map(_text, value)) + ("," if len(value) == 1 else "") + ")"
    return f"{type(value).__name__}(...)"


def materialised(leaves: Sequence[Any]) -> list[Any]:
    """Concrete values for traced leaves: the same ones at each call, none of them special."""
    return [_concrete(leaf, index) for index, leaf in enumerate(leaves)]


def _concrete(leaf: Any, index: int) -> Any:
    if not hasattr(leaf, "dtype"):
        return leaf
    if short_dtype(leaf.dtype) == "key":
        key = jax.random.key(index)
        return jax.random.split(key, leaf.shape) if leaf.shape else key
    size = int(np.prod(leaf.shape, dtype=np.int64))
    if np.dtype(leaf.dtype).kind == "b":
        values = np.arange(size) % 2 == 0
    elif np.dtype(leaf.dtype).kind in "iu":
        values = np.arange(size) % 3
    else:
        values = np.linspace(0.25, 1.75, size)
    return jax.numpy.asarray(values.reshape(leaf.shape), leaf.dtype)
