"""The records of one process: one JSON object a line, in a file opened anew for each, so that no kill loses any."""

from __future__ import annotations

import functools
import json
import os
import time
from collections.abc import Callable
from typing import Any, TypeVar

_Result = TypeVar("_Result")
_START = time.monotonic()
_MAX_FAULTS = 20
_faults: dict[str, int] = {}


def folder() -> str:
    """Where the records go; empty where nobody asked for any."""
    return os.environ.get("JAXLINT_OBSERVE", "")


def age() -> float:
    """Seconds since the observer was loaded: what `t` counts in records, in forked children too."""
    return time.monotonic() - _START


def emit(event: str, /, **fields: Any) -> None:
    """Write one record. No descriptor stays open: a program may count its own, close them all, or fork."""
    record = {"e": event, "t": round(age(), 6), **fields}
    line = json.dumps(record, separators=(",", ":"), default=_unexpected).encode("ascii") + b"\n"
    path = os.path.join(folder(), f"{os.getpid()}.jsonl")
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(descriptor, line)
    finally:
        os.close(descriptor)


def _unexpected(value: object) -> str:
    return f"<{type(value).__name__}>"


def guarded(function: Callable[..., _Result]) -> Callable[..., _Result | None]:
    """`function`, whose exceptions are recorded and swallowed: it gives None then."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> _Result | None:
        try:
            return function(*args, **kwargs)
        except Exception as error:  # nothing of ours may reach the program
            fault(function.__name__, error)
            return None

    return call


def fault(where: str, error: BaseException) -> None:
    """Record that the observer itself failed; the first few times with the reason."""
    try:
        _faults[where] = _faults.get(where, 0) + 1
        if _faults[where] <= _MAX_FAULTS:
            emit("fault", where=where, what=f"{type(error).__name__}: {error}"[:300], count=_faults[where])
    except Exception:  # a full device, a folder that is gone
        return


def fault_counts() -> dict[str, int]:
    """How often each part failed."""
    return dict(_faults)


def forget_faults() -> None:
    """Begin anew, in a forked child."""
    _faults.clear()
