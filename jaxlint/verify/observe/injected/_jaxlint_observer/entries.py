"""What is known of one function under one transform before it runs."""

from __future__ import annotations

from typing import Any


class Entry:
    """One function as one transform was given it. `trees` are the pytree structures that each argument has had."""

    __slots__ = ("kind", "label", "names", "rest", "serial", "shown", "static_names", "static_nums", "trees")

    def __init__(
        self,
        serial: int,
        kind: str,
        static_nums: tuple[int, ...],
        static_names: tuple[str, ...],
        names: tuple[str, ...],
        rest: str,
        label: str,
    ) -> None:
        self.serial = serial
        self.kind = kind
        self.static_nums = static_nums
        self.static_names = static_names
        self.names = names
        self.rest = rest
        self.label = label
        self.trees: dict[str, list[tuple[int, Any]]] = {}
        self.shown: Any = None

    @property
    def options(self) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """What the transform was told of the arguments."""
        return self.static_nums, self.static_names

    def name(self, index: int) -> str:
        """What the positional argument at `index` is called."""
        if index < len(self.names):
            return self.names[index]
        return f"{self.rest or 'args'}[{index - len(self.names)}]"

    def is_static(self, index: int, count: int) -> bool:
        """Whether the transform takes the positional argument at `index`, of `count`, as a constant."""
        return index in self.static_nums or index - count in self.static_nums or self.name(index) in self.static_names
