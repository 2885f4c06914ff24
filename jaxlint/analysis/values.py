"""The abstract domain: what the analysis can know of one Python value, and how two such beliefs join.

A value is one atom or a Union of at most MAX_ATOMS of them; one more, and it is Unknown. Atoms are never
changed after they are made (they are not frozen dataclasses because the interpreter makes hundreds of
thousands); what changes lives in the state's heap, behind an Object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from typing import Union as TypingUnion

if TYPE_CHECKING:
    from jaxlint.analysis.frames import Frame, ModuleContext
    from jaxlint.analysis.transforms import Application
    from jaxlint.syntax import ir

MAX_ATOMS = 4

#: What tells two values apart where they may be the same object: hashable, built from fresh numbers and access paths.
Ident: TypeAlias = Any

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


@dataclass(slots=True, eq=False)
class Leaves:
    """A pytree of unknown structure, all of whose leaves are arrays of this level: a parameter of a traced function."""

    level: Level
    origin: Origin | None = None
    ident: Ident = None
    assumed: bool = False


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
    """A def or lambda with the frame it closes over. `cls` is the class whose body it stands in."""

    function: ir.Function
    module: ModuleContext
    closure: Frame
    defaults: dict[str, Value]
    cls: ClassValue | None = None
    binding: str = "function"  # or "staticmethod", "classmethod", "property"


@dataclass(slots=True, eq=False)
class BoundMethod:
    """A function with its first argument."""

    function: Value
    receiver: Value


@dataclass(slots=True, eq=False)
class Partial:
    """functools.partial(function, *args, **keywords)."""

    function: Value
    args: tuple[Value, ...]
    keywords: dict[str, Value]


@dataclass(slots=True, eq=False)
class Transformed:
    """What jit, grad, vmap ... return: a function that traces another."""

    application: Application


@dataclass(slots=True, eq=False)
class ClassValue:
    """A class of the project; `namespace` is its body's final environment."""

    cls: ir.Class
    module: ModuleContext
    namespace: dict[str, Value]
    bases: tuple[Value, ...]
    decorators: tuple[Value, ...] = ()
    kind: str = ""  # "namedtuple", "dataclass", "pytree", "module" (a framework's), "enum" or ""

    @property
    def name(self) -> str:
        """The class's own name."""
        return self.cls.name


@dataclass(slots=True, eq=False)
class Qualified:
    """A module, class or function of a library, by its fully qualified name."""

    name: str


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
    """Mutable memory that may be stored to: Pallas references, jax.Ref, nnx.Variable."""

    level: Level
    origin: Origin | None = None


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


Cell: TypeAlias = TypingUnion[ListCell, DictCell, SetCell, InstanceCell]


# --- constants and small questions

UNKNOWN = Unknown()
NONE = Static(None, "NoneType")
TRUE = Static(True, "bool")
FALSE = Static(False, "bool")
STATIC = Static()
STATIC_INT = Static(type="int")
STATIC_BOOL = Static(type="bool")
STATIC_STR = Static(type="str")
STATIC_FLOAT = Static(type="float")
STATIC_DTYPE = Static(type="dtype")


def constant(value: object) -> Static:
    """The Static of a literal."""
    if value is None:
        return NONE
    if value is True:
        return TRUE
    if value is False:
        return FALSE
    return Static(value, type(value).__name__)


def atoms_of(value: Value) -> tuple[Atom, ...]:
    """The atoms of any value."""
    return value.atoms if value.__class__ is Union else (value,)  # type: ignore[return-value]


def is_none(atom: Atom) -> bool:
    """True for the atom that is None itself."""
    return atom.__class__ is Static and atom.value is None


def level_of(atom: Value) -> Level | None:
    """The level of an array-like atom, None for all others."""
    if atom.__class__ in _LEVELLED:
        return atom.level  # type: ignore[union-attr]
    return None


_LEVELLED = frozenset((Array, Leaves, Key, Ref))


def has_no_value(atom: Value) -> bool:
    """True for an atom that is traced: Python cannot see its value."""
    return atom.__class__ in _LEVELLED and atom.level >= Level.MAPPED  # type: ignore[union-attr]


