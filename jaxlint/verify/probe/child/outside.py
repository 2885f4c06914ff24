"""What was there before a trace began: the objects that code under the trace can change, and what changed in them."""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Container, Iterator
from types import FunctionType, GeneratorType, ModuleType
from typing import Any, NamedTuple

import jax

from .statement_effects import ABSENT, is_same, summary

_DEPTH = 4
_MOST_OBJECTS = 2000
_MOST_ENTRIES = 500
#: Bases that say nothing of who keeps an object's state; any other library's base may keep it itself.
_NEUTRAL = frozenset({"builtins", "abc", "typing", "typing_extensions", "dataclasses", "enum", "collections"})


class Change(NamedTuple):
    """One entry of one object that is not as it was. `holder` is global, captured, attribute, container, ..."""

    holder: str
    path: str
    before: Any
    after: Any

    @property
    def stores_tracer(self) -> bool:
        """Whether a tracer is kept now."""
        return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree_util.tree_leaves(self.after))

    @property
    def is_memo(self) -> bool:
        """Whether something was only filled in that tracing again would fill in alike."""
        return (self.before is ABSENT or self.before is None) and self.holder != "sequence" and not self.stores_tracer

    @property
    def replaces_array(self) -> bool:
        """Whether an array took the place of another: what a function does with a copy of its own."""
        return all(hasattr(value, "dtype") and hasattr(value, "shape") for value in (self.before, self.after))

    def __str__(self) -> str:
        return f"`{self.path}` became {summary(self.after)} (it was {summary(self.before)})"


class _Known(NamedTuple):
    value: Any
    path: str
    is_argument: bool


class Outside:
    """The objects outside of one trace, with the state they had when last looked at."""

    def __init__(self, files: Container[str]) -> None:
        self._files = files
        self._known: dict[int, _Known] = {}
        self._states: dict[int, dict[Any, Any]] = {}
        self._first: dict[int, dict[Any, Any]] = {}

    def add_modules(self) -> None:
        """Take in what the modules of the project hold."""
        for module in list(sys.modules.values()):
            if getattr(module, "__file__", None) in self._files:
                self.add(module, "")
        self.add(random, "random")
        numpy_random = sys.modules.get("numpy.random")
        if numpy_random is not None:
            self.add(numpy_random.get_state.__self__, "numpy.random")

    def add(self, value: Any, path: str, *, is_argument: bool = False, depth: int = _DEPTH) -> None:
        """Take in an object and what it leads to."""
        if id(value) in self._known or len(self._known) >= _MOST_OBJECTS or not self._is_watched(value):
            return
        self._known[id(value)] = _Known(value, path, is_argument)
        self._states[id(value)] = self._first[id(value)] = state = dict(_entries(value))
        if depth:
            for step, entry in state.items():
                self.add(entry, _joined(path, value, step), is_argument=is_argument, depth=depth - 1)
        if isinstance(value, FunctionType) and depth:
            for entry in (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values(), *_cells(value)):
                self.add(entry, f"a value kept by `{value.__name__}`", depth=depth - 1)

    def changes(self) -> Iterator[tuple[int, bool, Change]]:
        """What changed since the last look: the object's identity, whether it is an argument, and the change."""
        for identity, known in list(self._known.items()):
            now, before = dict(_entries(known.value)), self._states[identity]
            if now.keys() == before.keys() and all(now[step] is before[step] for step in now):
                continue
            self._states[identity] = now
            for step in dict.fromkeys([*before, *now]):
                old, new = before.get(step, ABSENT), now.get(step, ABSENT)
                if old is not new and not is_same(old, new):
                    holder = _holder(known.value)
                    yield identity, known.is_argument, Change(holder, _joined(known.path, known.value, step), old, new)

    def differs(self, identity: int) -> bool:
        """Whether an object is not as it was at first: what a trace undid at its end has no effect."""
        first, now = self._first[identity], dict(_entries(self._known[identity].value))
        return first.keys() != now.keys() or not all(v is first[k] or is_same(first[k], v) for k, v in now.items())

    def _is_watched(self, value: Any) -> bool:
        if isinstance(value, (dict, list, set, bytearray, GeneratorType, random.Random)):
            return True
        if isinstance(value, ModuleType):
            return value is random or getattr(value, "__file__", None) in self._files
        kind = value if isinstance(value, type) else type(value)
        if kind.__module__ == "numpy":
            return kind.__name__ == "ndarray"
        if _is_numpy_stream(value) or type(value).__name__ == "deque" or _is_iterator(value):
            return True
        if isinstance(value, FunctionType):
            return value.__code__.co_filename in self._files
        return bool(getattr(value, "__dict__", None) is not None and self._is_of_project(kind))

    def _is_of_project(self, kind: type) -> bool:
        """Whether a class is the project's own, down to its bases: frameworks keep the state of theirs."""
        homes = {base.__module__ for base in kind.__mro__}
        others = {home for home in homes if home.partition(".")[0] not in _NEUTRAL}
        return bool(others) and all(getattr(sys.modules.get(h), "__file__", None) in self._files for h in others)


