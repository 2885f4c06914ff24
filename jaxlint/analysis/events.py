"""What the interpreter tells the rules: one frozen event per operation that a rule may find fault with.

Events carry values and places, never libcst nodes. A rule picks events by type, asks their operands, and
answers with `event.diagnostic(...)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxlint.analysis import evidence
from jaxlint.analysis.findings import Finding, FindingNote, Place
from jaxlint.analysis.values import (
    Arguments,
    Array,
    Atom,
    Iterable,
    Leaves,
    Level,
    Unknown,
    Value,
    atoms_of,
    has_no_value,
    level_of,
)
from jaxlint.diagnostics import Confidence

if TYPE_CHECKING:
    from jaxlint.analysis.frames import Frame, Trace
    from jaxlint.analysis.state import KeyUse
    from jaxlint.analysis.transforms import Application
    from jaxlint.analysis.values import Birth
    from jaxlint.jaxapi.rows import MemberRow, NumpyRow
    from jaxlint.syntax import ir


@dataclass(frozen=True, slots=True, eq=False)
class Operand:
    """A value where it is used."""

    value: Value
    frame: Frame
    at: int

    @property
    def text(self) -> str:
        """The expression as written."""
        return self.frame.module.text(self.at)

    @property
    def traced(self) -> bool:
        """Some atom has no value at trace time."""
        return any(has_no_value(atom) for atom in atoms_of(self.value))

    @property
    def lifted(self) -> bool:
        """Some atom is traced, or lifted by grad alone."""
        return any((level_of(atom) or 0) >= Level.GRAD for atom in atoms_of(self.value))

    @property
    def confidence(self) -> Confidence:
        """How sure `traced` (or `lifted`) is: from the other atoms and from the assumptions behind this one.

        In a hypothetical call some parameters may be at their defaults, so that a value which is static on one path
        may be static on every path that is taken.
        """
        sure = confidence(self.value)
        trace = self.frame.trace
        if sure is Confidence.LIKELY and trace is not None and trace.is_hypothetical and _is_mixed(self.value):
            return Confidence.POSSIBLE
        return sure

    @property
    def evidence(self) -> tuple[FindingNote, ...]:
        """The chain from the value back to what made it traced."""
        return evidence.notes(self.value, self.frame)


def confidence(value: Value) -> Confidence:
    """Certain where every atom is traced or lifted, likely where one is or an assumption was made, else possible."""
    atoms = atoms_of(value)
    if any(atom.__class__ is Unknown for atom in atoms):
        return Confidence.POSSIBLE
    lifted = [atom for atom in atoms if (level_of(atom) or 0) >= Level.GRAD]
    if len(lifted) < len(atoms) or any(_assumed(atom) for atom in lifted):
        return Confidence.LIKELY
    return Confidence.CERTAIN


def _is_mixed(value: Value) -> bool:
    return any((level_of(atom) or Level.HOST) < Level.GRAD for atom in atoms_of(value))


def _assumed(atom: Atom) -> bool:
    return isinstance(atom, (Array, Leaves)) and atom.assumed


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """Something at one node, in one invocation."""

    frame: Frame
    at: int

    @property
    def place(self) -> Place:
        """Where a finding about the event stands."""
        return Place(self.frame.path, self.at)

    @property
    def text(self) -> str:
        """The operation as written."""
        return self.frame.module.text(self.at)

    @property
    def trace(self) -> Trace | None:
        """The innermost trace around the operation, if there is one."""
        return self.frame.trace

    def diagnostic(
        self,
        message: str,
        *,
        notes: tuple[FindingNote, ...] = (),
        confidence: Confidence = Confidence.CERTAIN,
        place: Place | None = None,
    ) -> Finding:
        """A finding here; `notes` come before the calls that lead to this invocation."""
        where = self.place if place is None else place
        return Finding("", where, message, (*notes, *evidence.call_notes(self.frame)), confidence, self.frame.qualname)

    def traced_by(self) -> tuple[FindingNote, ...]:
        """The note that says what traces the code around the operation."""
        return () if self.trace is None else evidence.trace_notes(self.trace)


@dataclass(frozen=True, slots=True, eq=False)
class Branch(Event):
    """A truth test: `keyword` is if, while, assert, and, or, not, a comparison chain, `in`, or a builtin's name."""

    test: Operand
    keyword: str


@dataclass(frozen=True, slots=True, eq=False)
class IntegerNeeded(Event):
    """A value that must be a Python integer: in range(), as a count, an index of a container, a repeat."""

    operand: Operand
    use: str  # "range", "index" (container), "slice" (of a container), "repeat"
    container: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Iteration(Event):
    """`for` or a comprehension over a value."""

    iterable: Operand


@dataclass(frozen=True, slots=True, eq=False)
class Conversion(Event):
    """float(x), x.item(), math.exp(x), operator.index(x): `function` as written, `row` what it does to tracers."""

    operand: Operand
    function: str
    row: NumpyRow | MemberRow | None


