"""Events of functions of trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.events.event import Event, Operand
from jaxlint.diagnostics import Confidence

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application


@dataclass(frozen=True, slots=True, eq=False)
class TreeCall(Event):
    """A function of jax.tree over trees whose structure is known in part."""

    name: str
    trees: tuple[Operand, ...]
    has_is_leaf: bool
    none_paths: tuple[Any, ...]
    tests_none: bool = False


class LeafFault(NamedTuple):
    """A leaf that is no array, number or None, or a dict whose keys cannot be sorted.

    `kind`: instance, enum, text, function, collection, iterator or keys. `what` says it in a message, with its article.
    `is_nested`: it is a part of a container.
    """

    kind: str
    what: str
    is_nested: bool
    confidence: Confidence

    @property
    def class_name(self) -> str:
        """The class of an instance, as it is named in `what`."""
        return self.what.split("`")[1] if self.kind == "instance" else ""


@dataclass(frozen=True, slots=True, eq=False)
class InvalidLeaf(Event):
    """What a transform takes or gives holds a leaf that JAX refuses; `parameter` is empty for results."""

    operand: Operand
    transform: str
    parameter: str
    fault: LeafFault
    hashes_statics: bool = False
    application: Application | None = None

    @property
    def is_result(self) -> bool:
        """Whether the traced function returns it."""
        return not self.parameter


@dataclass(frozen=True, slots=True, eq=False)
class UnsortableKeys(Event):
    """A dict whose keys cannot be sorted is taken apart as a tree."""

    operand: Operand
    function: str
    fault: LeafFault


class Difference(NamedTuple):
    """Where two trees differ, as the text that leads there, and what each of them has, as a message says it."""

    path: str
    first: str
    other: str


@dataclass(frozen=True, slots=True, eq=False)
class TreeMismatch(Event):
    """A function of trees goes through several at once, and one has not the structure of the first."""

    function: str
    first: Operand
    other: Operand
    difference: Difference


@dataclass(frozen=True, slots=True, eq=False)
class ShapeLeaves(Event):
    """A tree whose leaves were meant to be shapes is taken apart down to the numbers in them."""

    function: str
    tree: Operand
    made_at: Place


@dataclass(frozen=True, slots=True, eq=False)
class StaticFieldArray(Event):
    """An object of a pytree class is made, and one of its static fields holds an array."""

    class_name: str
    field: str
    operand: Operand


@dataclass(frozen=True, slots=True, eq=False)
class InitializerCheck(Event):
    """An initializer that JAX runs for each object that it makes anew asks something of a leaf, or converts it.

    `kind`: value, type (of the array), host (a number or an array of NumPy is made of it) or array. `by` is what makes
    JAX run it.
    """

    class_name: str
    initializer: str
    leaf: str
    kind: str
    by: str


@dataclass(frozen=True, slots=True, eq=False)
class BrokenRoundTrip(Event):
    """An object of a pytree class that is flattened and made anew is not what it was.

    `kind`: lost (the attribute is in no part), swapped (it gets the value of the `other` one) or refused (the class is
    called without this parameter). `flattened` is where the parts are.
    """

    class_name: str
    attribute: str
    kind: str
    other: str
    flattened: Place
