"""The spans of ordinals: from the places of `ast`, and from the text where it gives none or counts parentheses."""

from __future__ import annotations

import ast
import re
from array import array
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from jaxlint.syntax.cpython.context import Extent, Place, Rest, Unsupported
from jaxlint.syntax.cpython.lower import lower
from jaxlint.syntax.cpython.text_lines import TextLines
from jaxlint.syntax.positions import PositionTable
from jaxlint.syntax.tokens import scan_tokens

Span = tuple[int, int]

_WORD: Final = re.compile(r"\w+")
_FUNCTION: Final = re.compile(r"(?:async[\s\\]+)?def[\s\\]+(\w+)")
_CLASS: Final = re.compile(r"class[\s\\]+(\w+)")
_REST: Final = re.compile(r"\*\*(?:[\s\\]|#[^\r\n]*)*(\w+)")
#: What stands between the last part of a header and its colon: comments, and what counts to the header.
_TAIL: Final = re.compile(r"#[^\r\n]*|:|[^\s\\#:]+")
_COMMENT: Final = re.compile(r"#[^\r\n]*")
_BEFORE_PATTERN: Final = re.compile(r"[\s\\(]*")


def positions(
    text: str, name: str, *, is_package: bool, clocks: Mapping[str, str] = MappingProxyType({})
) -> PositionTable:
    """The table of positions of a module, as `lower` numbers its nodes. Raises Unsupported."""
    starts, ends = array("I"), array("I")

    def locate(lines: TextLines, places: list[Place]) -> None:
        find = _Finder(lines).span
        spans = [find(place) for place in places]
        starts.extend([start for start, _ in spans])
        ends.extend([end for _, end in spans])

    lower(text, name, is_package=is_package, clocks=clocks, locate=locate)
    return PositionTable(starts, ends)


class _Finder:
    """Finds spans in one text."""

    def __init__(self, lines: TextLines) -> None:
        self.lines = lines
        self.text = lines.text

    def span(self, place: Place) -> Span:
        """The span of what an ordinal stands for."""
        find = _SPANS.get(place.__class__)
        return self.extent(place) if find is None else find(self, place)

    def extent(self, node: Any) -> Span:  # noqa: ANN401 - any node with a place
        """What `ast` says."""
        offset = self.lines.offset
        return offset(node.lineno, node.col_offset), offset(node.end_lineno, node.end_col_offset)

    def header_end(self, end: int) -> int:
        """Where a header ends whose last part ends at `end`: before its colon."""
        for found in _TAIL.finditer(self.text, end):
            if found[0] == ":":
                return end
            if found[0][0] != "#":
                end = found.end()
        raise Unsupported("a header")

    def unwrapped(self, start: int, end: int) -> Span:
        """What stands in parentheses that are the first and last token of a part of the text; all without them."""
        tokens = scan_tokens(self.text[start:end])
        if not self._is_wrapped(start, tokens.starts):
            return start, end
        first = start + tokens.starts[1]
        return first, max(first, start + tokens.ends[-2]) if len(tokens.starts) > 2 else first

    def _is_wrapped(self, start: int, tokens: list[int]) -> bool:
        """Whether the first token opens what the last one closes."""
        depth = 0
        for token in tokens[:-1]:
            sign = self.text[start + token]
            depth += (sign in "([{") - (sign in ")]}")
            if depth == 0:
                return False
        return True

    def found(self, pattern: re.Pattern[str], start: int, *, anywhere: bool = False) -> Span:
        """The first group of a pattern that matches at an offset, or behind it."""
        found = pattern.search(self.text, start) if anywhere else pattern.match(self.text, start)
        if found is None:
            raise Unsupported("a name")
        return found.span(1)


def _fixed(_: _Finder, place: Extent) -> Span:
    return place.start, place.end


def _rest(finder: _Finder, place: Rest) -> Span:
    """The name behind the `**` of a mapping pattern."""
    node = place.pattern
    start = finder.extent(node.patterns[-1])[1] if node.patterns else finder.extent(node)[0]
    return finder.found(_REST, start, anywhere=True)


def _tuple(finder: _Finder, node: ast.AST) -> Span:
    """A tuple or pattern without the parentheses that are its own."""
    start, end = finder.extent(node)
    return finder.unwrapped(start, end) if finder.text[start] == "(" else (start, end)


def _parameter(finder: _Finder, node: ast.arg) -> Span:
    start, _ = finder.extent(node)
    word = _WORD.match(finder.text, start)
    if word is None:
        raise Unsupported("a parameter")
    return word.span()


def _function(finder: _Finder, node: ast.AST) -> Span:
    return finder.found(_FUNCTION, finder.extent(node)[0])


def _class(finder: _Finder, node: ast.AST) -> Span:
    return finder.found(_CLASS, finder.extent(node)[0])


def _header(last: Callable[[Any], ast.AST]) -> Callable[[_Finder, Any], Span]:
    """Find the span of a header that ends with a part of the statement, its parentheses included."""

    def find(finder: _Finder, node: Any) -> Span:  # noqa: ANN401 - the class is the table's key
        return finder.extent(node)[0], finder.header_end(finder.extent(last(node))[1])

    return find


def _try(finder: _Finder, node: ast.AST) -> Span:
    start, _ = finder.extent(node)
    return start, start + len("try")


def _handler(finder: _Finder, node: ast.ExceptHandler) -> Span:
    start, _ = finder.extent(node)
    if node.type is None:
        return start, start + len("except")
    return start, finder.header_end(finder.extent(node.type)[1])


def _case(finder: _Finder, node: ast.match_case) -> Span:
    pattern, _ = finder.extent(node.pattern)
    _, end = finder.extent(node.guard or node.pattern)
    start = pattern
    while (start := finder.text.rfind("case", 0, start)) >= 0:
        between = _COMMENT.sub("", finder.text[start + len("case") : pattern])
        if _BEFORE_PATTERN.fullmatch(between):
            return start, finder.header_end(end)
    raise Unsupported("a case")


def _last_item(node: ast.With | ast.AsyncWith) -> ast.AST:
    last = node.items[-1]
    return last.optional_vars or last.context_expr


_SPANS: Final[dict[type, Callable[[_Finder, Any], Span]]] = {
    Extent: _fixed, Rest: _rest, ast.Tuple: _tuple, ast.MatchSequence: _tuple, ast.GeneratorExp: _tuple,
    ast.arg: _parameter, ast.FunctionDef: _function, ast.AsyncFunctionDef: _function, ast.ClassDef: _class,
    ast.If: _header(lambda node: node.test), ast.While: _header(lambda node: node.test),
    ast.For: _header(lambda node: node.iter), ast.AsyncFor: _header(lambda node: node.iter),
    ast.With: _header(_last_item), ast.AsyncWith: _header(_last_item), ast.Try: _try,
    ast.Match: _header(lambda node: node.subject), ast.match_case: _case, ast.ExceptHandler: _handler,
}  # fmt: skip
if hasattr(ast, "TryStar"):
    _SPANS[ast.TryStar] = _try
