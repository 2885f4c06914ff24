"""The abstract domain: what the analysis can know of one Python value; `lattice` joins two such beliefs.

A value is one atom or a Union of at most MAX_ATOMS of them; one more, and it is Unknown. Atoms never change (there are
too many for frozen dataclasses); what changes lives in the state's heap, behind Objects.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from typing import Union as TypingUnion

from jaxlint.analysis.domain.idents import Ident

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.domain.class_fields import Said
    from jaxlint.analysis.domain.frames import Frame, ModuleContext
    from jaxlint.syntax import ir

MAX_ATOMS = 4

#: Dimensions: an int, a name for a symbolic one, or None where nothing is known.
Dim: TypeAlias = "int | str | None"
Shape: TypeAlias = "tuple[Dim, ...] | None"


class Level(IntEnum):
    """How an array relates to tracing; operations give the highest level of their operands and their surroundings."""

    HOST = 0  # a NumPy array
    CONCRETE = 1  # a JAX array that has a value
    ANY = 2  # a JAX array of which we do not know whether it is traced
    GRAD = 3  # differentiated only: it has a value but is lifted
    MAPPED = 4  # under vmap: no value, but operations on constants stay concrete
    TRACED = 5  # under jit, scan, ...: no value, and every operation around it is traced

    @property
    def has_no_value(self) -> bool:
        """True where Python's bool(), int() and index() raise."""
        return self >= Level.MAPPED


class Origin(NamedTuple):
    """Where a value comes from: one step of the evidence. `kind` is a key of ORIGIN_TEXT."""

    kind: str
    detail: str
    path: str
    at: int
    parent: Origin | None


class Reason(NamedTuple):
    """Why a value is unknown, for `why` and the statistics."""

    what: str
    path: str
    at: int


@dataclass(slots=True, eq=False)
class Unknown:
    """Top: nothing is known but, perhaps, which value it is."""

    ident: Ident = None
    reason: Reason | None = None


@dataclass(slots=True, eq=False)
class Made(Unknown):
    """An object of a framework's class `cls`: unknown, but for what the tables say of the class's members."""

    cls: str = ""
    level: Level = Level.HOST  # of the arrays in it
    origin: Origin | None = None
    options: frozenset[tuple[str, Any]] = frozenset()  # the flags that its maker was given
    declared: bool = False  # an annotation alone tells of which class it is


class _Undetermined:
    """The type of UNDETERMINED."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "?"

    def __reduce__(self) -> str:
        return "UNDETERMINED"  # copies are the very same object


#: Stands for a Python value that is known to exist at trace time but not to us.
UNDETERMINED: Any = _Undetermined()


@dataclass(slots=True, eq=False)
class Static:
    """A Python value at trace time: number, string, shape entry, dtype, None. `type` is its class's name, if known."""

    value: Any = UNDETERMINED
    type: str | None = None
    ident: Ident = None

    @property
    def known(self) -> bool:
        """Whether the value itself is known."""
        return self.value is not UNDETERMINED


@dataclass(slots=True, eq=False)
class Array:
    """An array. `dtype` is a name ("float32") or a class of names ("int"); `ident` serves key states."""

    level: Level
    dtype: str | None = None
    shape: Shape = None
    weak: bool = False
    origin: Origin | None = None
    ident: Ident = None
    assumed: bool = False
    readonly: bool = False  # a NumPy view of a JAX array
    strong: bool = False  # surely not weak
    axes: int = 0  # where the shape is unknown: there are as many axes at least


@dataclass(slots=True, eq=False)
class Leaves:
    """A pytree of unknown structure, all of whose leaves are arrays of this level: a parameter of a traced function.

    An `element` was met in a walk over such a tree, which may be a dict: then it is a key. A `container` is no array.
    """

    level: Level
    origin: Origin | None = None
    ident: Ident = None
    assumed: bool = False
    element: bool = False
    container: bool = False


@dataclass(slots=True, eq=False)
class Key:
    """A PRNG key (shape ()) or an array of keys (other shapes; None: unknown)."""

    ident: Ident
    level: Level
    shape: Shape = ()
    origin: Origin | None = None
    typed: bool = False  # made by jax.random.key: no array of raw bits


@dataclass(slots=True, eq=False)
class Tuple:
    """A tuple of known length. `cls` is set for named tuples, whose fields are `names`."""

    elements: tuple[Value, ...]
    names: tuple[str, ...] = ()
    cls: ClassValue | None = None


@dataclass(slots=True, eq=False)
class Iterable:
    """Something to iterate over, of unknown length: range, zip, dict view, generator, tuple, ...

    `once` marks iterators, which are empty after one pass. `length` bounds range() where it is known.
    """

    kind: str
    element: Value
    once: bool = False
    length: Value | None = None
    ident: Ident = None
    birth: Birth | None = None


