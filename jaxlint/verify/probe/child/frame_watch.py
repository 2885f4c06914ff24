"""Watches the user's frames while a probe runs: which points were run, under what, and what they changed."""

from __future__ import annotations

import builtins
import contextlib
import re
import sys
from collections.abc import Container, Iterator
from types import CodeType, FrameType
from typing import Any

import jax

from . import statement_effects
from .hazards import Hazards
from .stack import CONCRETE, caller, is_boundary, kind_of, transforms
from .watched_places import WatchedPlace

_MOST_TRACES = 500
_MOST_HITS = 200
#: How tracers look in text, in older releases of JAX and in newer ones.
_TRACER_TEXT = re.compile(r"Traced<|Tracer[<(]")
_TRACE_ERRORS = ("ConcretizationTypeError", "UnexpectedTracerError", "NonConcreteBooleanIndexError", "KeyReuseError")


class Sighting:
    """One point in one call of the target: how often it ran, under which transforms, and what it changed."""

    def __init__(self) -> None:
        self.hits = 0
        self.completed = 0
        self.transforms: list[str] = []
        self.outside = 0
        self.values: dict[str, str] = {}
        self.changes: list[dict[str, Any]] = []
        self.unready: list[str] = []

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "hits": self.hits,
            "completed": self.completed,
            "transforms": self.transforms,
            "outside": self.outside,
            "values": self.values,
            "changes": self.changes,
            "unready": self.unready,
        }


class _Pending:
    """A point that a frame is in the middle of."""

    def __init__(self, point: WatchedPlace, sighting: Sighting, state: statement_effects.State) -> None:
        self.point = point
        self.sighting = sighting
        self.state = state


