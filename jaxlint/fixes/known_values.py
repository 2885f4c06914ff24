"""What the analysis knows of the names around an operation, as plain words for a fix: numbers, arrays, other things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jaxlint.analysis.domain.frames import Frame
from jaxlint.analysis.domain.values import (
    Array,
    ClassValue,
    FunctionValue,
    Leaves,
    Qualified,
    Static,
    Value,
    atoms_of,
)

NUMBER: Final = "number"  # of Python
OTHER: Final = "other"  # no array, and nothing that holds one
UNKNOWN: Final = "?"  # an array of some shape
_NUMBERS: Final = frozenset({"int", "float", "bool", "complex"})


def known_values(frame: Frame) -> tuple[str, ...]:
    """`name=kind` for the names of a frame and of those that enclose it; arrays by their shapes.

    What stands outside all traces holds no traced value.
    """
    start, trace = frame.serial, frame.trace
    while trace is not None:
        start, trace = min(start, trace.entry), trace.parent
    found: dict[str, str] = {}
    around: Frame | None = frame
    while around is not None:
        for name, value in around.state.env.items():
            found.setdefault(name, kind_of(value) or (OTHER if around.serial < start else ""))
        around = around.closure
    return tuple(f"{name}={kind}" for name, kind in sorted(found.items()) if kind)


def kind_of(value: Value) -> str:
    """What a value is for sure; empty where its atoms differ."""
    kinds = {_kind(atom) for atom in atoms_of(value)}
    return kinds.pop() if len(kinds) == 1 else ""


def kinds_by_name(words: tuple[str, ...]) -> Mapping[str, str]:
    """The words of `known_values` as they were."""
    return dict(word.split("=", 1) for word in words)


def is_array(kind: str) -> bool:
    """Whether a kind is that of an array, or of a tree of them."""
    return kind not in ("", NUMBER, OTHER)


def _kind(atom: object) -> str:
    match atom:
        case Array():
            is_known = atom.shape is not None and all(isinstance(size, int) for size in atom.shape)
            return str(atom.shape) if is_known else UNKNOWN
        case Leaves():
            return UNKNOWN
        case Static():
            is_number = atom.type in _NUMBERS or (atom.known and type(atom.value).__name__ in _NUMBERS)
            return NUMBER if is_number else OTHER
        case FunctionValue() | ClassValue() | Qualified():
            return OTHER
        case _:
            return ""
