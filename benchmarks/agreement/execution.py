"""What programs do when they are run on JAX: where they raise, what they print, which keys they draw from twice."""

from __future__ import annotations

import contextlib
import io
import itertools
import logging
import signal
import sys
import time
import traceback
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import jax

#: Errors that tracing raises, and the starts of messages by which others are told.
_TRACING = (
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
    jax.errors.NonConcreteBooleanIndexError,
    jax.errors.UnexpectedTracerError,
)
_MESSAGES = (
    "unsupported format string passed to", "unhashable type", "JAX arrays are immutable", "Shapes must be 1D sequences",
    "does not support item deletion", "Non-hashable static arguments", "'Tracer'", "JitTracer", "JVPTracer",
    "Pure functions", "cannot be interpreted as an integer", "traced array", "doesn't define __round__",
    "only integer scalar arrays", "does not support item assignment", "has invalid argnames", "static_argnums",
)  # fmt: skip
SECONDS = 20

logging.getLogger("jax").setLevel(logging.CRITICAL)


@dataclass(frozen=True)
class Raised:
    """An exception: its kind, the lines of the program that it passed, the innermost first, and its message."""

    kind: str
    lines: tuple[int, ...]
    message: str
    is_hazard: bool

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


@dataclass
class Run:
    """What a run came to."""

    raised: Raised | None = None
    printed: str = ""
    left: dict[str, str] = field(default_factory=dict)


class _Clock(types.ModuleType):
    """The module `time` as programs see it: each look at a clock shows one more than the last, in every run the same."""

    def __init__(self) -> None:
        super().__init__("time")
        self.time = itertools.count(1.0).__next__
        self.monotonic = itertools.count(1.0).__next__
        self.perf_counter = itertools.count(1.0).__next__

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)


class TooLong(BaseException):
    """A program that does not end."""


def run(text: str, name: str) -> Run:
    """Run a program in this process."""
    module = types.ModuleType(name)
    path = f"<{name}>"
    out = io.StringIO()
    done = Run()
    with deadline(), contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            sys.modules[name] = module
            sys.modules["time"] = _Clock()
            exec(compile(text, path, "exec"), module.__dict__)
        except TooLong:
            done.raised = Raised("Timeout", (), "", False)
        except Exception as error:
            done.raised = raised(error, path)
        finally:
            sys.modules.pop(name, None)
            sys.modules["time"] = time
    done.printed = out.getvalue()
    done.left = _left(module)
    return done


def raised(error: Exception, path: str) -> Raised:
    """Where in this file an exception came from, and whether it is one that this is about."""
    lines = tuple(f.lineno or 0 for f in reversed(traceback.extract_tb(error.__traceback__)) if f.filename == path)
    message = str(error)
    known = any(isinstance(each, _TRACING) for each in (error, error.__cause__, error.__context__))
    known = known or (isinstance(error, TypeError | ValueError) and any(part in message for part in _MESSAGES))
    return Raised(type(error).__name__, lines, message[:300], known and bool(lines))


def _left(module: types.ModuleType) -> dict[str, str]:
    """What the program's globals hold in the end, as far as it can be compared."""
    found = {}
    for name, value in vars(module).items():
        if name.startswith("__") or isinstance(value, types.ModuleType | types.FunctionType | type):
            continue
        if isinstance(value, int | float | str | list | dict | set | tuple):
            found[name] = repr(value)
    return found


@contextlib.contextmanager
def deadline() -> Iterator[None]:
    """Raise `TooLong` in what does not end."""

    def stop(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)  # of CPU time: the machine may be busy
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