def origin_of(value: Value) -> Origin | None:
    """The evidence of the first atom that has any, traced ones first."""
    atoms = atoms_of(value)
    for atom in sorted(atoms, key=has_no_value, reverse=True) if len(atoms) > 1 else atoms:
        origin = getattr(atom, "origin", None)
        if origin is not None:
            return origin  # type: ignore[no-any-return]
    return None


def ident_of(value: Value) -> Ident:
    """What identifies the value, or None."""
    return getattr(value, "ident", None)


# --- join


def join(a: Value, b: Value) -> Value:
    """The least value that covers both. The very same object comes back where nothing changes."""
    if a is b:
        return a
    if a.__class__ is b.__class__ and a.__class__ is not Union:
        merged = _merge(a, b)  # type: ignore[arg-type]
        if merged is not None:
            return merged
    return union((*atoms_of(a), *atoms_of(b)))


def join_all(values: Iterator[Value] | Sequence[Value]) -> Value:
    """The join of any number of values; Unknown for none."""
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
    return UNKNOWN if result is None else result


def union(atoms: tuple[Atom, ...]) -> Value:
    """A value that is one of these atoms; atoms that merge are merged."""
    kept: list[Atom] = []
    for atom in atoms:
        for i, other in enumerate(kept):
            merged = atom if other is atom else _merge(other, atom)
            if merged is not None:
                kept[i] = merged
                break
        else:
            kept.append(atom)
    if len(kept) == 1:
        return kept[0]
    if len(kept) > MAX_ATOMS:
        return UNKNOWN
    return Union(tuple(kept))


def _merge(a: Atom, b: Atom) -> Atom | None:
    """One atom for both, or None where they must stay apart."""
    kind = a.__class__
    if kind is not b.__class__:
        if isinstance(a, Iterable) and isinstance(b, Tuple):
            return _absorb(a, b)
        return _absorb(b, a) if isinstance(a, Tuple) and isinstance(b, Iterable) else None
    merge = _MERGERS.get(kind)
    if merge is not None:
        return merge(a, b)  # type: ignore[no-any-return]
    return None


def _merge_unknown(a: Unknown, b: Unknown) -> Unknown:
    if a.ident is not None and a.ident == b.ident:
        return a
    return a if a.ident is None else Unknown(None, a.reason or b.reason)


def _merge_static(a: Static, b: Static) -> Static | None:
    same_type = a.type == b.type
    same = a.value is b.value or (same_type and _equal(a.value, b.value))
    if same and same_type and a.ident == b.ident:
        return a
    if (a.value is None) != (b.value is None):
        return None  # None stays apart, so that `is None` can narrow
    return Static(a.value if same else UNDETERMINED, a.type if same_type else None)


def _equal(a: object, b: object) -> bool:
    try:
        return bool(a == b)
    except Exception:  # comparing arbitrary constants must never end the analysis
        return False


def _merge_array(a: Array, b: Array) -> Array | None:
    if a.level is not b.level:
        return None
    dtype = a.dtype if a.dtype == b.dtype else join_dtype(a.dtype, b.dtype)
    shape = a.shape if a.shape == b.shape else _join_shape(a.shape, b.shape)
    ident = a.ident if a.ident == b.ident else None
    weak, assumed, readonly = a.weak and b.weak, a.assumed or b.assumed, a.readonly and b.readonly
    if (dtype, shape, ident, weak, assumed, readonly) == (
        a.dtype, a.shape, a.ident, a.weak, a.assumed, a.readonly,
    ):  # fmt: skip
        return a
    return Array(a.level, dtype, shape, weak, a.origin or b.origin, ident, assumed, readonly)


def join_dtype(a: str | None, b: str | None) -> str | None:
    """The class of names that two dtypes share, or None."""
    if a is None or b is None:
        return None
    first, second = a.rstrip("0123456789"), b.rstrip("0123456789")
    return first if first == second else None


def _join_shape(a: Shape, b: Shape) -> Shape:
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(x if x == y else None for x, y in zip(a, b))


def _merge_leaves(a: Leaves, b: Leaves) -> Leaves | None:
    if a.level is not b.level:
        return None
    if a.ident == b.ident and a.assumed >= b.assumed:
        return a
    ident = a.ident if a.ident == b.ident else None
    return Leaves(a.level, a.origin or b.origin, ident, a.assumed or b.assumed)


