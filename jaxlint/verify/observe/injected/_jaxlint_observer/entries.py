"""What is known of one function under one transform before it runs."""

from __future__ import annotations

from typing import Any, NamedTuple


class Options(NamedTuple):
    """What a transform was told of the arguments: which of them are static."""

    nums: tuple[int, ...] = ()
    names: tuple[str, ...] = ()


class Entry:
    """One function as one transform was given it. `trees` are the pytree structures that each argument has had.

    `place` is where the function is defined, if it is the user's and is run by itself.
    """

    __slots__ = ("kind", "label", "names", "options", "place", "rest", "serial", "shown", "trees")

    def __init__(self, serial: int, kind: str, options: Options, names: tuple[str, ...], rest: str, label: str) -> None:
        self.serial = serial
        self.kind = kind
        self.options = options
        self.names = names
        self.rest = rest
        self.label = label
        self.trees: dict[str, list[tuple[int, Any]]] = {}
        self.shown: Any = None
        self.place: tuple[str, int] | None = None

    def name(self, index: int) -> str:
        """What the positional argument at `index` is called."""
        if index < len(self.names):
            return self.names[index]
        return f"{self.rest or 'args'}[{index - len(self.names)}]"

    def is_static(self, index: int, count: int) -> bool:
        """Whether the transform takes the positional argument at `index`, of `count`, as a constant."""
        nums, names = self.options
        return index in nums or index - count in nums or self.name(index) in names
