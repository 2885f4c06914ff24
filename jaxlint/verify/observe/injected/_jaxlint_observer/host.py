"""What traced code asks the host for: clocks, random numbers, files, and the text of a tracer."""

from __future__ import annotations

import builtins
import random
import threading
import time
from types import ModuleType
from typing import Any

from . import hazards, records, runs, twins

_CLOCKS = ("time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "process_time")
_KINDS = {
    "clock": ("io-in-traced-code", "reads the clock"),
    "file": ("io-in-traced-code", "opens a file"),
    "random": ("host-rng-in-traced-code", "draws random numbers of the host"),
}
_SEEDING = frozenset({"seed", "getstate", "setstate", "get_state", "set_state"})
_wanted: list[tuple[Any, str, str]] = []
_open_traces = 0
_lock = threading.Lock()


class HostCall:
    """A function of the host that says when traced code calls it. No function of Python's: classes must not bind it."""

    __slots__ = ("_kind", "real")

    def __init__(self, real: Any, kind: str) -> None:
        self.real = real
        self._kind = kind

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if runs.state().stack:
            _called(self._kind, self.real)
        return self.real(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def __repr__(self) -> str:
        return repr(self.real)

    def __eq__(self, other: object) -> bool:
        return self is other or self.real == other

    def __hash__(self) -> int:
        return hash(self.real)

    def __reduce__(self) -> Any:
        return self.real.__reduce__()


@records.guarded
def _called(kind: str, real: Any) -> None:
    name = getattr(real, "__name__", "")
    rule, what = _KINDS[kind]
    message = f"`{name}` {what} once, during tracing, and not on later calls"
    hazards.tell(rule, hazards.traced_caller(3), message, evidence=[hazards.where()])


def arm() -> None:
    """Watch the clocks, the random numbers and the files of the host, while something is traced."""
    _wanted.extend((time, name, "clock") for name in _CLOCKS)
    _wanted.append((builtins, "open", "file"))
    _add_methods(random, random.random.__self__)  # type: ignore[attr-defined, unused-ignore]
    runs.around_each(_begun, _finished)


def install(jax: ModuleType) -> None:
    """Watch what needs JAX: the random numbers of NumPy, and tracers whose text is asked for."""
    import numpy

    _add_methods(numpy.random, getattr(numpy.random.mtrand, "_rand", None))
    tracer: Any = jax.core.Tracer
    tracer.__repr__ = _shown(tracer.__repr__)


def _add_methods(module: ModuleType, source: object) -> None:
    """Those functions of a module that are methods of its one hidden generator."""
    for name, found in vars(module).items():
        if source is not None and getattr(found, "__self__", None) is source and name not in _SEEDING:
            _wanted.append((module, name, "random"))


@records.guarded
def _begun(run: runs.Run, _function: Any, _args: tuple[Any, ...]) -> None:
    """Outside of traces the host's functions are themselves, and cost nothing."""
    global _open_traces  # noqa: PLW0603 - one number a process
    if run.up is not None:
        return
    with _lock:
        _open_traces += 1
        for module, name, kind in _wanted if _open_traces == 1 else ():
            setattr(module, name, HostCall(getattr(module, name), kind))


@records.guarded
def _finished(run: runs.Run, _result: Any) -> None:
    global _open_traces  # noqa: PLW0603 - one number a process
    if run.up is not None:
        return
    with _lock:
        _open_traces -= 1
        for module, name, _ in _wanted if _open_traces == 0 else ():
            known = getattr(module, name)
            if type(known) is HostCall:  # else the program has put something of its own there
                setattr(module, name, known.real)


def _shown(real: Any) -> Any:
    """A method that gives a tracer's text, and says who asked for it."""

    def __repr__(self: Any) -> str:  # noqa: N807 - in the place of that method
        if runs.state().stack:
            _formatted(self)
        return str(real(self))

    return twins.disguised(__repr__)


@records.guarded
def _formatted(tracer: Any) -> None:
    message = "the text of a tracer is made once, during tracing: it has no value to show"
    evidence = [f"{type(tracer).__name__} {hazards.where()}"]
    hazards.tell("tracer-formatting", hazards.traced_caller(3), message, evidence=evidence)
