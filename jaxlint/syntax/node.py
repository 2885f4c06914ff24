"""The base of all nodes of the intermediate representation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing_extensions import Self, dataclass_transform

    # Type checkers compare named tuples item by item, which takes minutes for a union of trees; they are told of
    # classes with the same fields instead, which compare by name. At run time a node is a named tuple.
    @dataclass_transform(frozen_default=True)
    class Node:
        """A node: its fields are its items, in order."""

        def _replace(self, **fields: object) -> Self: ...

else:
    Node = NamedTuple