def _is_numpy_stream(value: Any) -> bool:
    return type(value).__module__.startswith("numpy.random") and hasattr(value, "_bit_generator")


def _is_iterator(value: Any) -> bool:
    return type(value).__module__ in ("builtins", "itertools") and hasattr(value, "__next__")


def _holder(value: Any) -> str:
    if isinstance(value, (random.Random, ModuleType)):
        return "random" if value is random or isinstance(value, random.Random) else "global"
    if _is_numpy_stream(value):
        return "random"
    if isinstance(value, dict):
        return "container"
    if type(value).__name__ == "deque" or isinstance(value, (list, bytearray, set)):
        return "sequence"
    if type(value).__module__ == "numpy":
        return "sequence"
    return "iterator" if isinstance(value, GeneratorType) or _is_iterator(value) else "attribute"


def _entries(value: Any) -> Iterator[tuple[Any, Any]]:
    """What an object holds, by the step that leads to it; of what has no parts, how far it has come."""
    if isinstance(value, random.Random) or value is random:
        yield "state", hash(value.getstate())
    elif _is_numpy_stream(value):
        yield "state", str(getattr(value, "bit_generator", value._bit_generator).state)
    elif isinstance(value, dict):
        yield from list(value.items())[:_MOST_ENTRIES]
    elif isinstance(value, (list, bytearray)) or type(value).__name__ == "deque":
        yield from enumerate(list(value)[:_MOST_ENTRIES])
    elif isinstance(value, set):
        yield from ((entry, entry) for entry in list(value)[:_MOST_ENTRIES])
    elif type(value).__module__ == "numpy" and not isinstance(value, type):
        if value.nbytes < 100_000:
            yield "...", value.tobytes()
    elif isinstance(value, GeneratorType):
        yield "position", -1 if value.gi_frame is None else (value.gi_frame.f_lasti, str(value.gi_frame.f_locals)[:200])
    elif _is_iterator(value):
        hint = getattr(value, "__length_hint__", None)
        yield "position", hint() if hint else repr(value)[:100]
    else:
        own = list(vars(value).items())[:_MOST_ENTRIES]
        yield from ((name, entry) for name, entry in own if not name.startswith("__"))


def _cells(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # not yet assigned
            yield cell.cell_contents


def _joined(path: str, value: Any, step: Any) -> str:
    if _holder(value) in ("random", "iterator"):
        return path
    if isinstance(value, (dict, list, bytearray)) or type(value).__name__ in ("deque", "set", "ndarray"):
        return f"{path}[{step!r:.40}]"
    return f"{path}.{step}" if path else str(step)


def reachable(value: Any, depth: int = _DEPTH) -> set[int]:
    """The identities of the containers and objects of a value, a few steps deep."""
    found = {id(value)}
    if depth and (isinstance(value, (tuple, list, dict, set)) or hasattr(value, "__dict__")):
        parts = value if isinstance(value, tuple) else [entry for _, entry in _entries(value)]
        for part in parts:
            found |= reachable(part, depth - 1)
    return found
