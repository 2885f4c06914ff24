"""Identities: what tells two values apart where they may be the same object.

They are built from serial numbers, which grow over a run, and from paths of access. Each is a tuple whose last field
names its kind, since tuples of two kinds with equal fields would be equal.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal, NamedTuple, TypeAlias, Union


class MadeAt(NamedTuple):
    """A value that an evaluation of the node `at` made."""

    at: int
    serial: int
    kind: Literal["made"] = "made"


class GivenOut(NamedTuple):
    """A number that a counter gives out: another one each time."""

    at: int
    serial: int
    kind: Literal["given out"] = "given out"


class StartsAs(NamedTuple):
    """A number that a loop changes, as long as it is what it was before: known to tests alone, as of the first pass."""

    number: int | float | complex
    serial: int
    kind: Literal["starts as"] = "starts as"


class Row(NamedTuple):
    """What one run of a mapped function gets of an array."""

    base: Ident
    serial: int
    kind: Literal["row"] = "row"


class Fresh(NamedTuple):
    """Something that nothing else is."""

    serial: int
    kind: Literal["fresh"] = "fresh"


class OfParameter(NamedTuple):
    """What a parameter holds in a call that nobody has seen."""

    serial: int
    name: str
    kind: Literal["parameter"] = "parameter"


class OfFlag(NamedTuple):
    """A flag of a traced function in a call that nobody has seen: a tracer, which no test takes, or its default."""

    serial: int
    default: bool
    kind: Literal["flag"] = "flag"


class OfResult(NamedTuple):
    """What a trace gives back."""

    serial: int
    kind: Literal["result"] = "result"


class OfOperation(NamedTuple):
    """What an operator makes of values of which one is not known: it is not None."""

    serial: int
    kind: Literal["operation"] = "operation"


class OfSelf(NamedTuple):
    """The object of a method of which no call is known."""

    serial: int
    kind: Literal["self"] = "self"


class OfObject(NamedTuple):
    """An object, by the serial number at which it was made."""

    serial: int
    kind: Literal["object"] = "object"


class OfFailure(NamedTuple):
    """What a call gives that surely raises: nothing."""

    serial: int
    kind: Literal["failure"] = "failure"


class Again(NamedTuple):
    """What something is after a change, or in another call: no longer what it was."""

    serial: int
    before: Ident
    kind: Literal["again"] = "again"


class Item(NamedTuple):
    """An element of an array or a container."""

    base: Ident
    which: Index
    kind: Literal["item"] = "item"


class Part(NamedTuple):
    """Some elements of an array of keys, by how they were taken."""

    base: Ident
    taken: Index
    kind: Literal["part"] = "part"


class Elements(NamedTuple):
    """All elements of an array of keys, where uses of single ones are noted."""

    base: Ident
    kind: Literal["elements"] = "elements"


class AttributeOf(NamedTuple):
    """An attribute of an object of which nothing else is known; also where its value stands in the heap."""

    base: Ident
    name: str
    kind: Literal["attribute"] = "attribute"


class FieldOf(NamedTuple):
    """A field of a named tuple of which nothing else is known."""

    base: Ident
    name: str
    kind: Literal["field"] = "field"


class OfGlobal(NamedTuple):
    """What a name of a module holds that its code does not bind."""

    path: str
    name: str
    kind: Literal["global"] = "global"


class OfDimension(NamedTuple):
    """The length of an array along a dimension that has a name."""

    name: str
    kind: Literal["dimension"] = "dimension"


class Stream(NamedTuple):
    """The random numbers that a module draws under a name."""

    name: str
    kind: Literal["stream"] = "stream"


class Collection(NamedTuple):
    """The variables that a module updates under a name."""

    name: str
    kind: Literal["collection"] = "collection"


class Each(NamedTuple):
    """The index of an element met in a walk over all: the same walk in another call meets the same ones."""

    at: int
    iteration: tuple[int, ...]
    number: int
    kind: Literal["each"] = "each"


class ByKey(NamedTuple):
    """The index of an entry by its key, in a container of which only the join of all entries is known."""

    key: Hashable
    kind: Literal["key"] = "key"


class Constant(NamedTuple):
    """A constant that says what was done with a key: folded in, or the number of subkeys."""

    value: Hashable
    kind: Literal["constant"] = "constant"


class Derived(NamedTuple):
    """The stream for which a framework draws: not from the key itself, but with the place of the draw folded in.

    `parts`: the parts of the module that draw, where they are known by their names.
    """

    stream: str
    parts: frozenset[str] = frozenset()
    kind: Literal["derived"] = "derived"

    def meets(self, other: Derived) -> bool:
        """Whether the same place may be folded in for another draw."""
        apart = self.parts and other.parts and self.parts.isdisjoint(other.parts)
        return self.stream == other.stream and not apart


class FromEnd(NamedTuple):
    """The index of an element that an unpacking counts from the end."""

    number: int
    kind: Literal["end"] = "end"


class RestFrom(NamedTuple):
    """The elements that a starred name of an unpacking takes."""

    number: int
    kind: Literal["rest"] = "rest"


#: None tells nothing apart.
Ident: TypeAlias = Union[
    StartsAs,
    MadeAt,
    GivenOut,
    Row,
    Fresh,
    OfParameter,
    OfFlag,
    OfResult,
    OfOperation,
    OfSelf,
    OfObject,
    OfFailure,
    Again,
    Item,
    Part,
    Elements,
    AttributeOf,
    FieldOf,
    OfGlobal,
    OfDimension,
    Stream,
    Collection,
    Each,
    None,
]
#: A constant, an identity, or a plain tuple of several.
Index: TypeAlias = Hashable


class Version(NamedTuple):
    """Where the heap keeps how often the contents of an unknown object may have changed."""

    base: Ident
    kind: Literal["version"] = "version"


class Given(NamedTuple):
    """Where the heap keeps what an attribute of an object from outside is: of it, or of a copy made for a trace.

    A copy is told by its level and the trace or frame that it was made for.
    """

    base: Ident
    name: str
    level: str
    owner: int
    kind: Literal["given"] = "given"


class ElementOf(NamedTuple):
    """Where the heap keeps the object that stands for all elements, of which another one is an example."""

    oid: int
    kind: Literal["element of"] = "element of"


#: Where an entry of the heap stands: an object by its serial number, what is known of unknown ones by identity.
HeapKey: TypeAlias = Union[int, AttributeOf, Version, Given, ElementOf]


def made_at(part: Index) -> int:
    """The serial number at which an identity or an index came to be: the youngest of its parts; 0 where it has none."""
    match part:
        case (
            MadeAt(serial=serial)
            | GivenOut(serial=serial)
            | Row(serial=serial)
            | Fresh(serial=serial)
            | OfParameter(serial=serial)
            | OfFlag(serial=serial)
            | OfResult(serial=serial)
            | OfOperation(serial=serial)
            | OfSelf(serial=serial)
            | OfObject(serial=serial)
            | OfFailure(serial=serial)
            | Again(serial=serial)
        ):
            return serial
        case OfGlobal():
            return 1
        case AttributeOf(base=base) | FieldOf(base=base) | Elements(base=base):
            return made_at(base)
        case Item(base=base, which=index) | Part(base=base, taken=index):
            return max(made_at(base), made_at(index))
        case Each() | ByKey() | Constant() | FromEnd() | RestFrom() | Stream() | Collection():
            return 0
        case (_, *_):  # several indices
            return max(map(made_at, part))
        case _:
            return 0