@dataclass(slots=True, eq=False)
class Object:
    """A reference to a heap cell: list, dict, set or instance."""

    oid: int


@dataclass(slots=True, eq=False)
class FunctionValue:
    """A def or lambda with the frame it closes over.

    `cls` is the class it stands in, `wrapped` what `functools.wraps` copied, `setter` what a store to a property calls.
    """

    function: ir.Function
    module: ModuleContext
    closure: Frame
    defaults: dict[str, Value]
    cls: ClassValue | None = None
    binding: str = "function"  # or "staticmethod", "classmethod", "property"
    made: int = 0  # the serial number of the evaluation that made it
    wrapped: Value | None = None
    setter: FunctionValue | None = None


@dataclass(slots=True, eq=False)
class BoundMethod:
    """A function with its first argument."""

    function: Value
    receiver: Value


@dataclass(slots=True, eq=False)
class Partial:
    """functools.partial(function, *args, **keywords); `made` is the serial number of the evaluation that made it."""

    function: Value
    args: tuple[Value, ...]
    keywords: dict[str, Value]
    made: int = 0
    is_pytree: bool = False  # what it binds are its leaves
    binding: str = "function"  # or "classmethod"


@dataclass(slots=True, eq=False)
class Transformed:
    """What jit, grad, vmap ... return: a function that traces another."""

    application: Application
    binding: str = "function"  # or "classmethod"


@dataclass(slots=True, eq=False)
class ClassValue:
    """A class of the project; `namespace` is its body's final environment.

    `flatten` and `auxiliary` are what it was registered with as a pytree: the function that flattens an instance, and
    the names of the fields that are no leaves. `said` is what the body says of fields, once somebody asked. `after` is
    the method that an initializer which a decorator writes calls last.
    """

    cls: ir.Class
    module: ModuleContext
    namespace: dict[str, Value]
    bases: tuple[Value, ...]
    decorators: tuple[Value, ...] = ()
    kind: str = ""  # as in the table of classes, or ""
    flatten: ir.Function | None = None
    auxiliary: frozenset[str] = frozenset()
    said: Said | None = None
    after: str = "__post_init__"

    @property
    def name(self) -> str:
        """The class's own name."""
        return self.cls.name


@dataclass(slots=True, eq=False)
class Qualified:
    """A module, class or function of a library, by its fully qualified name; a generic type with its `parts`."""

    name: str
    parts: tuple[Value, ...] = ()


@dataclass(slots=True, eq=False)
class ModuleValue:
    """A module of the project."""

    module: ModuleContext


@dataclass(slots=True, eq=False)
class Member:
    """A method taken from a value that is no project object: `x.sum`, `items.append`, `"".join`."""

    receiver: Value
    name: str


@dataclass(slots=True, eq=False)
class Ref:
    """Memory: jax.Ref, nnx.Variable, and references of a `kernel`, which are read and written by indexing alone."""

    level: Level
    origin: Origin | None = None
    kernel: bool = False


@dataclass(slots=True, eq=False)
class Update:
    """`x.at` (`indexed` False) and `x.at[i]`."""

    array: Value
    indexed: bool
    index: tuple[Value, ...] = ()


@dataclass(slots=True, eq=False)
class Super:
    """`super()`: attributes of `receiver` are looked up behind `cls`."""

    cls: ClassValue
    receiver: Value


Atom: TypeAlias = TypingUnion[
    Unknown, Static, Array, Leaves, Key, Tuple, Iterable, Object, FunctionValue, BoundMethod, Partial, Transformed,
    ClassValue, Qualified, ModuleValue, Member, Ref, Update, Super,
]  # fmt: skip


@dataclass(slots=True, eq=False)
class Union:
    """One of several atoms, at most MAX_ATOMS, no two of which would merge."""

    atoms: tuple[Atom, ...]


Value: TypeAlias = TypingUnion[Atom, Union]


# --- heap cells


class Birth(NamedTuple):
    """When and where a mutable object came to be: the frame's serial number tells whose it is."""

    frame: int
    path: str
    at: int
    declared: bool = False  # an annotation alone tells what it is
    claimed: bool = False  # that of a parameter tells it, and a call in view gives what nobody knows


@dataclass(slots=True, eq=False)
class ListCell:
    """A list: its exact `elements`, or None and the join of all elements."""

    birth: Birth
    elements: tuple[Value, ...] | None
    element: Value


@dataclass(slots=True, eq=False)
class DictCell:
    """A dict: the items under known keys, and the join of all others (None: there are none)."""

    birth: Birth
    items: dict[Any, Value]
    rest: Value | None


@dataclass(slots=True, eq=False)
class SetCell:
    """A set."""

    birth: Birth
    element: Value


