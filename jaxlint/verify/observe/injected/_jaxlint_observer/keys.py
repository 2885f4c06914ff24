"""Keys on their way through the flagged expressions: whether a key that comes to one was used at another before.

A key is told by its data; while tracing, by its tracer, and by the data of the argument that the tracer stands for.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Any, NamedTuple

from . import runs, trees

_MAX_KEYS = 10_000
_MAX_LEAVES = 8
_numbers = itertools.count(1)
_passed: dict[Any, list[_Pass]] = {}
_activations: list[tuple[Any, int]] = []


class _Pass(NamedTuple):
    """One key at one point: in which call of the function, in which thread, and as which object."""

    number: int
    activation: int
    thread: int
    key: Callable[[], Any]


class Fact(NamedTuple):
    """What a key that comes to a point shows.

    `again`: it came there before in the same call. `others`: points where this very key was used before. `equal`:
    points where a key of equal data was, in a call that has nothing to do with this one.
    """

    again: bool
    others: tuple[int, ...]
    equal: tuple[int, ...]


def facts(jax: ModuleType, number: int, value: Any, frame: FrameType) -> list[Fact] | None:
    """What the keys in `value` show; None where they are no longer compared."""
    if len(_passed) > _MAX_KEYS:
        return None
    found = []
    called = activation(frame)
    is_alone = hasattr(value, "dtype")
    for key in _keys_in(jax, value):
        known = [_pass(number, called, told, held) for told, held in _identities(jax, key)]
        again = is_alone and any(fact.again for fact in known)
        others = sorted({other for fact in known for other in fact.others})
        equal = sorted({other for fact in known for other in fact.equal} - set(others))
        found.append(Fact(again, tuple(others), tuple(equal)))
    return found


def _pass(number: int, activation: int, told: Any, key: Any) -> Fact:
    now = _Pass(number, activation, threading.get_ident(), _reference(key))
    earlier = _passed.setdefault(told, [])
    on_stack = {known for _, known in _activations}
    again = any((before.number, before.activation) == (number, activation) for before in earlier)
    others, equal = set(), set()
    for before in earlier:
        if before.number == number:
            continue
        if before.activation == activation:
            others.add(before.number)
        elif before.activation in on_stack:
            continue  # the key was handed on from there: that is one use, not two
        elif before.thread == now.thread and before.key() is key:
            others.add(before.number)
        else:
            equal.add(before.number)
    if now not in earlier:
        earlier.append(now)
    return Fact(again, tuple(others), tuple(equal))


def _reference(key: Any) -> Callable[[], Any]:
    try:
        return weakref.ref(key)
    except TypeError:
        return lambda: None


def _keys_in(jax: ModuleType, value: Any) -> list[Any]:
    """The keys among the leaves of a value."""
    leaves = [value] if hasattr(value, "dtype") else trees.leaves(jax, value)
    return [leaf for leaf in leaves if is_key(jax, leaf)][:_MAX_LEAVES]


def _identities(jax: ModuleType, key: Any) -> list[tuple[Any, Any]]:
    """What tells a key apart, with the object that has it."""
    if not isinstance(key, jax.core.Tracer):
        return [(data(jax, key), key)]
    if jax.config.jax_check_tracer_leaks or not runs.state().stack:
        return []
    origin = runs.origin(key)
    return [(id(key), key), *([] if origin is None else [(data(jax, origin), origin)])]


def is_key(jax: ModuleType, value: Any) -> bool:
    """Whether a value is a key, of the new style or of the old."""
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if dtype is None or shape is None:
        return False
    return _is_typed(jax, dtype) or (str(dtype) == "uint32" and bool(shape) and shape[-1] in (2, 4))


def _is_typed(jax: ModuleType, dtype: Any) -> bool:
    return bool(jax.dtypes.issubdtype(dtype, jax.dtypes.prng_key))


def data(jax: ModuleType, key: Any) -> bytes:
    """The bits of a key that has a value."""
    import numpy

    if not _is_typed(jax, key.dtype):
        return numpy.asarray(key).tobytes()
    with jax.ensure_compile_time_eval():  # a trace would make a tracer of it
        return numpy.asarray(jax.random.key_data(key)).tobytes()


def activation(frame: FrameType) -> int:
    """A number for one call of a function. Frames that have ended are let go at the next look."""
    number = next((number for known, number in _activations if known is frame), None)
    on_stack = set()
    outer: FrameType | None = frame
    while outer is not None:
        on_stack.add(id(outer))
        outer = outer.f_back
    _activations[:] = [known for known in _activations if id(known[0]) in on_stack]
    if number is None:
        number = next(_numbers)
        _activations.append((frame, number))
    return number


def let_go() -> None:
    """No trace is open any more: its tracers, which stood for keys, are nothing to compare with."""
    for told in [told for told in _passed if isinstance(told, int)]:
        del _passed[told]
    _activations.clear()
