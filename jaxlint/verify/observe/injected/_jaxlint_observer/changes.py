"""What a trace changed that was there before it: globals, captured containers, attributes, arguments.

Such a change is made once for each compilation and never by a call that hits the cache.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from . import frames, hazards, reading, records, runs, trees

_MAX_FUNCTIONS = 30
_MAX_STATES = 300
_MAX_ITEMS = 2_000
_ABSENT = object()
_PLAIN = (bool, int, float, complex, str, bytes)


class _State:
    """One name, container or object, and what was in it. `label` is how the code of the function calls it."""

    __slots__ = ("before", "holder", "label", "rule")

    def __init__(self, rule: str, label: str, holder: Any) -> None:
        self.rule = rule
        self.label = label
        self.holder = holder
        self.before = _contents(holder)


class _Cell:
    """A variable of an enclosing function, or of the module: what is bound to it."""

    def __init__(self, owner: Any, name: str) -> None:
        self.owner = owner
        self.name = name

    def read(self) -> Any:
        if isinstance(self.owner, dict):
            return self.owner.get(self.name, _ABSENT)
        try:
            return self.owner.cell_contents
        except ValueError:
            return _ABSENT


def _contents(holder: Any) -> dict[Any, Any]:
    if isinstance(holder, _Cell):
        return {0: holder.read()}
    if _is_generator(holder):
        return {0: str(holder.bit_generator.state)}
    if type(holder) is list:
        return dict(enumerate(holder[:_MAX_ITEMS]))
    if type(holder) is set:
        return {id(item): item for item in list(holder)[:_MAX_ITEMS]}
    return dict(holder if type(holder) is dict else vars(holder))


def arm() -> None:
    """Compare what is there before each trace with what is there behind it."""
    runs.around_each(_begun, _finished)


@records.guarded
def _begun(run: runs.Run, function: Any, args: tuple[Any, ...]) -> None:
    if run.entry.place is not None and run.entry.kind in runs.COMPILED | runs.STRUCTURED:
        run.states = _states(function, args, run.entry.names)


@records.guarded
def _finished(run: runs.Run, result: Any) -> None:
    if run.states and run.error is None and run.entry.place is not None:
        _compare(run.states, run.entry.place, run.entry.label, result)
    run.states = None


def _states(function: Any, args: tuple[Any, ...], names: tuple[str, ...]) -> list[_State]:
    """What the function may change: what it captures, reads by name, and is given."""
    found: list[_State] = []
    seen: set[int] = set()
    for label, value in zip(names, args):
        rule = "self-mutation" if label == "self" else "argument-mutation"
        found += _of_value(rule, label, value, seen)
    waiting: list[Any] = [function]
    functions: set[FunctionType] = set()
    while waiting and len(functions) < _MAX_FUNCTIONS and len(found) < _MAX_STATES:
        current = waiting.pop(0)
        if type(current) is not FunctionType or current in functions:
            continue
        if frames.owner(current.__code__.co_filename) is not frames.USER:
            continue
        functions.add(current)
        for rule, name, cell in _captured(current):
            value = cell.read()
            found.append(_State(rule, name, cell))
            found += _of_value("captured-mutation", name, value, seen)
            waiting.append(value)
    return found[:_MAX_STATES]


def _captured(function: FunctionType) -> Iterator[tuple[str, str, _Cell]]:
    """The variables around a function that its code names."""
    for name in sorted(set(_names(function.__code__)) & function.__globals__.keys()):
        yield "global-mutation", name, _Cell(function.__globals__, name)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        yield "captured-mutation", name, _Cell(cell, name)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _of_value(rule: str, label: str, value: Any, seen: set[int], depth: int = 2) -> Iterator[_State]:
    """The containers and the objects of the user's classes that a value is, or holds."""
    if id(value) in seen or depth < 0:
        return
    if _is_generator(value):
        seen.add(id(value))
        yield _State("host-rng-in-traced-code", label, value)
        return
    is_object = _is_users_object(value)
    if type(value) in (list, dict, set) or is_object:
        seen.add(id(value))
        yield _State(rule, label, value)
    for name, held in list(vars(value).items()) if is_object else ():
        yield from _of_value(rule, f"{label}.{name}", held, seen, depth - 1)


