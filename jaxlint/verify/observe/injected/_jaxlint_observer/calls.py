"""Counts the calls of compiled functions, where that was asked for: it costs each call some time."""

from __future__ import annotations

import functools
import os
from typing import Any

from . import frames, lifecycle, records

_wanted = os.environ.get("JAXLINT_COUNT_CALLS") == "1"
_counters: list[list[int]] = []
_latest: dict[int, list[int]] = {}


class Counted:
    """A compiled function that counts its calls and is that function in every other respect."""

    __slots__ = ("__dict__", "__weakref__", "_count", "_function")

    def __init__(self, function: Any, count: list[int]) -> None:
        self._function = function
        self._count = count
        self.__wrapped__ = getattr(function, "__wrapped__", function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        count = self._count
        count[1] += 1
        if not count[1] & (count[1] - 1):  # at powers of two: a kill loses less than half
            _tell(count)
        return self._function(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self, instance)


class Checked:
    """A compiled function that says how its calls end, and is that function in every other respect."""

    __slots__ = ("__dict__", "__weakref__", "_function", "_tell")

    def __init__(self, function: Any, tell: Any) -> None:
        self._function = function
        self._tell = tell
        self.__wrapped__ = getattr(function, "__wrapped__", function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            result = self._function(*args, **kwargs)
        except BaseException as error:
            frames.leave_out(error)
            self._tell(args, error)
            raise
        self._tell(args, None)
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self, instance)


def counted(function: Any, twin: Any) -> Any:
    """`function`, counting if that was asked for."""
    entry = getattr(twin, "entry", None)
    if not _wanted or entry is None:
        return function
    if not _counters:
        lifecycle.at_end(_tell_all)
    count = [entry.serial, 0, len(_counters)]
    _counters.append(count)
    _latest[entry.serial] = count
    return Counted(function, count)


def made(serial: int) -> int:
    """The calls so far of what was made last of a function; 0 where they are not counted."""
    count = _latest.get(serial)
    return count[1] if count else 0


@records.guarded
def _tell(count: list[int]) -> None:
    records.emit("calls", f=count[0], w=count[2], n=count[1])


def _tell_all() -> None:
    for count in _counters:
        _tell(count)
