"""What JAX says of its own work through `jax.monitoring`: lowerings, compilations, hits in the persistent cache.

The names of events are not promised: those that are missing leave gaps, never wrong counts. A compilation is also
announced when the persistent cache had the program; the hit is announced just before it.
"""

from __future__ import annotations

import sys
from types import FrameType, FunctionType, ModuleType
from typing import Any

from . import frames, hazards, records, runs, trees
from .signatures import array_type
from .twins import Twin

_LOWERED = "/jax/core/compile/jaxpr_to_mlir_module_duration"
_COMPILED = "/jax/core/compile/backend_compile_duration"
_HIT = "/jax/compilation_cache/cache_hits"
_MAX_FRAMES = 60
#: Bytes from which on a constant in a program is worth a line; a probe has the same.
LARGE_CONSTANT = 2**20
_target_told = False
_announced = 0


def listen(jax: ModuleType) -> None:
    """Listen to JAX."""
    jax.monitoring.register_event_duration_secs_listener(_on_duration)
    jax.monitoring.register_event_listener(_on_event)


def announced() -> int:
    """How many compilations JAX has announced in this process: what is counted has to come to the same."""
    return _announced


def forget() -> None:
    """Begin anew, in a forked child."""
    global _announced  # noqa: PLW0603 - one number a process
    _announced = 0


def _on_duration(event: str, duration: float, **about: Any) -> None:
    global _announced  # noqa: PLW0603 - one number a process
    _announced += event == _COMPILED
    if event in (_LOWERED, _COMPILED):
        _duration(event, duration, str(about.get("fun_name") or ""))


def _on_event(event: str, **_about: Any) -> None:
    if event == _HIT:
        runs.state().cache_hit = True


@records.guarded
def _duration(event: str, seconds: float, name: str) -> None:
    current = runs.state()
    frame = sys._getframe(2)
    function, told, args = _jitted(frame)
    twin = _twin_in(function)
    fields: dict[str, Any] = {
        "th": runs.thread(),
        "s": round(seconds, 7),
        "name": name or told,
        "call": frames.call_site(frame),
    }
    if twin is not None:
        fields["f"] = twin.entry.serial
    elif type(function) is FunctionType and frames.owner(function.__code__.co_filename) is frames.USER:
        fields["unseen"] = [*frames.definition(function), function.__qualname__]
    if current.done is not None:
        fields["r"] = current.done.serial
    if args and (twin is not None or current.done is not None):
        fields["places"] = _places(args)
    if event == _LOWERED:
        if twin is not None and twin.entry.place is not None:
            _tell_constants(twin.entry.place, twin.entry.label, frame)
        current.done = None
        records.emit("lower", depth=len(current.stack), **fields)
        return
    hit, current.cache_hit = current.cache_hit, False
    records.emit("hit" if hit else "compile", depth=len(current.stack), **fields)
    _tell_target()


def _jitted(frame: FrameType | None) -> tuple[Any, str, tuple[Any, ...]]:
    """The function that JAX is busy with, by its own frames; the name that it says; and the arguments."""
    name = ""
    for _ in range(_MAX_FRAMES):
        if frame is None or not _is_of_jax(frame):
            break
        variables = frame.f_locals
        told = variables.get("fun_name")
        name = name or (told if isinstance(told, str) else "")
        function = variables.get("fun") or getattr(variables.get("jit_info"), "fun", None)
        if frame.f_code.co_name == "cache_miss":  # the innermost: an operation on arguments is not the function's own
            return function, name, variables.get("args") or ()
        frame = frame.f_back
    return None, name, ()


def _tell_constants(place: tuple[str, int], label: str, frame: FrameType | None) -> None:
    """Arrays that a function captured, which are compiled into its program."""
    constants: dict[int, Any] = {}
    for _ in range(_MAX_FRAMES):
        if frame is None or not _is_of_jax(frame):
            break
        for value in list(frame.f_locals.values()):
            if type(value).__name__ in ("ClosedJaxpr", "Jaxpr"):
                constants.update({id(array): array for array in getattr(value, "consts", ())})
        frame = frame.f_back
    large = [array for array in constants.values() if getattr(array, "nbytes", 0) >= LARGE_CONSTANT]
    if large:
        shown = ", ".join(array_type(array) for array in large[:4])
        size = sum(array.nbytes for array in large) / 2**20
        message = f"`{label}` captures {size:.0f} MiB of arrays, which are compiled into the program as constants"
        hazards.tell("large-closure-constant", [*place], message, evidence=[shown], name=label)


def _is_of_jax(frame: FrameType) -> bool:
    """Whether JAX is still at work: in JAX 0.4, `contextlib` stands between what it measures and what it tells."""
    return frames.owner(frame.f_code.co_filename) is frames.JAX or frame.f_globals.get("__name__") == "contextlib"


def _twin_in(function: Any) -> Twin | None:
    for _ in range(4):
        if type(function) is Twin:
            return function
        function = getattr(function, "func", None) or getattr(function, "__func__", None)
    return None


def _places(args: tuple[Any, ...]) -> list[str]:
    """Where the arrays among the arguments lie: what a compilation without a trace differs in."""
    jax = sys.modules["jax"]
    leaves = trees.leaves(jax, args)[:50]
    return [
        str(leaf.sharding) if isinstance(leaf, jax.Array) and not isinstance(leaf, jax.core.Tracer) else ""
        for leaf in leaves
    ]


def _tell_target() -> None:
    """The device, once: JAX has chosen it by now, and asking starts nothing."""
    global _target_told  # noqa: PLW0603 - told once a process
    if _target_told:
        return
    _target_told = True
    jax = sys.modules["jax"]
    device = jax.devices()[0]
    records.emit("target", platform=device.platform, device_kind=device.device_kind)