@dataclass(frozen=True, slots=True, eq=False)
class NumpyCall(Event):
    """A NumPy or SciPy function given an array of JAX."""

    operand: Operand
    function: str
    row: NumpyRow


@dataclass(frozen=True, slots=True, eq=False)
class ShapeArgument(Event):
    """A value in a place that must be static: shape, axis, size, number of classes ..."""

    operand: Operand
    function: str
    parameter: str
    concrete: bool  # even a concrete JAX array is rejected


@dataclass(frozen=True, slots=True, eq=False)
class ArraySubscript(Event):
    """`base[index]` on an array, and `base.at[index]`; one event for the whole index."""

    base: Operand
    index: tuple[Operand, ...]
    slices: tuple[tuple[Operand, ...], ...]
    is_update: bool


@dataclass(frozen=True, slots=True, eq=False)
class DataDependentShape(Event):
    """A call whose result's shape depends on data, without the argument that would fix it."""

    operand: Operand
    function: str
    remedy: str


@dataclass(frozen=True, slots=True, eq=False)
class Hashed(Event):
    """A value used as a dict key, set member or argument of a cached function."""

    operand: Operand
    use: str


@dataclass(frozen=True, slots=True, eq=False)
class Formatted(Event):
    """A value turned to text: `how` is f-string, str, format, %, print, log ...; `spec` is a non-empty format spec."""

    operand: Operand
    how: str
    spec: bool


@dataclass(frozen=True, slots=True, eq=False)
class ItemStore(Event):
    """`base[index] = value` (`op` empty), `base[index] op= value`, or `del base[index]` (`op` "del")."""

    base: Operand
    index: tuple[Operand, ...]
    op: str
    value: Operand | None


@dataclass(frozen=True, slots=True, eq=False)
class Discarded(Event):
    """A statement that throws away the result of a call; `method` is set for methods of arrays and `.at[...]`."""

    call: ir.Call
    method: str
    receiver: Operand | None
    function: str
    is_array_function: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class InPlaceCall(Event):
    """A call that would write into an array: `np.add.at(x, ...)`, `x.fill(0)`, `out=x`, `np.copyto(x, ...)`."""

    target: Operand
    how: str
    is_statement: bool


@dataclass(frozen=True, slots=True, eq=False)
class LibraryCall(Event):
    """A call in traced code of a library function that reaches outside, by its canonical name.

    `effect` is the kind of the table of effects; `texts` are the traced values turned to text in the arguments.
    """

    name: str
    effect: str
    arguments: Arguments
    call: ir.Call
    texts: tuple[Operand, ...]

    def traced_parts(self) -> tuple[Operand, ...]:
        """The traced values among the arguments, and those turned to text inside them."""
        pairs = [*zip(self.arguments.positional, self.arguments.positional_at)]
        pairs += [(value, self.arguments.keyword_at.get(key, -1)) for key, value in self.arguments.keywords.items()]
        direct = [Operand(value, self.frame, at) for value, at in pairs if at >= 0]
        return tuple(operand for operand in (*direct, *self.texts) if operand.traced)


@dataclass(frozen=True, slots=True, eq=False)
class NameStore(Event):
    """A global or nonlocal name, or a module's attribute, is assigned; `owner` is the frame whose name it is."""

    name: str
    kind: str  # "global", "nonlocal", "module attribute"
    value: Operand
    owner: Frame | None
    is_cache: bool  # behind a test that the name is not set yet

    @property
    def is_outside(self) -> bool:
        """Whether the name belongs to code outside the trace."""
        return self.trace is not None and (self.owner is None or self.owner.serial < self.trace.entry)

    @property
    def is_lost(self) -> bool:
        """Whether the store happens at trace time only."""
        serial = 0 if self.owner is None else self.owner.serial
        return self.trace is not None and any(t.level is Level.TRACED for t in self.trace.crossed(serial))


@dataclass(frozen=True, slots=True, eq=False)
class AttributeStore(Event):
    """`receiver.name = value`; `birth` tells where the object came to be, None where that is unknown."""

    receiver: Operand
    name: str
    value: Operand
    birth: Birth | None
    role: str  # "self", "argument", "captured", "local" or "unknown"

    @property
    def certainty(self) -> Confidence:
        """An object we know is certain; a part of one outside is likely, unless modules of a framework hold it."""
        if self.birth is not None:
            return Confidence.CERTAIN
        in_module = self.frame.cls is not None and self.frame.cls.kind == "module"
        known = self.role in ("self", "captured") and self.name != "value" and not in_module
        return Confidence.LIKELY if known else Confidence.POSSIBLE

    @property
    def is_lost(self) -> bool:
        """Whether the store happens less often than it seems to."""
        return self.trace is not None and self.trace.runs_less_often(0 if self.birth is None else self.birth.frame)


