"""Walks over the intermediate representation, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.syntax import ir


def nodes(value: object) -> Iterator[tuple[object, ...]]:
    """Every named tuple of a tree, itself first."""
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            yield value
        for child in value:
            yield from nodes(child)


def placed(module: ir.Module) -> list[tuple[object, ...]]:
    """Every node with an ordinal of its own: a Function shares its definition's, a Class too."""
    shared = (ir.Function, ir.Class)
    return [node for node in nodes(module) if hasattr(node, "at") and not isinstance(node, shared)]
