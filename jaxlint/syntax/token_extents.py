"""The fast way to positions: tokens are counted, and nothing is generated but the code of formatted strings.

Its answer is used only where the walk meets every ordinal and every token of the text, and every name and literal
reads back; for any other file the caller asks libcst.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from jaxlint.syntax.positions import PositionTable
from jaxlint.syntax.records import cst
from jaxlint.syntax.token_statements import body
from jaxlint.syntax.token_walk import Mismatch, Walk

if TYPE_CHECKING:
    from jaxlint.syntax.lower import Lowered

#: Classes of libcst whose `value` is the source text.
_SPELLED: Final = {cst.Name, cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString}


def token_positions(text: str, lowered: Lowered) -> PositionTable | None:
    """Return the positions of every ordinal, or None where counting tokens does not find them."""
    try:
        return counted_positions(text, lowered)
    except Exception:  # syntax newer than the walk, tokens that the expression does not know: never an error
        return None


def counted_positions(text: str, lowered: Lowered) -> PositionTable:
    """Return the positions of every ordinal. Raises Mismatch, and whatever a walk astray runs into."""
    walk = Walk(text, lowered.tree, lowered.nodes)
    tokens = walk.tokens
    if body(walk, lowered.tree.body, 0) != len(tokens.starts) or len(walk.starts) != len(lowered.nodes):
        raise Mismatch
    starts = [tokens.starts[token] for token in walk.starts]
    ends = [tokens.ends[token - 1] for token in walk.ends]
    for at, span in walk.fixed.items():
        starts[at], ends[at] = span
    _check_spelling(text, lowered.nodes, starts, ends)
    return PositionTable(array("I", starts), array("I", ends))


def _check_spelling(text: str, nodes: Sequence[cst.CSTNode], starts: list[int], ends: list[int]) -> None:
    for node, start, end in zip(nodes, starts, ends, strict=True):
        if node.__class__ in _SPELLED and text[start:end] != node.value:  # type: ignore[attr-defined]
            raise Mismatch
