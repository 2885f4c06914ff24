"""What a statement changed: shallow copies of what it can reach, taken before and compared after."""

from __future__ import annotations

import inspect
import math
import random
import re
import sys
from collections.abc import Iterator
from types import CodeType, FrameType, FunctionType, GeneratorType, ModuleType
from typing import Any

import jax

from .stack import is_boundary, kind_of

_MANY = 2000
_ATOMS = (bool, int, float, complex, str, bytes, type(None), type, ModuleType)

#: Tracers that record a program, as the probe's own do; those of differentiation have other names.
_STAGED = re.compile("Jaxpr|Jit")

State = dict[tuple[str, str], Any]


def snapshot(frame: FrameType) -> State:
    """What the frame can reach by one name and one step, by (where it is held, path)."""
    code = frame.f_code
    state: State = {}
    parameters = _parameters(code)
    for name, value in list(frame.f_locals.items())[:_MANY]:
        holder = "captured" if name in code.co_freevars else "parameter" if name in parameters else "local"
        if holder == "captured":
            if is_made_inside(frame, name):
                continue
            state[holder, name] = value
        state.update(_inside(holder, name, value, 2))
    for name in code.co_names:
        if name in frame.f_globals:
            value = frame.f_globals[name]
            state["global", name] = value
            state.update(_inside("global", name, value, 2))
    state.update(_random_states(frame))
    state.update(_positions(frame))
    return state


def _positions(frame: FrameType) -> State:
    """How far the iterators have come that the frame was given or captured."""
    state: State = {}
    own = {*_parameters(frame.f_code), *frame.f_code.co_freevars}
    named = [(name, value) for name, value in frame.f_locals.items() if name in own and not is_made_inside(frame, name)]
    named += [(name, frame.f_globals[name]) for name in frame.f_code.co_names if name in frame.f_globals]
    for name, value in named:
        if isinstance(value, GeneratorType):
            state["iterator", name] = -1 if value.gi_frame is None else value.gi_frame.f_lasti
            state["iterator", name + "()"] = None if value.gi_frame is None else repr(value.gi_frame.f_locals)[:200]
        elif type(value).__module__ in ("builtins", "itertools") and hasattr(value, "__next__"):
            hint = getattr(value, "__length_hint__", None)
            state["iterator", name] = hint() if hint else repr(value)[:100]
    return state


def _parameters(code: CodeType) -> set[str]:
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return {name for name in code.co_varnames[:count] if not name.startswith(".")}  # `.0` is a comprehension's own


def is_made_inside(frame: FrameType, name: str) -> bool:
    """Whether a captured variable belongs to a function that runs inside the same trace, and ends with it."""
    at = frame.f_back
    while at is not None and not kind_of(at) and not is_boundary(at):
        if name in at.f_code.co_cellvars:
            return True
        at = at.f_back
    return False


def _inside(holder: str, path: str, value: Any, depth: int) -> Iterator[tuple[tuple[str, str], Any]]:
    for step, entry in _entries(value):
        yield (holder, path + step), entry
        if depth > 1:
            yield from _inside(holder, path + step, entry, depth - 1)


def _entries(value: Any) -> list[tuple[str, Any]]:  # noqa: PLR0911 - dispatches on the kinds of values
    if isinstance(value, _ATOMS) and not isinstance(value, type):
        return []
    if isinstance(value, dict):
        return [(f"[{_key(key)}]", entry) for key, entry in list(value.items())[:_MANY]]
    if isinstance(value, (list, tuple)) or type(value).__name__ == "deque":
        return [(f"[{index}]", entry) for index, entry in enumerate(list(value)[:_MANY])]
    if isinstance(value, (set, frozenset)):
        return [(f"{{{_key(entry)}}}", entry) for entry in list(value)[:_MANY]]
    if type(value).__module__ == "numpy" and type(value).__name__ == "ndarray":
        return [("[...]", value.tobytes())] if value.nbytes < 100_000 else []
    if hasattr(value, "lower"):  # a jitted function
        return []
    attributes = getattr(value, "__dict__", None)
    if attributes is None or _is_library(value):
        return []
    return [(f".{name}", entry) for name, entry in list(attributes.items())[:200] if not name.startswith("__")]


def _key(key: Any) -> str:
    return repr(key)[:40] if isinstance(key, _ATOMS) else type(key).__name__


def _is_library(value: Any) -> bool:
    if isinstance(value, FunctionType):
        return False
    kind = value if isinstance(value, type) else type(value)
    return kind.__module__.partition(".")[0] in ("jax", "jaxlib", "numpy", "builtins", "functools", "typing")


def _random_states(frame: FrameType) -> State:
    state: State = {("random", "random"): hash(random.getstate())}
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        state["random", "numpy.random"] = _state_of(numpy_random)
        for name, value in [*frame.f_locals.items(), *((n, frame.f_globals.get(n)) for n in frame.f_code.co_names)]:
            generator = getattr(value, "bit_generator", None)
            if generator is not None:
                state["random", name] = str(generator.state)
            elif isinstance(value, random.Random):
                state["random", name] = hash(value.getstate())
    return state


def _state_of(numpy_random: Any) -> Any:
    state = numpy_random.get_state()
    return (state[1].tobytes(), state[2])


def changes(before: State, after: State) -> list[dict[str, Any]]:
    """What differs, as JSON; values that were rebound to what they were are no change."""
    result = []
    for key in dict.fromkeys([*before, *after]):
        old, new = before.get(key, ABSENT), after.get(key, ABSENT)
        if old is new or is_same(old, new) or (key[0] == "local" and "." not in key[1] and "[" not in key[1]):
            continue
        result.append(
            {
                "holder": key[0],
                "path": key[1],
                "before": summary(old),
                "after": summary(new),
                "tracer": isinstance(new, jax.core.Tracer),
                "lifted": isinstance(new, jax.core.Tracer) and not _STAGED.search(type(new).__name__),
            }
        )
    return result[:50]


class _Absent:
    """Stands for what is not there."""


ABSENT = _Absent()


def is_same(old: Any, new: Any) -> bool:
    """Equal plain values; anything else must be the same object."""
    if type(old) is not type(new) or not isinstance(old, _ATOMS):
        return isinstance(old, tuple) and isinstance(new, tuple) and all(map(_atomic, (*old, *new))) and old == new
    return bool(old == new) or (isinstance(old, float) and math.isnan(old))


def _atomic(value: Any) -> bool:
    return isinstance(value, _ATOMS)


def summary(value: Any) -> str:
    """A value in a few words, without running code of the user's."""
    if value is ABSENT:
        return "nothing"
    if isinstance(value, jax.core.Tracer):
        return "a tracer " + shape_of(value)
    if isinstance(value, _ATOMS):
        return repr(value)[:60]
    if hasattr(value, "dtype") and hasattr(value, "shape") and _is_library(value):
        return "an array " + shape_of(value)
    if isinstance(value, (list, tuple, dict, set)):
        return f"a {type(value).__name__} of {len(value)}"
    return f"a {type(value).__qualname__}"


def shape_of(value: Any) -> str:
    """`f32[3,4]`."""
    from .inputs import short_dtype

    try:
        return f"{short_dtype(value.dtype)}[{','.join(map(str, value.shape))}]"
    except Exception:  # tracers of unusual values have neither
        return ""
