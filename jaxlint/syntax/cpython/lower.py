"""A text becomes an IR module through CPython's own parser, or is left to libcst."""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings
from collections.abc import Callable, Mapping
from itertools import repeat
from types import MappingProxyType
from typing import Final, TypeAlias, cast

from jaxlint.syntax import ir
from jaxlint.syntax.cpython.context import Context, Place, Unsupported
from jaxlint.syntax.cpython.statements import lower_body
from jaxlint.syntax.cpython.text_lines import TextLines
from jaxlint.syntax.limits import OPAQUE, refusal
from jaxlint.syntax.pieces import pieces

#: The least length of what is parsed at once, in code points: most files are shorter.
LEAST_PIECE: Final = 1 << 17
#: What CPython raises for a text that it cannot parse, or only this interpreter cannot.
_REFUSALS: Final = (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError)
_FOREIGN: Final = re.compile(r"\w*[^\x00-\x7f]\w*")
#: Is told where the ordinals of each piece of a text stand, in order, while the tree of that piece is there.
Locate: TypeAlias = Callable[[TextLines, "list[Place]"], object]


def lower(
    text: str,
    name: str,
    *,
    is_package: bool,
    clocks: Mapping[str, str] = MappingProxyType({}),
    locate: Locate | None = None,
) -> ir.Module:
    """Parse and lower a module known as `name`, where the stack is deep. Raises Unsupported."""
    if refusal(text) is not None:
        raise Unsupported("too deep or too long for the reference")
    _check_names(text)
    cx = Context(text, name, is_package=is_package, clocks=clocks)
    body: list[ir.Stmt] = []
    try:
        for tree, start, _ in pieces(text, LEAST_PIECE, _parse, Unsupported):
            cx.lines.begin(start)
            before = len(cx.places)
            body += lower_body(cx, tree.body)
            if locate is not None:
                locate(cx.lines, cx.places[before:])
            cx.places[before:] = repeat(None, len(cx.places) - before)  # the places hold the tree
    except RecursionError:
        raise Unsupported("too deep") from None
    return cx.module(tuple(body))


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = compile(text, "<file>", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        except _REFUSALS as error:
            raise Unsupported(type(error).__name__) from None
    return cast("ast.Module", tree)


def _check_names(text: str) -> None:
    """Refuse names that Python reads as others: it normalises them, libcst does not."""
    if text.isascii():
        return
    parts = OPAQUE.split(text)
    strings = zip(parts[::2], parts[1::2], strict=False)
    formatted = [string[string.find("{") : string.rfind("}")] for before, string in strings if _is_formatted(before)]
    for part in [*parts[::2], *formatted]:
        if not part.isascii() and any(not _is_normal(word) for word in _FOREIGN.findall(part)):
            raise Unsupported("a name that Python normalises")


def _is_normal(word: str) -> bool:
    return unicodedata.is_normalized("NFKC", word)


def _is_formatted(before: str) -> bool:
    """Whether the string behind a text is a formatted one, by its prefix."""
    return "f" in before[-2:].lower()
