"""Where the parts of formatted strings stand: their fields are read like code of their own.

libcst could tell, too, but importing it and generating the code takes longer than all the rest of a file's positions.
Every character is met, so that what libcst reads otherwise ends in a Mismatch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from jaxlint.syntax.records import cst
from jaxlint.syntax.token_walk import Mismatch, Walk, expression
from jaxlint.syntax.tokens import GAP

#: The start and end of each ordinal, in order.
Spans = list[tuple[int, int]]

#: A field that is longer is left to libcst: looking so far ahead at each field costs the square of their number.
_LONGEST: Final = 500
_LINE: Final = re.compile(r"[^\r\n]*")


def spans_of(walk: Walk, node: Any, start: int) -> Spans:  # noqa: ANN401 - a class of newer libcst too
    """The extents of the ordinals in a string that starts at an offset, its own first.

    Raises Mismatch, and whatever a walk astray runs into.
    """
    found: Spans = [(start, start)]
    end = start
    for number, piece in enumerate(_pieces(node)):
        if number:
            end = _behind_gap(walk, end)
        end = _piece(walk, piece, end, found)
    found[0] = (start, end)
    return found


def _pieces(node: Any) -> Iterator[Any]:  # noqa: ANN401
    while isinstance(node, cst.ConcatenatedString):
        yield node.left
        node = node.right
    yield node


def _piece(walk: Walk, piece: Any, at: int, found: Spans) -> int:  # noqa: ANN401
    """Note the parts of one literal; gives the offset behind it."""
    if isinstance(piece, cst.SimpleString):
        end = _behind(walk, piece.value, at)
        found.append((at, end))
        return end
    at = _behind(walk, piece.start, at)
    for part in piece.parts:
        at = _part(walk, part, piece.end, at, found)
    return _behind(walk, piece.end, at)


def _part(walk: Walk, part: Any, quotes: str, start: int, found: Spans) -> int:  # noqa: ANN401
    """Note a text or a field, with what is in it; gives the offset behind it."""
    number = len(found)
    found.append((start, start))
    text = getattr(part, "value", None)
    end = _field(walk, part, quotes, start, found) if text is None else _behind(walk, text, start)
    found[number] = (start, end)
    return end


def _field(walk: Walk, field: Any, quotes: str, at: int, found: Spans) -> int:  # noqa: ANN401
    at = _behind_gap(walk, _behind(walk, "{", at))
    at = _behind_gap(walk, _inside(walk, field.expression, quotes, at, found))
    if field.equal is not None:
        at = _behind_gap(walk, _behind(walk, "=", at))
    if field.conversion is not None:
        at = _behind(walk, field.conversion, _behind(walk, "!", at))
    if field.format_spec is not None:
        at = _behind(walk, ":", at)
        for part in field.format_spec:
            at = _part(walk, part, quotes, at, found)
    return _behind(walk, "}", at)


def _inside(walk: Walk, node: Any, quotes: str, at: int, found: Spans) -> int:  # noqa: ANN401
    """Note an expression, which ends before the string does; gives the offset behind it."""
    limit = walk.text.find(quotes, at) if len(quotes) > 1 else _LINE.match(walk.text, at).end()  # type: ignore[union-attr]
    text = walk.text[at : min(limit, at + _LONGEST)]
    first = len(walk.starts) + len(found)
    inner = Walk(text, walk.tree, walk.nodes[first : first + 2 * len(text)], is_inner=True)
    after = expression(inner, node, 0)
    tokens = inner.tokens
    for number, (start, end) in enumerate(zip(inner.starts, inner.ends, strict=False)):
        span = inner.fixed.get(number) or (tokens.starts[start], tokens.ends[end - 1])
        found.append((span[0] + at, span[1] + at))
    return at + tokens.ends[after - 1]


def _behind(walk: Walk, text: str, at: int) -> int:
    """The offset behind a text that stands at another one."""
    if not walk.text.startswith(text, at):
        raise Mismatch
    return at + len(text)


def _behind_gap(walk: Walk, at: int) -> int:
    gap = GAP.match(walk.text, at)
    return gap.end() if gap else at
