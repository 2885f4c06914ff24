"""A text becomes an IR module through CPython's own parser, or is left to libcst."""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, cast

from jaxlint.syntax import ir
from jaxlint.syntax.cpython.context import Context, Place, Unsupported
from jaxlint.syntax.cpython.statements import lower_body
from jaxlint.syntax.cpython.text_lines import TextLines
from jaxlint.syntax.limits import OPAQUE, refusal

#: What CPython raises for a text that it cannot parse, or only this interpreter cannot.
_REFUSALS: Final = (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError)
_FOREIGN: Final = re.compile(r"\w*[^\x00-\x7f]\w*")


class Lowered(NamedTuple):
    """An IR module, and for each ordinal what its span is found by."""

    module: ir.Module
    lines: TextLines
    places: list[Place]


def lower(text: str, name: str, *, is_package: bool, clocks: Mapping[str, str] = MappingProxyType({})) -> Lowered:
    """Parse and lower a module known as `name`, where the stack is deep. Raises Unsupported."""
    if refusal(text) is not None:
        raise Unsupported("too deep or too long for the reference")
    _check_names(text)
    tree = _parse(text)
    cx = Context(text, name, is_package=is_package, clocks=clocks)
    try:
        module = cx.module(lower_body(cx, tree.body))
    except RecursionError:
        raise Unsupported("too deep") from None
    return Lowered(module, cx.lines, cx.places)


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
    pieces = OPAQUE.split(text)
    strings = zip(pieces[::2], pieces[1::2], strict=False)
    formatted = [string[string.find("{") : string.rfind("}")] for before, string in strings if _is_formatted(before)]
    for piece in [*pieces[::2], *formatted]:
        if not piece.isascii() and any(not _is_normal(word) for word in _FOREIGN.findall(piece)):
            raise Unsupported("a name that Python normalises")


def _is_normal(word: str) -> bool:
    return unicodedata.is_normalized("NFKC", word)


def _is_formatted(before: str) -> bool:
    """Whether the string behind a text is a formatted one, by its prefix."""
    return "f" in before[-2:].lower()
