"""Releases of JAX, compared as tuples of numbers."""

from __future__ import annotations

from typing import TypeAlias

Version: TypeAlias = "tuple[int, ...]"

#: The newest release that the tables are checked against, and the target where none is set.
NEWEST_KNOWN: Version = (0, 12, 0)


def parse_version(text: str) -> Version:
    """`"0.4.30"` as `(0, 4, 30)`; suffixes such as `.dev1` or `rc2` are dropped.

    Raises:
        ValueError: The text does not start with a number.
    """
    numbers: list[int] = []
    for part in text.strip().removeprefix("v").split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        numbers.append(int(digits))
        if digits != part:
            break
    if not numbers:
        raise ValueError(f"{text!r} is not a version of JAX, such as 0.4.30")
    return tuple(numbers)


def is_current(since: str, until: str, target: Version) -> bool:
    """Whether the release `target` holds a row with these `since` and `until` cells."""
    return (not since or parse_version(since) <= target) and (not until or target < parse_version(until))
