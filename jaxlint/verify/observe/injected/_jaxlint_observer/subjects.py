"""Which function of the user's a callable stands for, and where that is defined."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType, MethodType
from typing import Any, NamedTuple

from . import frames

_MAX_LOOKS = 40
#: Attributes under which wrapping objects of JAX's libraries keep the function that they wrap.
_HELD = ("f", "fun", "fn", "func", "_fun", "_fn", "_f", "_call", "apply_fn", "module")


class Subject(NamedTuple):
    """A function by its place. `direct`: calling the callable runs it; else something around it runs it, if at all."""

    path: str
    line: int
    name: str
    owner: str
    direct: bool


def subject_of(function: object) -> Subject | None:
    """What `function` stands for: the first function of the user's inside it, else what it is itself."""
    first: Subject | None = None
    for candidate, direct in _inside(function):
        code = _code(candidate)
        if code is None:
            continue
        owner = frames.owner(code.co_filename)
        found = Subject(code.co_filename, code.co_firstlineno, _name(candidate, code), owner, direct)
        if owner == frames.USER:
            return found
        first = first or found
    return first


def _inside(function: object) -> Iterator[tuple[object, bool]]:
    """`function` and the callables that it holds, nearest first, each with whether it is `function` itself."""
    queue: list[tuple[object, bool]] = [(function, True)]
    seen: set[int] = set()
    while queue and len(seen) < _MAX_LOOKS:
        current, direct = queue.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        inner = getattr(current, "__wrapped__", None)
        if isinstance(current, functools.partial):
            queue.insert(0, (current.func, direct))
        elif isinstance(current, MethodType):
            queue.insert(0, (current.__func__, direct))
        elif inner is not None and inner is not current and _is_of_user(inner):
            yield inner, False  # the name that a decorator of the user's own took over
        else:
            yield current, direct
            queue.extend((held, False) for held in _held(current))


def _is_of_user(function: object) -> bool:
    code = _code(function)
    return code is not None and frames.owner(code.co_filename) == frames.USER


def _held(holder: object) -> Iterator[object]:
    """Callables in the closure or the attributes of what is not the user's own code."""
    inner = getattr(holder, "__wrapped__", None)
    if inner is not None:
        yield inner
    for cell in getattr(holder, "__closure__", None) or ():
        try:
            content = cell.cell_contents
        except ValueError:
            continue
        if callable(content) and not isinstance(content, type):
            yield content
        elif isinstance(content, tuple):
            yield from (item for item in content if callable(item) and not isinstance(item, type))
    fields = getattr(holder, "__dict__", None)
    if isinstance(fields, dict):
        yield from (fields[name] for name in _HELD if callable(fields.get(name)))


def _code(function: object) -> CodeType | None:
    if isinstance(function, FunctionType):
        return function.__code__
    if isinstance(function, type) or not callable(function):
        return None
    call = vars(type(function)).get("__call__") or getattr(type(function), "__call__")  # noqa: B004, B009 - its code
    return call.__code__ if isinstance(call, FunctionType) else None


def _name(function: object, code: CodeType) -> str:
    if isinstance(function, FunctionType):
        return function.__qualname__
    return f"{type(function).__qualname__}.{code.co_name}"


def parameter_names(function: Any) -> tuple[tuple[str, ...], str]:
    """The names that positional arguments get, and that of `*args` (empty where there is none)."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return (), "args"
    names = tuple(p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD))
    rest = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "")
    return names, rest
