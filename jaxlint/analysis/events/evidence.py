"""The chain of evidence behind a finding, worded for its reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.findings import FindingNote, Place
from jaxlint.analysis.domain.values import Origin, Value, origin_of

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Trace

#: The longest chain shown; the middle of a longer one says least.
MAX_STEPS = 4

_TEXT = {
    "parameter": "{} and is traced there",
    "result": "result of {}",
    "operation": "result of {}",
    "default": "{}",
    "call": "{}",
    "trace": "{}",
    "mapped": "{}",
    "lifted": "{}",
}


def notes(value: Value, frame: Frame) -> tuple[FindingNote, ...]:
    """The steps from a value back to what made it traced, nearest first."""
    steps: list[FindingNote] = []
    origin = origin_of(value)
    seen: set[Place] = set()
    while origin is not None:
        place = Place(origin.path, origin.at)
        if origin.kind in _TEXT and (place not in seen or origin.kind == "trace"):
            steps.append(FindingNote(_TEXT[origin.kind].format(origin.detail), place))
            seen.add(place)
        origin = origin.parent
    if frame.trace is not None and not any(step.place == _place(frame.trace.origin) for step in steps):
        steps.extend(trace_notes(frame.trace))
    if len(steps) > MAX_STEPS:
        steps = [*steps[:2], *steps[2 - MAX_STEPS :]]
    return tuple(steps)


def trace_notes(trace: Trace) -> tuple[FindingNote, ...]:
    """What traces the function, and where that was said."""
    return (FindingNote(trace.origin.detail, _place(trace.origin)),)


def call_notes(frame: Frame) -> tuple[FindingNote, ...]:
    """The calls that lead from the traced function (or the outermost one) to this frame, innermost first."""
    steps: list[FindingNote] = []
    inner = frame
    while inner.caller is not None and len(steps) < MAX_STEPS:
        if inner.trace is not inner.caller.trace:
            break  # the trace started here
        if not inner.is_open:
            steps.append(FindingNote(f"`{inner.qualname}` is called here", Place(inner.caller.path, inner.call_at)))
        inner = inner.caller
    return tuple(steps)


def memo_note(memo: tuple[str, int, str]) -> FindingNote:
    """What is assumed of what a function computes once."""
    path, at, name = memo
    return FindingNote(f"this assumes that no call outside of a trace filled `{name}` before", Place(path, at))


def unused_note(function: str) -> FindingNote:
    """Why nobody may meet what is found in a function."""
    is_nested = "<locals>" in function
    reason = "nothing around it names it" if is_nested else "no other file imports this one"
    return FindingNote(f"nothing calls `{function}`: {reason}", None)


#: Why what is found in a notebook may be meant.
SHOWN_ON_PURPOSE: Final = FindingNote(
    "the cell or the text around it speaks of an error: perhaps it is there on purpose", None
)


def _place(origin: Origin) -> Place:
    return Place(origin.path, origin.at)
