"""Watches one traced call for effects that happen only while JAX traces, by line; no finding has to ask for them."""

from __future__ import annotations

import contextlib
import datetime
import dis
import os
import secrets
import sys
import time
import uuid
from collections.abc import Callable, Container, Iterator
from types import FrameType
from typing import Any, NamedTuple

import jax

from .outside import Change, Outside, reachable
from .source_lines import SourceLines
from .stack import CONCRETE, is_boundary, kind_of, transforms
from .statement_effects import is_made_inside, is_same

#: Functions that say something else at each run, which a compiled function keeps from its trace.
_CLOCKS = {
    time.time, time.time_ns, time.perf_counter, time.perf_counter_ns, time.monotonic, time.monotonic_ns,
    time.process_time, time.process_time_ns, datetime.datetime.now, datetime.datetime.utcnow,
    datetime.datetime.today, datetime.date.today,
}  # fmt: skip
_ENTROPY = {os.urandom, uuid.uuid1, uuid.uuid4, secrets.token_hex, secrets.token_bytes, secrets.randbelow}
#: Modules that read files on their own account.
_READERS = ("importlib", "linecache", "tokenize", "inspect", "traceback", "jax", "jaxlib", "_jaxlint_probe")
_MOST = 100
#: Transforms that run a function for many rows.
_ROWS = frozenset({"vmap", "pmap", "shard_map"})
#: Stands among the transforms of a line that runs for many rows, and was handed one key for all of them.
SHARED_KEY = "shared key"


class Hazard(NamedTuple):
    """One defect that a call showed. `own` says that only the probe traced there, as `jax.jit` would."""

    rule: str
    path: str
    line: int
    message: str
    evidence: str
    own: bool = False


class _Pending(NamedTuple):
    """A change that is told where nothing takes it back: of which object, and by which frame."""

    hazard: Hazard
    identity: int
    is_argument: bool
    frame: FrameType


class _Scope(NamedTuple):
    """One trace that is under way: the frame that it began with, and what was there before."""

    frame: FrameType
    outside: Outside
    pending: list[_Pending]