class Watch:
    """Trace functions for `sys.settrace` over the watched files; one instance watches one call of a target."""

    def __init__(
        self, files: Container[str], points: dict[str, list[WatchedPlace]], *, executing: bool,
        cached: dict[CodeType, str] | None = None, hazards: Hazards | None = None,
    ) -> None:  # fmt: skip
        self.files = files
        self.points = points
        self.executing = executing
        self.hazards = hazards
        self.sightings = {point.id: Sighting() for group in points.values() for point in group}
        self.traces: list[dict[str, Any]] = []
        self.swallowed: list[dict[str, Any]] = []
        self.printed: list[dict[str, Any]] = []
        self.defects = 0
        self.cached = cached or {}
        self.cached_while_traced: set[str] = set()
        self._of_code: dict[CodeType, list[WatchedPlace]] = {}
        self._pending: dict[FrameType, list[_Pending]] = {}
        self._raised: dict[FrameType, tuple[str, int]] = {}

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Watch what runs inside."""
        with self._recorded_prints():
            before = sys.gettrace()
            sys.settrace(self._enter)
            try:
                yield
            finally:
                sys.settrace(before)
                if self.hazards is not None:
                    self.hazards.finish()

    # --- frames

    def _enter(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        if frame.f_code.co_filename not in self.files:
            return None
        with self._harmless():
            self._note_trace(frame)
            name = self.cached.get(frame.f_code)
            if name is not None and not CONCRETE.issuperset(transforms(frame)):
                self.cached_while_traced.add(name)
            if self.hazards is not None:
                self.hazards.enter(frame)
        return self._step

    def _step(self, frame: FrameType, event: str, argument: Any) -> Any:
        with self._harmless():
            self._seen(frame, event, argument)
            if self.hazards is not None:
                self.hazards.step(frame, event, argument)
        return self._step

    @contextlib.contextmanager
    def _harmless(self) -> Iterator[None]:
        """Nothing that watching meets may reach the program: it is counted instead."""
        try:
            yield
        except Exception:
            self.defects += 1

    def _seen(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "exception":
            kind = argument[0]
            if kind is not None and any(base.__name__ in _TRACE_ERRORS for base in kind.__mro__):
                self._raised[frame] = (kind.__name__, frame.f_lineno)
            return
        line = frame.f_lineno
        if event == "line" and frame in self._raised:
            name, at = self._raised.pop(frame)
            place = {"path": frame.f_code.co_filename, "line": at, "handler": line}
            self.swallowed.append({**place, "class": name, "own": _is_own(frame)})
        self._complete(frame, line, is_end=event == "return", failed=frame in self._raised)
        if event == "line":
            self._start(frame, line)
        elif event == "return":
            self._raised.pop(frame, None)

    def _start(self, frame: FrameType, line: int) -> None:
        pending = self._pending.get(frame, ())
        for point in self._points_of(frame.f_code):
            if line in point.lines and all(entry.point is not point for entry in pending):
                self._hit(frame, point)

    def _points_of(self, code: CodeType) -> list[WatchedPlace]:
        if code not in self._of_code:
            self._of_code[code] = [p for p in self.points.get(code.co_filename, ()) if p.runs_in(code)]
        return self._of_code[code]

    def _hit(self, frame: FrameType, point: WatchedPlace) -> None:
        sighting = self.sightings[point.id]
        sighting.hits += 1
        if sighting.hits > _MOST_HITS:
            return
        kinds = transforms(frame)
        if not kinds:
            sighting.outside += 1
        sighting.transforms = list(dict.fromkeys([*sighting.transforms, *kinds]))
        self._note_values(frame, point, sighting)
        self._pending.setdefault(frame, []).append(_Pending(point, sighting, statement_effects.snapshot(frame)))

    def _complete(self, frame: FrameType, line: int, *, is_end: bool, failed: bool) -> None:
        pending = self._pending.get(frame)
        if not pending:
            return
        done = [entry for entry in pending if is_end or line not in entry.point.lines]
        if not done:
            return
        state = statement_effects.snapshot(frame)
        for entry in done:
            pending.remove(entry)
            entry.sighting.completed += not failed
            entry.sighting.changes += statement_effects.changes(entry.state, state)
            del entry.sighting.changes[50:]
        if not pending:
            del self._pending[frame]

    def _note_values(self, frame: FrameType, point: WatchedPlace, sighting: Sighting) -> None:
        for name in point.names:
            if name in frame.f_locals:
                value = frame.f_locals[name]
                if name not in sighting.values or isinstance(value, jax.core.Tracer):
                    sighting.values[name] = statement_effects.summary(value)
        if self.executing:
            sighting.unready += [name for name, value in frame.f_locals.items() if _is_unready(value)]

    # --- traces of the user's functions

    def _note_trace(self, frame: FrameType) -> None:
        code = frame.f_code
        if code.co_name.startswith("<") and code.co_name != "<lambda>":
            return
        kinds = _entered_by(frame, self.files)
        if not kinds or len(self.traces) >= _MOST_TRACES:
            return
        path, line = caller(frame, self.files)
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        values = [(name, frame.f_locals[name]) for name in names if name in frame.f_locals]
        self.traces.append(
            {
                "function": getattr(code, "co_qualname", code.co_name),
                "name": code.co_name,
                "path": code.co_filename,
                "line": code.co_firstlineno,
                "transforms": kinds,
                "call": [path, line],
                "outermost": not _is_inside_another(frame, self.files),
                "captured": [_identity(frame.f_locals[name]) for name in code.co_freevars if name in frame.f_locals],
                "arguments": {name: statement_effects.summary(value) + _weak(value) for name, value in values},
                "static": sorted(name for name, value in values if not _is_traced(value)),
            }
        )

    # --- prints

    @contextlib.contextmanager
    def _recorded_prints(self) -> Iterator[None]:
        original = builtins.print

        def recorded(*values: Any, **options: Any) -> None:
            frame = sys._getframe(1)
            if frame.f_code.co_filename not in self.files:
                original(*values, **options)
            elif len(self.printed) < _MOST_HITS:
                place = {"path": frame.f_code.co_filename, "line": frame.f_lineno}
                self.printed.append({**place, "tracer": any(map(_shows_tracer, values)), "own": _is_own(frame)})

        builtins.print = recorded
        try:
            yield
        finally:
            builtins.print = original


def _entered_by(frame: FrameType, files: Container[str]) -> list[str]:
    """The transforms between a frame and the nearest frame of the user's, or the probe's own call, that led to it."""
    found: dict[str, None] = {}
    at = frame.f_back
    while at is not None and not is_boundary(at) and at.f_code.co_filename not in files:
        kind = kind_of(at)
        if kind:
            found[kind] = None
        at = at.f_back
    return list(found)


def _is_inside_another(frame: FrameType, files: Container[str]) -> bool:
    """Whether the user's frame that led to a traced function is traced itself."""
    at = frame.f_back
    while at is not None and not is_boundary(at):
        if at.f_code.co_filename in files:
            return bool(transforms(at))
        at = at.f_back
    return False


def _is_own(frame: FrameType) -> bool:
    """Whether nothing of the program's own traces a frame, only the probe."""
    return not set(transforms(frame)) - CONCRETE


def _weak(value: Any) -> str:
    return " weak" if isinstance(value, jax.core.Tracer) and getattr(value.aval, "weak_type", False) else ""


def _identity(value: Any) -> str:
    """What tells captured values apart: plain ones by value, traced ones by shape, others by being the same object."""
    text = statement_effects.summary(value)
    return f"{text} {id(value)}" if text.startswith("a ") and not isinstance(value, jax.core.Tracer) else text


def _is_traced(value: Any) -> bool:
    return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree_util.tree_leaves(value))


def _is_unready(value: Any) -> bool:
    if not isinstance(value, jax.Array) or isinstance(value, jax.core.Tracer) or value.is_deleted():
        return False
    is_ready = getattr(value, "is_ready", None)
    return is_ready is not None and not is_ready()


def _shows_tracer(value: Any) -> bool:
    return isinstance(value, jax.core.Tracer) or (isinstance(value, str) and _TRACER_TEXT.search(value) is not None)
