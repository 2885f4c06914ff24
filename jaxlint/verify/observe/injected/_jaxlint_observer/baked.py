"""What traced code read from outside of itself, and which of it has another value at the end."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from types import CellType, FrameType, FunctionType
from typing import Any, NamedTuple

from . import signatures

_ABSENT = object()
#: Texts of these values say all of them: another object of the same text is the same value.
_TOLD_WHOLE = (int, float, complex, bool, str, bytes, type(None))


class _Read(NamedTuple):
    """Where the value can be looked up again, what it was, and the object, which keeps its identity while it lives."""

    now: Callable[[], Any]
    value: Any
    text: str


_reads: dict[int, _Read] = {}
#: A search goes through all objects of the program.
_MAX_SEARCHES = 20
_searches: dict[int, int] = {}


def note(number: int, value: Any, frame: FrameType, attribute: str) -> None:
    """Remember what the expression of a point was; with an attribute, `value` is the object that has it."""
    looked_up = _attribute(value, attribute) if attribute else _variable(number, value, frame)
    if looked_up is None:
        return
    known = looked_up()
    if known is not _ABSENT:
        _reads[number] = _Read(looked_up, known, signatures.text(known))


def changed() -> Iterator[tuple[int, Any]]:
    """The points whose value is another one now, each with that."""
    for number, read in _reads.items():
        now = read.now()
        if now is not _ABSENT and not _is_same(read, now):
            yield number, now


def _is_same(read: _Read, now: Any) -> bool:
    if now is read.value:
        return signatures.text(now) == read.text  # a container may have got another content
    return type(now) is type(read.value) and type(now) in _TOLD_WHOLE and signatures.text(now) == read.text


def _attribute(holder: Any, name: str) -> Callable[[], Any]:
    """The attribute where it is stored: a property may do anything."""

    def now() -> Any:
        return getattr(holder, "__dict__", {}).get(name, _ABSENT)

    return now


def _variable(number: int, value: Any, frame: FrameType) -> Callable[[], Any] | None:
    """A global, or a variable of an enclosing function, that the code names and whose value this is."""
    for name in frame.f_code.co_freevars:
        if frame.f_locals.get(name, _ABSENT) is value:
            return _enclosing(number, name, value, frame)
    variables = frame.f_globals
    found = next((n for n in frame.f_code.co_names if variables.get(n, _ABSENT) is value), None)
    return None if found is None else lambda: variables.get(found, _ABSENT)


def _enclosing(number: int, name: str, value: Any, frame: FrameType) -> Callable[[], Any] | None:
    """The variable by its cell: frames do not show theirs, functions do; None where it could be that of several."""
    searches = _searches[number] = _searches.get(number, 0) + 1
    if searches > _MAX_SEARCHES:
        return None
    place = frame.f_code.co_freevars.index(name)
    closures = [f.__closure__ for f in gc.get_referrers(frame.f_code) if isinstance(f, FunctionType)]
    cells = {id(found[place]): found[place] for found in closures if found and _content(found[place]) is value}
    if len(cells) != 1:
        return None
    (cell,) = cells.values()
    return lambda: _content(cell)


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _ABSENT
