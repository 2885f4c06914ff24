"""Recursive work on a user's file runs where neither the C stack nor the recursion limit is near."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

#: Reserved, not used: pages of a stack that is never reached cost nothing.
STACK_BYTES: Final = 256 * 1024 * 1024
RECURSION_LIMIT: Final = 20_000

_NAME: Final = "jaxlint-deep-stack"

# The stack size of new threads and the recursion limit belong to the whole process.
_lock = threading.RLock()


def run_deep(work: Callable[[], T]) -> T:
    """Return `work()`, or raise what it raises, from a thread with a big stack; at once where this is such a thread."""
    if threading.current_thread().name == _NAME:
        return work()
    results: list[T] = []
    errors: list[BaseException] = []

    def target() -> None:
        try:
            results.append(work())
        except BaseException as error:  # raised again in the thread that waits
            errors.append(error)

    with _lock:
        limit = sys.getrecursionlimit()
        try:
            _start(target).join()
        finally:
            sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]


def _start(target: Callable[[], None]) -> threading.Thread:
    before = threading.stack_size(STACK_BYTES)
    sys.setrecursionlimit(max(RECURSION_LIMIT, sys.getrecursionlimit()))
    try:
        thread = threading.Thread(target=target, name=_NAME, daemon=True)
        thread.start()
    finally:
        threading.stack_size(before)
    return thread
