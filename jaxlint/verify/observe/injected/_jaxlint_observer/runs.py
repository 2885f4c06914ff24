"""The runs of observed functions: which is inside which, with what arguments, for how long, and how they end.

A run is one execution of the Python body under a transform: what people call a trace.
"""

from __future__ import annotations

import itertools
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from . import calls, frames, records, signatures
from .entries import Entry
from .identities import identity

#: Transforms that compile what they traced and keep it: the next lowering belongs to them.
COMPILED = frozenset({"jit", "pmap", "filter_jit", "filter_pmap"})
#: Transforms that also compile, when they are not part of a larger program.
STRUCTURED = frozenset(
    {"scan", "while_loop", "fori_loop", "cond", "switch", "map", "associative_scan", "shard_map", "checkpoint"}
)
#: Transforms under which a tracer may still have a value.
DIFFERENTIATED = frozenset({"grad", "value_and_grad", "jacfwd", "jacrev", "hessian", "jvp", "vjp", "linearize"})

_serials = itertools.count(1)
_local = threading.local()
_origins: dict[int, tuple[Any, Any]] = {}
_when_idle: list[Callable[[], None]] = []
_when_begun: list[Callable[[Run, Any, tuple[Any, ...]], None]] = []
_when_finished: list[Callable[[Run, Any], None]] = []
_context: dict[str, str] = {}


class Run:
    """One execution. `error_at` is where in the user's code it failed."""

    __slots__ = ("began", "entry", "error", "serial", "states", "up")

    def __init__(self, serial: int, entry: Entry, up: Run | None) -> None:
        self.states: Any = None
        self.serial = serial
        self.entry = entry
        self.up = up
        self.error: list[Any] | None = None
        self.began = time.perf_counter()


class _State:
    """What one thread is at: the runs that are open, and the last compiled one that has ended."""

    __slots__ = ("cache_hit", "done", "stack")

    def __init__(self) -> None:
        self.stack: list[Run] = []
        self.done: Run | None = None
        self.cache_hit = False


def state() -> _State:
    """The state of the current thread."""
    found: _State | None = getattr(_local, "state", None)
    if found is None:
        found = _local.state = _State()
    return found


def thread() -> int:
    """A number for this thread, the same in all its records."""
    return threading.get_ident() % 1_000_003


def begin(entry: Entry, args: tuple[Any, ...], kwargs: Mapping[str, Any], function: Any) -> Run | None:
    """A run of `function` begins: recorded before the body, so that a kill inside it is seen."""
    jax = sys.modules.get("jax")
    if jax is None:
        return None
    run = _begin(jax, entry, args, kwargs)
    if run is not None:
        for each in _when_begun:
            each(run, function, args)
    return run


@records.guarded
def _begin(jax: ModuleType, entry: Entry, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Run | None:
    if jax.config.jax_disable_jit and entry.kind in COMPILED:
        return None  # nothing is traced: the function runs as it stands
    current = state()
    up = current.stack[-1] if current.stack else None
    run = Run(next(_serials), entry, up)
    seen = signatures.signature(jax, entry, args, kwargs, identity)
    _tell_context(signatures.context(jax))
    fields: dict[str, Any] = {"r": run.serial, "f": entry.serial, "th": thread()}
    if up is not None:
        fields["up"] = up.serial
    if seen == entry.shown:  # the same as last time: said in short
        fields["again"] = True
    else:
        fields["sig"] = seen
        entry.shown = _without_outlines(seen)
    if entry.kind in COMPILED and up is None:
        _note_origins(jax, args, kwargs)
    made = calls.made(entry.serial)
    if made:
        fields["n"] = made
    test = os.environ.get("PYTEST_CURRENT_TEST")
    if test:
        fields["test"] = test
        fields["tested"] = "_pytest" in sys.modules  # else the test is one of a process around this one
    records.emit("begin", call=frames.call_site(sys._getframe(3)), **fields)
    current.stack.append(run)
    run.began = time.perf_counter()
    return run


def _note_origins(jax: ModuleType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """For which arrays the tracers stand that a compiled function is traced with: JAX's own frame holds those."""
    frame = frames.innermost("cache_miss", sys._getframe(4))
    if frame is None:
        return
    given = frame.f_locals.get("args"), frame.f_locals.get("kwargs")
    now, before = jax.tree_util.tree_leaves((args, dict(kwargs))), jax.tree_util.tree_leaves(given)
    if len(now) == len(before):
        pairs = [(tracer, array) for tracer, array in zip(now, before) if isinstance(tracer, jax.core.Tracer)]
        _origins.update({id(tracer): (tracer, array) for tracer, array in pairs if tracer.shape == _shape(array)})


def _shape(array: Any) -> Any:
    return getattr(array, "shape", None)


def origin(tracer: Any) -> Any:
    """The array that a tracer stands for, where it came in from outside of any trace; else None."""
    known = _origins.get(id(tracer))
    return known[1] if known is not None and known[0] is tracer else None


def around_each(begun: Callable[[Run, Any, tuple[Any, ...]], None], finished: Callable[[Run, Any], None]) -> None:
    """Call both for each run: with its function and arguments, and at its end with its result."""
    _when_begun.append(begun)
    _when_finished.append(finished)


def when_idle(call: Callable[[], None]) -> None:
    """Call `call` whenever the last open run of a thread has ended."""
    _when_idle.append(call)


def forget() -> None:
    """Begin anew, in a forked child: its records stand in a file of their own."""
    global _context  # noqa: PLW0603 - what was last written
    _context = {}
    state().stack.clear()
    state().done = None


def _tell_context(context: dict[str, str]) -> None:
    """The configuration, where it is not what the last record of it said."""
    global _context  # noqa: PLW0603 - what was last written
    if context != _context:
        _context = context
        records.emit("context", values=context)


def _without_outlines(seen: dict[str, Any]) -> dict[str, Any]:
    return {**seen, "trees": {name: tree[:1] for name, tree in seen["trees"].items()}}


def failed(run: Run | None, error: BaseException) -> None:
    """The body raised."""
    if run is not None:
        _failed(run, error)


@records.guarded
def _failed(run: Run, error: BaseException) -> None:
    run.error = [type(error).__name__, frames.innermost_of_user(error.__traceback__), str(error)[:200]]


def finish(run: Run | None, result: Any = None) -> None:
    """The body ended, one way or the other, and what it returned."""
    if run is not None:
        seconds = time.perf_counter() - run.began
        for each in _when_finished:
            each(run, result)
        _finish(run, seconds)


@records.guarded
def _finish(run: Run, seconds: float) -> None:
    current = state()
    while current.stack and current.stack.pop() is not run:
        pass
    fields = {} if run.error is None else {"error": run.error}
    records.emit("end", r=run.serial, s=round(seconds, 7), **fields)
    if not current.stack:
        _origins.clear()
        for idle in _when_idle:
            idle()
    if not current.stack and run.error is None and run.entry.kind in COMPILED | STRUCTURED:
        current.done = run


def is_abstract() -> bool:
    """Whether a tracer that is met now surely has no value: some open run is more than a differentiation."""
    return any(run.entry.kind not in DIFFERENTIATED for run in state().stack)
