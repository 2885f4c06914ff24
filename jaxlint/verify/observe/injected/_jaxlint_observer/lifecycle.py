"""Where a process begins and how it ends: normally, by `os._exit`, by `exec`, or without a word."""

from __future__ import annotations

import atexit
import functools
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from . import frames, records

_after_fork: list[Callable[[], None]] = []
_last_words: list[Callable[[], None]] = []
_final_figures: dict[str, Callable[[], int]] = {}


def start() -> None:
    """Record the start of this process and make each way out of it say so."""
    _began("start")
    atexit.register(_end, "exit")
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_forked)
    for name in ("_exit", "execv", "execve"):
        _wrap(name)
    for name in ("_run_exitfuncs", "_clear"):
        _outlive(name)


def at_end(words: Callable[[], None]) -> None:
    """Call `words` when the process ends in a way that lets it."""
    _last_words.append(words)


def tell_at_end(name: str, figure: Callable[[], int]) -> None:
    """Put the figure into the last record of the process."""
    _final_figures[name] = figure


def after_fork(forget: Callable[[], None]) -> None:
    """Call `forget` in each forked child."""
    _after_fork.append(forget)


@records.guarded
def _began(how: str) -> None:
    records.emit(
        "start",
        how=how,
        clock=round(time.time() - records.age(), 6),
        pid=os.getpid(),
        parent=os.getppid(),
        argv=list(getattr(sys, "orig_argv", sys.argv)),
        python=".".join(map(str, sys.version_info[:3])),
        executable=sys.executable,
        worker=_is_worker(how),
    )


def _is_worker(how: str) -> bool:
    """Whether `multiprocessing` started this process: pools end their workers by a signal when the work is done."""
    if "--multiprocessing-fork" in getattr(sys, "orig_argv", ()):
        return True
    return how == "fork" and "multiprocessing.popen_fork" in sys.modules


def _forked() -> None:
    records.forget_faults()
    for forget in _after_fork:
        records.guarded(forget)()
    _began("fork")


def _end(how: str) -> None:
    for words in _last_words:
        records.guarded(words)()
    _uncaught()
    told = {name: value() for name, value in _final_figures.items()}
    records.guarded(records.emit)("stop", how=how, faults=records.fault_counts(), **told)


@records.guarded
def _uncaught() -> None:
    """The error that the program ends with: Python keeps it for debuggers."""
    error = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
    through = [] if error is None else frames.places_of_user(error.__traceback__)
    if error is None or not through or "jax" not in sys.modules:
        return
    kind = type(error)
    is_catalogued = kind.__module__.startswith("jax.") and hasattr(sys.modules["jax"].errors, kind.__name__)
    records.emit(
        "uncaught",
        kind=kind.__name__,
        place=through[-1],
        through=through,
        message=str(error)[:1000],
        catalogued=is_catalogued,
        own=frames.is_raised_by_user(error.__traceback__),
    )


def _outlive(name: str) -> None:
    """Be there at the end all the same when the program itself runs, or drops, what `atexit` keeps."""
    real = getattr(atexit, name, None)
    if real is None:
        return

    @functools.wraps(real)
    def call() -> Any:
        try:
            return real()
        finally:
            atexit.unregister(_end)
            atexit.register(_end, "exit")

    setattr(atexit, name, call)


def _wrap(name: str) -> None:
    """Make a way out that skips `atexit` record itself first."""
    real = getattr(os, name, None)
    if real is None:
        return

    def leave(*args: Any, **kwargs: Any) -> Any:
        _end(name)
        return real(*args, **kwargs)

    leave.__name__ = leave.__qualname__ = name
    leave.__doc__ = real.__doc__
    leave.__module__ = "posix"
    setattr(os, name, leave)