class Hazards:
    """What the user's frames do to the world outside of the trace that they run in."""

    def __init__(self, files: Container[str], sources: SourceLines) -> None:
        self.files = files
        self.sources = sources
        self.found: list[Hazard] = []
        #: The transforms that each line was run under.
        self.under: dict[tuple[str, int], set[str]] = {}
        self._scopes: list[_Scope] = []
        self._sharing: list[FrameType] = []
        self._at: dict[FrameType, int] = {}
        self._captured: dict[FrameType, dict[str, Any]] = {}
        self._kinds: dict[FrameType, frozenset[str]] = {}

    # --- frames

    def enter(self, frame: FrameType) -> None:
        """A frame of the user's begins."""
        behind = self._behind(frame)
        if behind is not None:
            self._look(behind)
        self._kinds[frame] = frozenset(transforms(frame))
        if not self._scopes or _is_traced_anew(frame, self.files):
            outside = Outside(self.files)
            if not self._scopes:
                outside.add_modules()
            names = frame.f_code.co_varnames[: frame.f_code.co_argcount + frame.f_code.co_kwonlyargcount]
            for name, value in frame.f_locals.items():
                outside.add(value, name, is_argument=name in names)
            self._scopes.append(_Scope(frame, outside, []))
            if not _ROWS.isdisjoint(self._kinds[frame]) and any(
                _is_shared_key(frame.f_locals.get(name)) for name in names
            ):
                self._sharing.append(frame)
        self._captured[frame] = self._captures(frame)

    def step(self, frame: FrameType, event: str, argument: Any) -> None:
        """A line of a frame begins, or the frame ends."""
        if event not in ("line", "return"):
            return
        self._look(frame)
        self._look_at_captures(frame)
        if event == "line":
            self._at[frame] = frame.f_lineno
            self.under.setdefault((frame.f_code.co_filename, frame.f_lineno), set()).update(self._kinds[frame])
            if self._sharing:
                self.under[frame.f_code.co_filename, frame.f_lineno].add(SHARED_KEY)
            self._note_calls(frame)
            return
        self._hand_back(frame, argument)
        if self._scopes and self._scopes[-1].frame is frame:
            self._close(self._scopes.pop(), argument)
        if self._sharing and self._sharing[-1] is frame:
            self._sharing.pop()
        self._at.pop(frame, None)
        self._captured.pop(frame, None)
        self._kinds.pop(frame, None)

    def finish(self) -> None:
        """The call is over."""
        while self._scopes:
            self._close(self._scopes.pop(), None)

    def _behind(self, frame: FrameType) -> FrameType | None:
        """The nearest frame of the user's that led to a frame."""
        at = frame.f_back
        while at is not None and at not in self._at and not is_boundary(at):
            at = at.f_back
        return at if at in self._at else None

    # --- changes

    def _look(self, frame: FrameType) -> None:
        for scope in self._scopes:
            for identity, is_argument, change in scope.outside.changes():
                hazard = self._of_change(frame, change, is_argument)
                if hazard is not None and len(scope.pending) < _MOST:
                    scope.pending.append(_Pending(hazard, identity, is_argument, frame))

    def _hand_back(self, frame: FrameType, result: Any) -> None:
        """Forget what a helper changed and gives to a caller that takes it."""
        for scope in self._scopes:
            own = [p for p in scope.pending if p.is_argument and p.frame is frame]
            if own and scope.frame is not frame and not _is_dropped(frame):
                given = reachable(result)
                scope.pending[:] = [p for p in scope.pending if p not in own or p.identity not in given]

    def _close(self, scope: _Scope, result: Any) -> None:
        """Keep what is still changed at the end of a trace, and not handed back by it."""
        handed_back = reachable(result) if any(change.is_argument for change in scope.pending) else set()
        for change in scope.pending:
            if scope.outside.differs(change.identity) and not (change.is_argument and change.identity in handed_back):
                self._add(change.hazard)

    def _captures(self, frame: FrameType) -> dict[str, Any]:
        names = [name for name in frame.f_code.co_freevars if name in frame.f_locals]
        return {name: frame.f_locals[name] for name in names if not is_made_inside(frame, name)}

    def _look_at_captures(self, frame: FrameType) -> None:
        before = self._captured.get(frame, {})
        for name, old in before.items():
            new = frame.f_locals.get(name)
            if new is not old and not is_same(old, new):
                before[name] = new
                hazard = self._of_change(frame, Change("global", name, old, new), is_argument=False)
                if hazard is not None:
                    self._add(hazard)

    def _of_change(self, frame: FrameType, change: Change, is_argument: bool) -> Hazard | None:
        if change.holder == "random":
            what = "`{0}` draws on the host: the compiled function repeats the numbers of its trace"
            return self._hazard("host-rng-in-traced-code", frame, what.format(change.path), "its state moved")
        if change.holder == "iterator":
            what = f"`{change.path}` advances while JAX traces, and not on later calls"
            return self._hazard("iterator-in-traced-code", frame, what, "its position moved")
        if change.stores_tracer and not is_argument:
            what = f"`{change.path}` keeps a tracer, which is invalid once tracing ends"
            return self._hazard("leaked-tracer", frame, what, str(change))
        kinds = self._kinds.get(frame, frozenset())
        if (change.is_memo and not change.stores_tracer) or (kinds and kinds <= CONCRETE):
            return None
        rule = {"global": "global-mutation", "attribute": "self-mutation"}.get(change.holder, "captured-mutation")
        if is_argument and rule == "captured-mutation":
            rule = "argument-mutation"
            if change.replaces_array:
                return None
        return self._hazard(rule, frame, f"`{change.path}` is written once, while JAX traces", str(change))

    # --- calls

    def _note_calls(self, frame: FrameType) -> None:
        for called in self.sources.called(frame):
            if called in _CLOCKS:
                what = f"`{called.__qualname__}` is read once, while JAX traces"
                self.note("io-in-traced-code", frame, what, "the clock was read under the trace")
            elif called in _ENTROPY:
                what = f"`{called.__qualname__}` draws once, while JAX traces"
                self.note("host-rng-in-traced-code", frame, what, "it was called under the trace")

    @contextlib.contextmanager
    def noting_text(self) -> Iterator[None]:
        """Note each tracer that the user's own lines turn to text."""
        original: Callable[[Any], str] = jax.core.Tracer.__repr__

        def recorded(tracer: Any) -> str:
            frame: FrameType | None = _formatting_frame()
            if frame is not None and frame.f_code.co_filename in self.files:
                what = "a tracer is turned to text while JAX traces"
                self.note("tracer-formatting", frame, what, "the text names a tracer, not a value")
            return original(tracer)

        jax.core.Tracer.__repr__ = recorded  # type: ignore[method-assign]
        try:
            yield
        finally:
            jax.core.Tracer.__repr__ = original  # type: ignore[method-assign]

    def read_file(self, frame: FrameType, name: str) -> None:
        """A file is opened for reading by a frame; those that Python and JAX read for themselves are none of ours."""
        at: FrameType | None = frame
        while at is not None and at.f_code.co_filename not in self.files:
            if str(at.f_globals.get("__name__")).partition(".")[0] in _READERS or is_boundary(at):
                return
            at = at.f_back
        if at is not None:
            self.note("io-in-traced-code", at, f"`{name[:60]}` is read once, while JAX traces", "the file was opened")

    # --- what is found

    def note(self, rule: str, frame: FrameType, message: str, evidence: str) -> None:
        """Something that the current line of a frame does."""
        self._add(self._hazard(rule, frame, message, evidence, frame.f_lineno))

    def _hazard(self, rule: str, frame: FrameType, message: str, evidence: str, line: int = 0) -> Hazard:
        kinds = self._kinds.get(frame) or frozenset(transforms(frame))
        at = line or self._at.get(frame, frame.f_lineno)
        return Hazard(rule, frame.f_code.co_filename, at, message, evidence, not kinds - CONCRETE)

    def _add(self, hazard: Hazard) -> None:
        if len(self.found) < _MOST:
            self.found.append(hazard)


