"""What a run shows to be wrong by itself, wherever it is: told when it is first seen, with its place and how often."""

from __future__ import annotations

import os
import sys
from typing import Any

from . import frames, records, runs

_counts: dict[tuple[str, Any, Any], int] = {}


def tell(rule: str, place: list[Any] | None, message: str, **about: Any) -> None:
    """Record it; of what comes up often, each doubling of its number."""
    if place is None:
        return
    known = (rule, *place[:2])
    count = _counts[known] = _counts.get(known, 0) + 1
    if not count & (count - 1):
        records.emit("hazard", rule=rule, path=place[0], line=place[1], message=message, count=count, **about)


def traced_caller(depth: int) -> list[Any] | None:
    """[path, line] of the caller `depth` frames up, where it is the user's and runs while JAX traces for good."""
    stack = runs.state().stack
    if not stack or not runs.is_abstract():
        return None
    frame = sys._getframe(depth + 1)
    code = frame.f_code
    is_generated = code.co_filename == "<string>" and code.co_name.startswith("__")  # methods of dataclasses
    if is_generated or frames.owner(code.co_filename) is not frames.USER:
        return None
    return [frame.f_code.co_filename, frame.f_lineno]


def where() -> str:
    """In which trace the current thread is."""
    entry = runs.state().stack[-1].entry
    return f"in the trace by {entry.kind} of `{entry.label}`" if entry.label else f"in the trace by {entry.kind}"


def in_test() -> bool:
    """Whether a test of pytest's runs: tests draw from one key twice to compare, and mean it."""
    return "_pytest" in sys.modules and "PYTEST_CURRENT_TEST" in os.environ