@dataclass(slots=True, eq=False)
class InstanceCell:
    """An instance of a project's class. `open` means that it may have attributes that we have not seen set."""

    birth: Birth
    cls: ClassValue
    attributes: dict[str, Value]
    open: bool = True
    label: str = ""
    ident: Ident = None
    level: Level | None = None  # set where the instance is an argument of a traced function
    origin: Origin | None = None
    arrays: Level | None = None  # the level of what is an array in it, where its other attributes are static


Cell: TypeAlias = TypingUnion[ListCell, DictCell, SetCell, InstanceCell]
CONTAINERS = (ListCell, DictCell, SetCell)  # Python's own

UNKNOWN = Unknown()
NONE = Static(None, "NoneType")
TRUE = Static(True, "bool")
FALSE = Static(False, "bool")
STATIC = Static()
STATIC_INT = Static(type="int")
STATIC_BOOL = Static(type="bool")
STATIC_STR = Static(type="str")
STATIC_DTYPE = Static(type="dtype")


@lru_cache(maxsize=4096, typed=True)
def constant(value: Hashable) -> Static:
    """The Static of a literal."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return TRUE if value else FALSE
    return Static(value, type(value).__name__)


def atoms_of(value: Value) -> tuple[Atom, ...]:
    """The atoms of any value."""
    return value.atoms if isinstance(value, Union) else (value,)


def is_none(atom: Value) -> bool:
    """True for the atom that is None itself."""
    return atom.__class__ is Static and atom.value is None


def level_of(atom: Value) -> Level | None:
    """The level of an array-like atom, None for all others."""
    return atom.level if atom.__class__ in _LEVELLED else None  # type: ignore[union-attr]


_LEVELLED = frozenset((Array, Leaves, Key, Ref))


def has_no_value(atom: Value) -> bool:
    """True for an atom that is traced: Python cannot see its value."""
    return atom.__class__ in _LEVELLED and atom.level >= Level.MAPPED  # type: ignore[union-attr]


def is_traced(value: Value) -> bool:
    """True where some atom has no value at trace time."""
    return any(has_no_value(atom) for atom in atoms_of(value))


def origin_of(value: Value) -> Origin | None:
    """The evidence of the first atom that has any, traced ones first."""
    atoms = atoms_of(value)
    in_order = sorted(atoms, key=has_no_value, reverse=True) if len(atoms) > 1 else atoms
    found = (getattr(atom, "origin", None) for atom in in_order)
    return next((origin for origin in found if origin is not None), None)


def ident_of(value: Value) -> Ident:
    """What identifies the value, or None."""
    return getattr(value, "ident", None)


# --- arguments of calls


@dataclass(slots=True, eq=False)
class Arguments:
    """The evaluated arguments of a call, and the nodes they stand at (-1: none).

    `extra` is set where `*args` or `**kw` of unknown length were given: `spread` is any element of the former, with
    `tail` behind it, `named` any item of the latter.
    """

    positional: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    positional_at: list[int] = field(default_factory=list)
    keyword_at: dict[str, int] = field(default_factory=dict)
    extra: bool = False
    spread: Value | None = None
    tail: tuple[Value, ...] = ()
    named: Value | None = None

    def all(self) -> list[Value]:
        """Every argument, positional ones first; of those that are spread, one."""
        spread = [value for value in (self.spread, *self.tail, self.named) if value is not None]
        return [*self.positional, *self.keywords.values(), *spread]

    @property
    def first(self) -> Value:
        """The first positional argument; Unknown where there is none."""
        return self.positional[0] if self.positional else UNKNOWN

    def get(self, position: int | None, name: str | None) -> Value | None:
        """The argument at this position or under this keyword, None where it is not given."""
        if name is not None and name in self.keywords:
            return self.keywords[name]
        if position is not None and -len(self.positional) <= position < len(self.positional):
            return self.positional[position]
        return None

    def at(self, position: int | None, name: str | None) -> int:
        """The node of the argument at this position or under this keyword, -1 where there is none."""
        if name is not None and name in self.keywords:
            return self.keyword_at.get(name, -1)
        if position is not None and position < len(self.positional_at):
            return self.positional_at[position]
        return -1

    def after(self, count: int) -> Arguments:
        """The arguments without the first `count` positional ones."""
        return self._with(self.positional[count:], self.positional_at[count:], self.keywords)

    def before(self, values: tuple[Value, ...], keywords: dict[str, Value]) -> Arguments:
        """The arguments behind others that were bound earlier."""
        places = [*([-1] * len(values)), *self.positional_at]
        return self._with([*values, *self.positional], places, {**keywords, **self.keywords})

    def _with(self, positional: list[Value], places: list[int], keywords: dict[str, Value]) -> Arguments:
        rest = self.extra, self.spread, self.tail, self.named
        return Arguments(positional, dict(keywords), places, dict(self.keyword_at), *rest)