def _is_traced_anew(frame: FrameType, files: Container[str]) -> bool:
    """Whether a transform stands between a frame and the user's frame that led to it."""
    at = frame.f_back
    while at is not None and not is_boundary(at) and at.f_code.co_filename not in files:
        if kind_of(at):
            return True
        at = at.f_back
    return False


def _is_dropped(frame: FrameType) -> bool:
    """Whether the caller of a frame throws its result away."""
    caller = frame.f_back
    if caller is None:
        return False
    after = (step.opname for step in dis.get_instructions(caller.f_code) if step.offset > caller.f_lasti)
    return next((name for name in after if name != "CACHE"), "") == "POP_TOP"


def _is_shared_key(value: Any) -> bool:
    """Whether a mapped function was handed a key that is not mapped."""
    dtype = getattr(value, "dtype", None)
    is_key = dtype is not None and str(dtype).startswith("key<") and value.ndim == 0
    return is_key and "Batch" not in type(value).__name__


#: Modules through which a program turns values to text.
_FORMATTING = ("logging", "string", "textwrap", "reprlib", "pprint")


def _formatting_frame() -> FrameType | None:
    """The frame that asked for a text, past the modules that only write it; None where JAX or the probe asked."""
    at: FrameType | None = sys._getframe(2)
    while at is not None and str(at.f_globals.get("__name__")).partition(".")[0] in _FORMATTING:
        at = at.f_back
    return at
