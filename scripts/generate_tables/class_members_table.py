"""class_members.tsv: the public attributes that a base class, or a decorator, gives to objects of a class.

They are what an object has whose class derives from the base, or is decorated, and adds nothing itself. Of a class that
is not listed, objects may have any attributes. `tests/jaxapi/test_class_members.py` measures the rows again.
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any

HEADER = ("name", "members")

#: What earlier releases of a library gave to objects: a project may use one of these.
EARLIER: Mapping[str, frozenset[str]] = {
    "flax.nnx.Module": frozenset(
        {"at", "create", "create_abstract", "filter", "get_state", "init", "merge", "partial_init", "pop", "split"}
    ),
}


# --- objects of classes that add nothing


def _derived(base: Any, **fields: Any) -> Any:
    return types.new_class("Derived", (base,))(**fields)


def _of_generic(base: Any) -> Any:
    return _derived(base[typing.TypeVar("T")])


def _of_named_tuple(base: Any) -> Any:
    return base("Record", [("field", int)])(0)


def _of_train_state(base: Any) -> Any:
    return _derived(base, step=0, apply_fn=None, params={}, tx=None, opt_state=None)


def _of_haiku(base: Any) -> Any:
    """Haiku makes modules while it transforms a function, and only then."""
    made: list[Any] = []
    importlib.import_module("haiku").transform(lambda: made.append(_derived(base))).init(None)
    return made[0]


class _Plain:
    """What a decorator gets; the methods are those that some decorators ask for."""

    field: int = 0

    def tree_flatten(self) -> Any:
        """Never called."""

    def tree_flatten_with_keys(self) -> Any:
        """Never called."""

    @classmethod
    def tree_unflatten(cls, *_: Any) -> Any:
        """Never called."""


def _copied() -> type:
    """A class of its own for each decorator, which may change it."""
    own = {name: value for name, value in vars(_Plain).items() if name not in ("__dict__", "__weakref__")}
    return types.new_class("Decorated", (), {}, lambda namespace: namespace.update(own))


def _decorated(decorate: Callable[[type], Any]) -> Any:
    return decorate(_copied())()


def _of_registered_record(register: Callable[..., Any]) -> Any:
    """JAX registers only dataclasses; older releases must be told which fields are data."""
    return register(dataclasses.dataclass(_copied()), data_fields=["field"], meta_fields=[])()


def _of_mappable_record(decorate: Callable[[type], Any]) -> Any:
    plain = importlib.import_module("chex").dataclass(_copied(), mappable_dataclass=False)
    return decorate(plain)(field=0)


#: How an object is made of a class with this base or decorator.
MAKERS: Mapping[str, Callable[[Any], Any]] = {
    "abc.ABC": _derived,
    "builtins.object": _derived,
    "chex.dataclass": _decorated,
    "chex.mappable_dataclass": _of_mappable_record,
    "dataclasses.dataclass": _decorated,
    "equinox.Module": _derived,
    "flax.linen.Module": _derived,
    "flax.nnx.Module": _derived,
    "flax.struct.PyTreeNode": _derived,
    "flax.struct.dataclass": _decorated,
    "flax.training.train_state.TrainState": _of_train_state,
    "haiku.Module": _of_haiku,
    "jax.tree_util.register_dataclass": _of_registered_record,
    "jax.tree_util.register_pytree_node_class": _decorated,
    "jax.tree_util.register_pytree_with_keys_class": _decorated,
    "jax.tree_util.register_static": _decorated,
    "typing.Generic": _of_generic,
    "typing.NamedTuple": _of_named_tuple,
}


# --- what these objects have


def rows() -> Iterator[tuple[str, ...]]:
    """The rows of the libraries that are installed."""
    for name in MAKERS:
        found = members(name)
        if found is not None:
            yield name, ",".join(sorted(found | EARLIER.get(name, frozenset())))


def members(name: str) -> frozenset[str] | None:
    """The public attributes that a base or decorator gives to objects; None where it is not installed."""
    module, _, attribute = name.rpartition(".")
    if importlib.util.find_spec(module.partition(".")[0]) is None:
        return None
    given = getattr(importlib.import_module(module), attribute, None)
    return None if given is None else _public(MAKERS[name](given)) - _public(_Plain())


def _public(value: Any) -> frozenset[str]:
    return frozenset(name for name in dir(value) if not name.startswith("_"))
