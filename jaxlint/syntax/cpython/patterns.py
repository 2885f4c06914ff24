"""The patterns of `match` become IR patterns; captures bind in the scope around."""

from __future__ import annotations

import ast
from typing import Final, cast

from jaxlint.syntax import ir, match_patterns
from jaxlint.syntax.cpython.context import Context, Rest, Table
from jaxlint.syntax.cpython.expressions import lower_expression


def lower_pattern(cx: Context, node: ast.pattern) -> match_patterns.Pattern:
    """Lower any pattern."""
    return cast("match_patterns.Pattern", _PATTERNS[node.__class__](cx, node))


def _capture(cx: Context, name: str | None) -> str | None:
    if name is not None:
        cx.frame.bound.add(name)
    return name


def _value(cx: Context, node: ast.MatchValue) -> match_patterns.Pattern:
    at = cx.place(node)
    return match_patterns.MatchValue(lower_expression(cx, node.value), at)


def _singleton(cx: Context, node: ast.MatchSingleton) -> match_patterns.Pattern:
    at = cx.place(node)
    return match_patterns.MatchValue(ir.Constant(node.value, cx.place(node)), at)


def _as(cx: Context, node: ast.MatchAs) -> match_patterns.Pattern:
    at = cx.place(node)
    pattern = None if node.pattern is None else lower_pattern(cx, node.pattern)
    return match_patterns.MatchCapture(pattern, _capture(cx, node.name), at)


def _sequence(cx: Context, node: ast.MatchSequence) -> match_patterns.Pattern:
    at = cx.place(node)
    return match_patterns.MatchSequence(tuple([lower_pattern(cx, p) for p in node.patterns]), at)


def _star(cx: Context, node: ast.MatchStar) -> match_patterns.Pattern:
    return match_patterns.MatchStar(_capture(cx, node.name), cx.place(node))


def _mapping(cx: Context, node: ast.MatchMapping) -> match_patterns.Pattern:
    at = cx.place(node)
    items: list[tuple[ir.Expr | None, match_patterns.Pattern]] = []
    for key, pattern in zip(node.keys, node.patterns, strict=True):
        lowered = lower_expression(cx, key)
        items.append((lowered, lower_pattern(cx, pattern)))
    if node.rest is not None:
        items.append((None, match_patterns.MatchStar(_capture(cx, node.rest), cx.place(Rest(node)))))
    return match_patterns.MatchMapping(tuple(items), at)


def _class(cx: Context, node: ast.MatchClass) -> match_patterns.Pattern:
    at = cx.place(node)
    cls = lower_expression(cx, node.cls)
    patterns = tuple([lower_pattern(cx, p) for p in node.patterns])
    keywords = [(name, lower_pattern(cx, p)) for name, p in zip(node.kwd_attrs, node.kwd_patterns, strict=True)]
    return match_patterns.MatchClass(cls, patterns, tuple(keywords), at)


def _or(cx: Context, node: ast.MatchOr) -> match_patterns.Pattern:
    at = cx.place(node)
    return match_patterns.MatchOr(tuple([lower_pattern(cx, p) for p in node.patterns]), at)


_PATTERNS: Final = Table({
    ast.MatchValue: _value, ast.MatchSingleton: _singleton, ast.MatchAs: _as, ast.MatchSequence: _sequence,
    ast.MatchStar: _star, ast.MatchMapping: _mapping, ast.MatchClass: _class, ast.MatchOr: _or,
})  # fmt: skip