def _is_users_object(value: Any) -> bool:
    if isinstance(value, (type, ModuleType, FunctionType)) or not isinstance(getattr(value, "__dict__", None), dict):
        return False
    module = sys.modules.get(type(value).__module__)
    path = getattr(module, "__file__", None)
    return isinstance(path, str) and frames.owner(path) is frames.USER


def _compare(states: list[_State], place: tuple[str, int], label: str, result: Any) -> None:
    """Tell what is not as it was and not handed back. `place` is that of the function that was traced."""
    jax = sys.modules["jax"]
    outer = [state for run in runs.state().stack[:-1] for state in run.states or ()]
    for state in states:
        now = _contents(state.holder)
        changed = [name for name in now.keys() | state.before.keys() if _differs(state, name, now)]
        new = [now[name] for name in changed if name in now]
        is_leak = any(isinstance(leaf, jax.core.Tracer) for value in new for leaf in trees.leaves(jax, value))
        is_leak = is_leak and state.rule != "argument-mutation"
        for other in outer if changed else ():  # told here, and not again where the run around this one ends
            if other.holder is state.holder or _is_same_cell(other.holder, state.holder):
                other.before = now
        if not changed or (_is_memo(state, changed) and not is_leak):
            continue
        if state.rule == "argument-mutation" and _is_own(state, changed, now, place, result):
            continue
        names = sorted(str(name) for name in changed)[:3] if _has_attributes(state.holder) else [""]
        for name in names:
            shown = f"{state.label}.{name}" if name else state.label
            rule = "leaked-tracer" if is_leak else state.rule
            hazards.tell(rule, [*place], _message(rule, shown), evidence=[f"in the trace of `{label}`"], of=shown)


def _is_own(state: _State, changed: list[Any], now: dict[Any, Any], place: tuple[str, int], result: Any) -> bool:
    """Whether the function changes its own copy for itself: it hands it back, reads it on, or only takes parts out."""
    if _holds(result, state.holder) or all(name not in now for name in changed):
        return True
    return reading.reads_on(place, state.label, changed)


def _holds(value: Any, part: Any, depth: int = 4) -> bool:
    """Whether a result is a container, or leads to it."""
    if value is part:
        return True
    if isinstance(value, (tuple, list, dict)) and len(value) <= _MAX_ITEMS:
        inside = list(value.values()) if isinstance(value, dict) else value
    else:
        inside = list(vars(value).values()) if _is_users_object(value) else ()
    return depth > 0 and any(_holds(entry, part, depth - 1) for entry in inside)


def _differs(state: _State, name: Any, now: dict[Any, Any]) -> bool:
    new, old = now.get(name, _ABSENT), state.before.get(name, _ABSENT)
    return new is not old and not (type(new) is type(old) and type(new) in _PLAIN and new == old)


def _is_same_cell(one: Any, other: Any) -> bool:
    return isinstance(one, _Cell) and isinstance(other, _Cell) and one.owner is other.owner and one.name == other.name


def _is_generator(value: Any) -> bool:
    """Whether it draws the host's random numbers."""
    return type(value).__module__.startswith("numpy.random") and hasattr(value, "bit_generator")


def _has_attributes(holder: Any) -> bool:
    return not isinstance(holder, (_Cell, list, set, dict)) and not _is_generator(holder)


def _is_memo(state: _State, changed: list[Any]) -> bool:
    """Whether a dictionary only gained entries, or an object what it computes once: that is meant to happen once."""
    gained = all(name not in state.before for name in changed)
    if type(state.holder) is dict:
        return gained and state.rule != "argument-mutation"
    if not _has_attributes(state.holder):
        return False
    kind = type(state.holder)
    return gained and all(isinstance(getattr(kind, str(n), None), functools.cached_property) for n in changed)


def _message(rule: str, shown: str) -> str:
    if rule == "leaked-tracer":
        return f"`{shown}` keeps a tracer, which is invalid once tracing ends"
    if rule == "host-rng-in-traced-code":
        return f"`{shown}` draws random numbers of the host once, during tracing, and not on later calls"
    if rule == "argument-mutation":
        return f"`{shown}` is changed during tracing: the change is lost to the caller"
    return f"`{shown}` is changed once, during tracing, and not on later calls"
