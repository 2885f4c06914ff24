"""Events of pytrees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.events.event import Event, Operand
from jaxlint.diagnostics import Confidence

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application


@dataclass(frozen=True, slots=True, eq=False)
class TreeCall(Event):
    """A `jax.tree` function maps over trees whose structure is partly known.

    `lacks_container`: a tree behind the first has None in the place of a container of the first, where no `is_leaf`
    that accepts None helps.
    """

    name: str
    trees: tuple[Operand, ...]
    has_is_leaf: bool
    none_paths: tuple[Any, ...]
    tests_none: bool = False
    lacks_container: bool = False


class LeafFault(NamedTuple):
    """A leaf that is not an array, a number or None, or a dict whose keys cannot be sorted.

    `kind` is instance, enum, text, function, collection, iterator or keys. `what` names it in a message, with its
    article. `is_nested` is set if it is inside a container. `made` is where
    a set is made.
    """

    kind: str
    what: str
    is_nested: bool
    confidence: Confidence
    made: Place | None = None

    @property
    def class_name(self) -> str:
        """The class of an instance, as it is named in `what`."""
        return self.what.split("`")[1] if self.kind == "instance" else ""


@dataclass(frozen=True, slots=True, eq=False)
class InvalidLeaf(Event):
    """An argument or result of a transform holds a leaf that JAX rejects.

    `parameter` is empty for results, and None where it is not known which one takes the argument.
    """

    raises: ClassVar[bool] = True

    operand: Operand
    transform: str
    parameter: str | None
    fault: LeafFault
    hashes_statics: bool = False
    application: Application | None = None

    @property
    def is_result(self) -> bool:
        """Whether the traced function returns it."""
        return self.parameter == ""


@dataclass(frozen=True, slots=True, eq=False)
class UnsortableKeys(Event):
    """JAX flattens a dict whose keys cannot be sorted."""

    operand: Operand
    function: str
    fault: LeafFault


class Difference(NamedTuple):
    """Where two trees differ, as the text that leads there, and what each of them has there, for a message."""

    path: str
    first: str
    other: str


@dataclass(frozen=True, slots=True, eq=False)
class TreeMismatch(Event):
    """A `jax.tree` function takes several trees, and one has another structure than the first."""

    function: str
    first: Operand
    other: Operand
    difference: Difference


@dataclass(frozen=True, slots=True, eq=False)
class ShapeLeaves(Event):
    """JAX flattens a tree of shapes down to their integers."""

    function: str
    tree: Operand
    made_at: Place


@dataclass(frozen=True, slots=True, eq=False)
class StaticFieldArray(Event):
    """A static field of a pytree object holds an array."""

    class_name: str
    field: str
    operand: Operand


@dataclass(frozen=True, slots=True, eq=False)
class InitializerCheck(Event):
    """An initializer that JAX calls to rebuild objects tests or converts a leaf.

    `kind` is value, type (of the array), host (it makes a number or a NumPy array of the leaf) or array. `by` is what
    makes JAX call it.
    """

    class_name: str
    initializer: str
    leaf: str
    kind: str
    by: str


@dataclass(frozen=True, slots=True, eq=False)
class BrokenRoundTrip(Event):
    """A pytree object that JAX flattens and rebuilds is not equal to the original.

    `kind` is lost (no part holds the attribute), swapped (it receives the value of `other`), refused (the class is
    called without this parameter) or unlisted (the registration of a dataclass leaves the field out). `flattened` is
    the place of the parts.
    """

    class_name: str
    attribute: str
    kind: str
    other: str
    flattened: Place
