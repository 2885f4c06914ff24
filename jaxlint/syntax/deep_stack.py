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

#: Operands that one frame claims room for, in words of 8 bytes: a little over 2 MiB, so that its chunk has 4 MiB.
_CLAIMED_WORDS: Final = 262_144

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
            results.append(_in_one_chunk(work))
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


def _in_one_chunk(work: Callable[[], T]) -> T:
    return work()


# CPython 3.11+ keeps a thread's frames in chunks of 16 KiB and gives an empty one back at once, so that a recursion up
# and down over the edge of two asks the system for memory at every call. A frame that claims a deep operand stack makes
# one chunk of 4 MiB (a power of two), and what it leaves of it holds the frames of the work below.
_in_one_chunk.__code__ = _in_one_chunk.__code__.replace(co_stacksize=_CLAIMED_WORDS)
