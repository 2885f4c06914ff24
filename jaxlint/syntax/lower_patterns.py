"""The patterns of `match` become IR patterns; captures bind in the scope around."""

from __future__ import annotations

from typing import Final, cast

from jaxlint.syntax import ir, match_patterns
from jaxlint.syntax.lower_context import Context, Table
from jaxlint.syntax.lower_expressions import lower_expression
from jaxlint.syntax.records import cst


def lower_pattern(cx: Context, node: cst.CSTNode) -> match_patterns.Pattern:
    """Lower any pattern."""
    return cast("match_patterns.Pattern", _PATTERNS[node.__class__](cx, node))


def _capture(cx: Context, name: cst.Name | None) -> str | None:
    if name is None:
        return None
    cx.frame.bound.add(name.value)
    return name.value


def _value(cx: Context, node: cst.MatchValue | cst.MatchSingleton) -> match_patterns.Pattern:
    at = cx.place(node)
    return match_patterns.MatchValue(lower_expression(cx, node.value), at)


def _as(cx: Context, node: cst.MatchAs) -> match_patterns.Pattern:
    at = cx.place(node)
    pattern = None if node.pattern is None else lower_pattern(cx, node.pattern)
    return match_patterns.MatchCapture(pattern, _capture(cx, node.name), at)


def _sequence(cx: Context, node: cst.MatchSequence) -> match_patterns.Pattern:
    at = cx.place(node)
    return match_patterns.MatchSequence(tuple(lower_pattern(cx, element) for element in node.patterns), at)


def _element(cx: Context, node: cst.MatchSequenceElement) -> match_patterns.Pattern:
    return lower_pattern(cx, node.value)


def _star(cx: Context, node: cst.MatchStar) -> match_patterns.Pattern:
    return match_patterns.MatchStar(_capture(cx, node.name), cx.place(node))


def _mapping(cx: Context, node: cst.MatchMapping) -> match_patterns.Pattern:
    at = cx.place(node)
    items: list[tuple[ir.Expr | None, match_patterns.Pattern]] = []
    for element in node.elements:
        key = lower_expression(cx, element.key)
        items.append((key, lower_pattern(cx, element.pattern)))
    if node.rest is not None:
        items.append((None, match_patterns.MatchStar(_capture(cx, node.rest), cx.place(node.rest))))
    return match_patterns.MatchMapping(tuple(items), at)


def _class(cx: Context, node: cst.MatchClass) -> match_patterns.Pattern:
    at = cx.place(node)
    cls = lower_expression(cx, node.cls)
    patterns = tuple(lower_pattern(cx, element.value) for element in node.patterns)
    keywords = tuple((element.key.value, lower_pattern(cx, element.pattern)) for element in node.kwds)
    return match_patterns.MatchClass(cls, patterns, keywords, at)


def _or(cx: Context, node: cst.MatchOr) -> match_patterns.Pattern:
    at = cx.place(node)
    return match_patterns.MatchOr(tuple(lower_pattern(cx, element.pattern) for element in node.patterns), at)


_PATTERNS: Final = Table({
    cst.MatchValue: _value, cst.MatchSingleton: _value, cst.MatchAs: _as, cst.MatchList: _sequence,
    cst.MatchTuple: _sequence, cst.MatchSequenceElement: _element, cst.MatchStar: _star, cst.MatchMapping: _mapping,
    cst.MatchClass: _class, cst.MatchOr: _or,
})  # fmt: skip
