"""The names that the statements of one scope assign, and where."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.syntax import ir
from jaxlint.syntax.blocks import blocks
from jaxlint.syntax.walks import target_names


def stores_in(body: ir.Block, grown: bool = True) -> Iterator[tuple[str, int]]:
    """The names that the statements of one scope assign, in source order, and where."""
    for node in body:
        if grown or not isinstance(node, ir.AugmentedAssign):
            yield from _stored(node)
        for block in blocks(node):
            yield from stores_in(block, grown)


def _stored(node: ir.Stmt) -> Iterator[tuple[str, int]]:
    match node:
        case ir.Assign():
            for target in node.targets:
                yield from ((name, target.at) for name in target_names(target))
        case ir.AugmentedAssign() | ir.For():
            yield from ((name, node.target.at) for name in target_names(node.target))
        case ir.AnnotatedAssign() if node.value is not None:
            yield from ((name, node.target.at) for name in target_names(node.target))
        case _:
            pass
