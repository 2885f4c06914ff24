"""What the interpreter tells the rules: one frozen event per operation that a rule may find fault with.

Events carry values and places, never libcst nodes. A rule picks events by type, asks their operands, and
answers with `event.diagnostic(...)`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from jaxlint.analysis.domain.findings import Cause, Finding, FindingNote, FixRequest, Place
from jaxlint.analysis.domain.values import (
    Arguments,
    Array,
    Atom,
    Key,
    Leaves,
    Level,
    Static,
    Unknown,
    Value,
    atoms_of,
    is_traced,
    level_of,
)
from jaxlint.analysis.events import evidence
from jaxlint.diagnostics import Confidence
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Trace


@dataclass(frozen=True, slots=True, eq=False)
class Operand:
    """A value where it is used."""

    value: Value
    frame: Frame
    at: int

    @classmethod
    def argument(cls, arguments: Arguments, position: int, frame: Frame, at: int) -> Operand:
        """A positional argument of the call at `at`, which stands for one that is written nowhere."""
        written = arguments.at(position, None)
        return cls(arguments.positional[position], frame, written if written >= 0 else at)

    @property
    def text(self) -> str:
        """The expression as written."""
        return self.frame.module.text(self.at)

    @property
    def traced(self) -> bool:
        """Some atom has no value at trace time."""
        return is_traced(self.value)

    @property
    def lifted(self) -> bool:
        """Some atom is traced, or lifted by grad alone."""
        return any((level_of(atom) or 0) >= Level.GRAD for atom in atoms_of(self.value))

    @property
    def unhashable(self) -> bool:
        """Whether some atom is an array of JAX, which has no hash, be it traced or not."""
        return has_no_hash(self.value)

    @property
    def confidence(self) -> Confidence:
        """How sure `traced` (or `lifted`) is: from the other atoms and from the assumptions behind this one.

        In a hypothetical call some parameters may be at their defaults, so that a value which is static on one path
        may be static on every path that is taken. Code behind an undecided test of a rank is for arrays of that rank,
        which may never be traced; code behind a test that something is no tracer is meant to run outside of traces.
        """
        return self.confidence_of(Level.GRAD)

    def confidence_of(self, least: Level) -> Confidence:
        """How sure it is that this is an array of at least this level."""
        caveats = self.frame.caveats
        if caveats.rank_asked or caveats.value_asked or caveats.one_of_several:
            return Confidence.POSSIBLE
        if caveats.one_of_overrides and _chosen_inside(self.frame):
            return Confidence.POSSIBLE
        sure = confidence(self.value, least)
        trace = self.frame.trace
        if sure is Confidence.LIKELY and trace is not None and trace.is_hypothetical and _is_mixed(self.value):
            return Confidence.POSSIBLE
        return sure

    @property
    def confidence_as_text(self) -> Confidence:
        """The same where a name would be in its place, as in a dict or a message: keys of traced trees are names."""
        return Confidence.POSSIBLE if self.may_be_name else self.confidence

    @property
    def confidence_as_key(self) -> Confidence:
        """How sure it is that this has no hash: even an array that has a value has none.

        An annotation alone says too much where code hashes what it calls an array: that code would never have run.
        """
        is_claimed = not self.lifted and any(map(_assumed, atoms_of(self.value)))
        return Confidence.POSSIBLE if self.may_be_name or is_claimed else self.confidence_of(Level.CONCRETE)

    @property
    def may_be_name(self) -> bool:
        """Whether this came from a walk over a tree, which may be a dict, or is a text where it is not traced."""
        return any(
            (isinstance(atom, Leaves) and atom.element) or (isinstance(atom, Static) and atom.type == "str")
            for atom in atoms_of(self.value)
        )

    @property
    def evidence(self) -> tuple[FindingNote, ...]:
        """The chain from the value back to what made it traced."""
        return evidence.notes(self.value, self.frame)


def _chosen_inside(frame: Frame) -> bool:
    """Whether traced code calls one of the methods that an annotation allows: it may be meant for the others alone."""
    traced = [caller for caller in frame.callers() if caller.trace is not None]
    before = traced[-1].caller if traced else None
    return bool(traced) and not (before is not None and before.caveats.one_of_overrides)


def confidence(value: Value, least: Level = Level.GRAD) -> Confidence:
    """Certain where every atom is traced or lifted, likely where some are or something was assumed, else possible."""
    atoms = atoms_of(value)
    if any(atom.__class__ is Unknown for atom in atoms):
        return Confidence.POSSIBLE
    lifted = [atom for atom in atoms if (level_of(atom) or 0) >= least]
    assumptions = (len(lifted) < len(atoms)) + any(_assumed(atom) for atom in lifted)
    return (Confidence.CERTAIN, Confidence.LIKELY, Confidence.POSSIBLE)[assumptions]


def has_no_hash(value: Value) -> bool:
    """Whether a value may be an array of JAX; one leaf of a tree that nobody traces may be a number."""
    return any(
        (isinstance(atom, Array | Key) and atom.level >= Level.CONCRETE)
        or (isinstance(atom, Leaves) and atom.level >= Level.GRAD)
        for atom in atoms_of(value)
    )


def _is_mixed(value: Value) -> bool:
    return any((level_of(atom) or Level.HOST) < Level.GRAD for atom in atoms_of(value))


def _is_of(atom: Atom, traces: tuple[Trace, ...]) -> bool:
    """Whether one of the traces is what lifts a value."""
    level, origin = level_of(atom), getattr(atom, "origin", None)
    if level in (Level.GRAD, Level.MAPPED):
        return bool(traces)
    while origin is not None:
        if any(origin is trace.origin for trace in traces):
            return True
        origin = origin.parent
    return False


def _assumed(atom: Atom) -> bool:
    return isinstance(atom, (Array, Leaves)) and atom.assumed


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """One operation, in one call of the function around it.

    `may_be_shown`: a notebook may have it on purpose, to show what goes wrong. `raises`: what rules say of it is that
    the code raises there, whenever it runs. `happens_once`: what they say is that a trace has this effect, and not the
    program.
    """

    frame: Frame
    at: int

    may_be_shown: ClassVar[bool] = True
    raises: ClassVar[bool] = False
    happens_once: ClassVar[bool] = False

    @property
    def place(self) -> Place:
        """Where a finding about the event stands."""
        return Place(self.frame.path, self.at)

    @property
    def cause(self) -> Cause | None:
        """What findings at several operations have in common; None where each stands for itself."""
        return None

    @property
    def is_claimed(self) -> bool:
        """Whether nothing but an annotation tells on what the operation works."""
        return False

    @property
    def text(self) -> str:
        """The operation as written."""
        return self.frame.module.text(self.at)

    @property
    def trace(self) -> Trace | None:
        """The innermost trace around the operation, if there is one."""
        return self.frame.trace

    @property
    def at_compile_time(self) -> bool:
        """Whether the code asks to run during tracing: behind `ensure_compile_time_eval`, or a cache of its results."""
        trace = self.trace
        if trace is None:
            return False
        inner = (frame for frame in self.frame.callers() if frame.trace is trace)
        return any(frame.ambient < trace.ambient or _is_cached(frame) for frame in inner)

    def leaks(self, value: Operand | None, serial: int) -> bool:
        """Whether a value is traced by what ends before something does that was made at this serial number.

        What `grad` and `vmap` compute from values of a trace around them belongs to that trace.
        """
        if value is None or self.trace is None or not value.lifted:
            return False
        crossed = tuple(self.trace.crossed(serial))
        if any(trace.level is Level.TRACED for trace in crossed):
            return True
        return any(_is_of(atom, crossed) for atom in atoms_of(value.value))

    def diagnostic(
        self,
        message: str,
        *,
        notes: tuple[FindingNote, ...] = (),
        confidence: Confidence = Confidence.CERTAIN,
        place: Place | None = None,
        fix: FixRequest | None = None,
    ) -> Finding:
        """A finding here; `notes` come before the calls that lead to this invocation.

        `fix` is what the rule's fix will be asked with, once the finding is shown.
        """
        where = self.place if place is None else place
        caveats = self.frame.caveats
        if caveats.unused:
            notes = (*notes, evidence.unused_note(caveats.unused))
        is_certain = confidence is Confidence.CERTAIN
        is_doubtful = caveats.unused or caveats.defaulted or caveats.may_not_run
        if is_doubtful or (caveats.array_asked and self.happens_once) or (caveats.assumed and not is_certain):
            confidence = Confidence.POSSIBLE
        elif caveats.assumed:
            confidence = Confidence.LIKELY
        if self._is_shown(where):
            confidence = Confidence.POSSIBLE
            notes = (*notes, evidence.SHOWN_ON_PURPOSE)
        memo = caveats.memo
        if memo is not None:
            confidence = max(confidence, Confidence.LIKELY, key=lambda each: each.rank)
            notes = (*notes, evidence.memo_note(memo))
        chain = (*notes, *evidence.call_notes(self.frame))
        requests = () if fix is None else (replace(fix, is_certain=confidence is Confidence.CERTAIN),)
        assumption = _assumption(self.frame) if caveats.assumed else None
        kept = None if memo is None else Place(memo[0], memo[1])
        name = self.frame.qualname
        return Finding("", where, message, chain, confidence, name, requests, self.cause, assumption, kept)

    def _is_shown(self, where: Place) -> bool:
        """Whether a place in the notebook at hand lies in a cell that shows what goes wrong."""
        if not self.may_be_shown or where.path != self.frame.path:
            return False
        cell = self.frame.module.source.cell_of(where.at)
        return cell is not None and cell.is_demonstration

    def fix_request(self, *ordinals: int, words: tuple[str, ...] = ()) -> FixRequest:
        """A request for the rule's fix of this operation."""
        return FixRequest(self.at, ordinals, words)

    def traced_by(self) -> tuple[FindingNote, ...]:
        """The note that says what traces the code around the operation."""
        return () if self.trace is None else evidence.trace_notes(self.trace)


def _is_cached(frame: Frame) -> bool:
    """Whether a function keeps what it gave, by a decorator of `functools`."""
    decorators = () if frame.function is None else frame.function.decorators
    made = (node.func if isinstance(node, ir.Call) else node for node in decorators)
    return any(walks.spelling(node).lstrip(".") in ("cache", "lru_cache", "cached_property") for node in made)


def _assumption(frame: Frame) -> Place:
    """The function that is assumed to be traced: the outermost one around an operation."""
    *_, outermost = frame.callers()
    return Place(outermost.path, -1 if outermost.function is None else outermost.function.at)


@dataclass(frozen=True, slots=True, eq=False)
class Worked(Event):
    """An operation that fails in other calls works in this one, or the code expects its error.

    `instead_of` is the type of the event that would be emitted if it failed.
    """

    instead_of: type[Event]


@dataclass(frozen=True, slots=True, eq=False)
class Filled(Event):
    """Code outside of a trace calls a function that computes once what it keeps, and so may do that for a trace."""

    memo: Place