def _merge_key(a: Key, b: Key) -> Key | None:
    if a.ident != b.ident:
        return None
    shape = a.shape if a.shape == b.shape else _join_shape(a.shape, b.shape)
    level, typed = max(a.level, b.level), a.typed and b.typed
    if (shape, level, typed) == (a.shape, a.level, a.typed):
        return a
    return Key(a.ident, level, shape, a.origin or b.origin, typed)


def _merge_tuple(a: Tuple, b: Tuple) -> Atom | None:
    if a.cls is not b.cls:
        return None
    if len(a.elements) == len(b.elements) and a.names == b.names:
        joined = tuple(map(join, a.elements, b.elements))
        if all(x is y for x, y in zip(joined, a.elements)):
            return a
        return Tuple(joined, a.names, a.cls)
    return Iterable("tuple", join_all([*a.elements, *b.elements]))


def _absorb(many: Iterable, one: Tuple) -> Iterable | None:
    """A tuple of unknown length covers one whose elements are known."""
    if many.kind != "tuple" or one.cls is not None:
        return None
    element = join_all([many.element, *one.elements])
    return many if element is many.element else replace(many, element=element)


def _merge_iterable(a: Iterable, b: Iterable) -> Iterable | None:
    if a.kind != b.kind:
        return None
    element = join(a.element, b.element)
    length = None if a.length is None or b.length is None else join(a.length, b.length)
    once = a.once or b.once
    if element is a.element and length is a.length and once is a.once:
        return a
    return replace(a, element=element, length=length, once=once)


def _merge_object(a: Object, b: Object) -> Object | None:
    return a if a.oid == b.oid else None


def _merge_function(a: FunctionValue, b: FunctionValue) -> FunctionValue | None:
    return a if a.function is b.function and a.closure is b.closure else None


def _merge_named(a: Qualified, b: Qualified) -> Qualified | None:
    return a if a.name == b.name else None


def _merge_bound(a: BoundMethod, b: BoundMethod) -> BoundMethod | None:
    function = join(a.function, b.function)
    receiver = join(a.receiver, b.receiver)
    if function is a.function and receiver is a.receiver:
        return a
    return None if function.__class__ is Union else BoundMethod(function, receiver)


def _merge_member(a: Member, b: Member) -> Member | None:
    return Member(join(a.receiver, b.receiver), a.name) if a.name == b.name else None


def _merge_ref(a: Ref, b: Ref) -> Ref | None:
    return a if a.level is b.level else None


def _merge_update(a: Update, b: Update) -> Update | None:
    return Update(join(a.array, b.array), a.indexed) if a.indexed == b.indexed else None


_MERGERS: dict[type, Any] = {
    Unknown: _merge_unknown,
    Static: _merge_static,
    Array: _merge_array,
    Leaves: _merge_leaves,
    Key: _merge_key,
    Tuple: _merge_tuple,
    Iterable: _merge_iterable,
    Object: _merge_object,
    FunctionValue: _merge_function,
    Qualified: _merge_named,
    BoundMethod: _merge_bound,
    Member: _merge_member,
    Ref: _merge_ref,
    Update: _merge_update,
}


@dataclass(slots=True, eq=False)
class Arguments:
    """The evaluated arguments of a call, and the nodes they stand at (-1: none).

    `extra` is set where `*args` or `**kw` of unknown length were given.
    """

    positional: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    positional_at: list[int] = field(default_factory=list)
    keyword_at: dict[str, int] = field(default_factory=dict)
    extra: bool = False

    def all(self) -> list[Value]:
        """Every argument, positional ones first."""
        return [*self.positional, *self.keywords.values()]

    def get(self, position: int | None, name: str | None) -> Value | None:
        """The argument at this position or under this keyword, None where it is not given."""
        if name is not None and name in self.keywords:
            return self.keywords[name]
        if position is not None and position < len(self.positional):
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
        return Arguments(
            self.positional[count:], dict(self.keywords), self.positional_at[count:], dict(self.keyword_at), self.extra
        )

    def before(self, values: tuple[Value, ...], keywords: dict[str, Value]) -> Arguments:
        """The arguments behind others that were bound earlier."""
        return Arguments(
            [*values, *self.positional],
            {**keywords, **self.keywords},
            [*([-1] * len(values)), *self.positional_at],
            dict(self.keyword_at),
            self.extra,
        )
