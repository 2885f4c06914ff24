"""Whether a tuple stands in parentheses of its own, which `ast` does not tell."""

from __future__ import annotations

import ast
import re
from typing import Final

from jaxlint.syntax.cpython.context import Context

_COMMENT: Final = re.compile(r"#[^\r\n]*")


def is_parenthesised(cx: Context, node: ast.Tuple) -> bool:
    """Whether the span of a tuple begins with its own parenthesis, not with one of its first element."""
    start = cx.start(node)
    text = cx.lines.text
    if text[start] != "(":
        return False
    if not node.elts:
        return True
    first = node.elts[0]
    before = text[start : cx.start(first)]
    if not before:
        return False
    behind = cx.end(first)
    after = text[behind : cx.start(node.elts[1]) if len(node.elts) > 1 else cx.end(node)]
    opened = _COMMENT.sub("", before).count("(")
    return opened > _COMMENT.sub("", after).partition(",")[0].count(")")
