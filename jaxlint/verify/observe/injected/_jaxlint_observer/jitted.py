"""Who asked for a function to be compiled, and at which expression of which line.

What the user compiles is the user's, whoever wrote the body: it is counted under the place where it was compiled.
"""

from __future__ import annotations

import itertools
import sys
from types import FrameType
from typing import Any, NamedTuple

from . import frames

#: Functions of libraries that compile what they are given, as JAX's do.
_WRAPPERS = frozenset({"jit", "pmap", "filter_jit", "filter_pmap"})


class Jitted(NamedTuple):
    """The user's expression that compiles something; `directly`: by JAX itself, not by a library's wrapper of it.

    `span` is its place, columns in UTF-8 from 0, where Python knows that: from 3.11 on.
    """

    path: str
    line: int
    span: tuple[int, int, int, int] | None
    directly: bool


def by_user(frame: FrameType | None) -> Jitted | None:
    """Where the user compiles what is compiled from `frame` outwards; None where a library does for its own ends."""
    wrapper: str | None = None
    while frame is not None:
        filename = frame.f_code.co_filename
        whose = frames.owner(filename)
        if whose is frames.USER:
            if wrapper is not None and wrapper not in _WRAPPERS:
                return None
            span = _span(frame)
            return Jitted(filename, span[0] if span else frame.f_lineno, span, wrapper is None)
        if whose is frames.LIBRARY:
            wrapper = frame.f_code.co_name
        frame = frame.f_back
    return None


def _span(frame: FrameType) -> tuple[int, int, int, int] | None:
    if sys.version_info < (3, 11) or frame.f_lasti < 0:
        return None
    found = next(itertools.islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), None)
    if found is None or None in found:
        return None
    line, end_line, column, end_column = found
    return line, column, end_line, end_column


def own_name(function: Any) -> str:
    """What a callable calls itself."""
    for candidate in (function, getattr(function, "__wrapped__", None)):
        name = getattr(candidate, "__name__", None)
        if isinstance(name, str) and not name.startswith("<"):
            return name
    return type(function).__name__
