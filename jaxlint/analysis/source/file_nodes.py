"""The nodes of a file by their kinds, so that not every question about some of them walks over all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.machine.project_questions import about_one_file
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


@about_one_file
def nodes_by_kind(_: Interpreter, body: ir.Block) -> Mapping[type, list[Any]]:
    """All nodes of a file but its names: those of one kind in order, outermost first."""
    found: defaultdict[type, list[Any]] = defaultdict(list)
    for node in walks.nodes(body):
        kind = node.__class__
        if kind is not ir.Name:  # half of all nodes; nobody asks for them by their kind
            found[kind].append(node)
    return dict(found)


def nodes_of(it: Interpreter, body: ir.Block, *kinds: type) -> Iterator[Any]:
    """The nodes of a file that are of these kinds, one kind after the other."""
    by_kind = nodes_by_kind(it, body)
    for kind in kinds:
        yield from by_kind.get(kind, ())