@dataclass(frozen=True, slots=True, eq=False)
class Mutation(Event):
    """A container is changed: by a method or a store. Roles as in AttributeStore."""

    receiver: Operand
    how: str
    value: Operand | None
    birth: Birth | None
    role: str
    read_later: bool
    is_cache: bool  # behind a test that the item is not there yet

    @property
    def certainty(self) -> Confidence:
        """A container we know is certain; one we only know by name may not be what it seems."""
        known = self.birth is not None or any(
            isinstance(a, Array | Iterable | Leaves) for a in atoms_of(self.receiver.value)
        )
        return Confidence.CERTAIN if known else Confidence.POSSIBLE

    @property
    def is_lost(self) -> bool:
        """Whether the change happens less often than it seems to."""
        return self.trace is not None and self.trace.runs_less_often(0 if self.birth is None else self.birth.frame)


@dataclass(frozen=True, slots=True, eq=False)
class OuterRead(Event):
    """Traced code reads a name of an enclosing scope or a module that is assigned again elsewhere."""

    name: str
    value: Operand
    owner: Frame
    reassigned_at: Place


@dataclass(frozen=True, slots=True, eq=False)
class IteratorUse(Event):
    """An iterator or generator is consumed, or handed to a structured loop."""

    iterator: Operand
    how: str
    birth: Birth | None


@dataclass(frozen=True, slots=True, eq=False)
class KeyConflict(Event):
    """A key is used again: `use` is the second use, `earlier` the one it repeats."""

    key: Operand
    earlier: KeyUse
    use: KeyUse
    in_loop: bool
    sure: bool
    ident: Any
    helper: str  # the project function that advanced the key at both uses and gave the next one back

    @property
    def key_text(self) -> str:
        """The key as written, or the name that holds it where the use is inside a call."""
        return name_of(self.ident, self.frame) or self.key.text


def name_of(ident: Any, frame: Frame) -> str:
    """The variable of a frame that holds the value of this identity, empty where none does."""
    names = (name for name, value in frame.state.env.items() if getattr(value, "ident", None) == ident)
    return min(names, default="")


@dataclass(frozen=True, slots=True, eq=False)
class KeyBroadcast(Event):
    """One key drives every row of a mapped function: closed over, or passed with `in_axes=None`."""

    key: Operand
    use: KeyUse
    transform: str
    ident: Any

    @property
    def key_text(self) -> str:
        """The key as written, or the name that holds it where the use is inside a call."""
        return name_of(self.ident, self.frame) or self.key.text


@dataclass(frozen=True, slots=True, eq=False)
class KeyMade(Event):
    """A key is made from a seed; `seed` is known where it is a constant."""

    seed: Operand
    function: str
    in_loop: bool


@dataclass(frozen=True, slots=True, eq=False)
class KeyHandedBack(Event):
    """A function returns a key that it was given and has split."""

    key: Operand
    use: KeyUse


@dataclass(frozen=True, slots=True, eq=False)
class KeyNotAdvanced(Event):
    """A method splits its object's key and keeps neither of the parts as the next one."""

    key: Operand


@dataclass(frozen=True, slots=True, eq=False)
class KeyMisuse(Event):
    """A key in the place of data, or data in the place of a key."""

    operand: Operand
    function: str
    how: str


@dataclass(frozen=True, slots=True, eq=False)
class JitBinding(Event):
    """A function is given to a transform that takes static arguments."""

    application: Application
    target_name: str
    mismatches: tuple[tuple[str, int | str], ...]
    self_fault: tuple[str, str] | None


@dataclass(frozen=True, slots=True, eq=False)
class StaticArgument(Event):
    """A value reaches a static parameter: at a call of the jitted function, or as the default (`is_default`)."""

    operand: Operand
    parameter: str
    application: Application
    is_default: bool

    @property
    def application_place(self) -> Place:
        """Where the parameter was made static."""
        return Place(self.application.frame.path, self.application.at)


@dataclass(frozen=True, slots=True, eq=False)
class RecursiveCall(Event):
    """A traced function calls itself, and no static test stands between its entry and the call."""

    function: str


@dataclass(frozen=True, slots=True, eq=False)
class CachedFunction(Event):
    """A function behind functools.cache is called with these arguments."""

    function: str
    operands: tuple[Operand, ...]
    returns_traced: bool
    made_at: Place


@dataclass(frozen=True, slots=True, eq=False)
class TreeCall(Event):
    """A function of jax.tree over trees whose structure is known in part."""

    name: str
    trees: tuple[Operand, ...]
    has_is_leaf: bool
    none_paths: tuple[Any, ...]
    tests_none: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SwallowedError(Event):
    """A handler in traced code catches a tracing error (`error`), or waits for a run-time error that never comes."""

    error: Event | None
    names: str


#: Errors that are raised whatever the rest of the operands are.
CERTAIN_ERRORS = frozenset({Branch, IntegerNeeded, Conversion, NumpyCall, ShapeArgument, DataDependentShape})
#: Events that stand for an exception at trace time: a `try` around them may expect it.
ERRORS = frozenset(
    {
        Branch, IntegerNeeded, Conversion, NumpyCall, ShapeArgument, DataDependentShape, Hashed, ArraySubscript,
        Discarded,
    }
)  # fmt: skip
