"""How a formatted string is written: its literals, texts and fields, which `ast` joins or gives no place for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from jaxlint.syntax.cpython.context import Unsupported

#: What stands between two literals of a concatenation.
_GAP: Final = re.compile(r"(?:[\s\\]|#[^\r\n]*)*")
_OPENING: Final = re.compile(r"""([A-Za-z]{0,2})(\"{3}|'{3}|"|')""")
_INSIDE: Final = {
    quote: re.compile(pattern, re.DOTALL)
    for quote, pattern in {
        '"': r'[^"\\]*(?:\\.[^"\\]*)*"',
        "'": r"[^'\\]*(?:\\.[^'\\]*)*'",
        '"""': r'[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""',
        "'''": r"[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''",
    }.items()
}
#: What ends a run of text, in a literal with these quotes; a backslash before a brace escapes nothing.
_TEXT_END: Final = {
    (quote, is_raw): re.compile(
        ("" if is_raw else r"\\N\{[^{}]+\}|") + rf"\\(?![{{}}])(?:\r\n|.)|\{{\{{|\}}\}}|[{{}}]|{quote}", re.DOTALL
    )
    for quote in _INSIDE
    for is_raw in (False, True)
}
_CODE: Final = re.compile(r"""[A-Za-z]{0,2}(?:\"{3}|'{3}|"|')|[()\[\]{}:#\\]|!=|!""")
_CONVERSION: Final = re.compile(r"!\s*\w+\s*(?=[:}])")
_SPEC_END: Final = re.compile(r"\{\{|[{}\\]")


class Text(NamedTuple):
    """Text between fields, by offsets."""

    start: int
    end: int


class Field(NamedTuple):
    """`{code!conversion:spec}`, by offsets; `code` ends where the conversion, the format or the brace stands."""

    start: int
    end: int
    code: tuple[int, int]
    spec: tuple[Part, ...]


Part: TypeAlias = "Text | Field"


class Literal(NamedTuple):
    """One literal of a concatenation; `parts` is None for one that has no fields by its prefix."""

    start: int
    end: int
    is_raw: bool
    parts: tuple[Part, ...] | None


def literals(text: str, start: int, end: int) -> Iterator[Literal]:
    """The literals of a concatenation between two offsets. Raises Unsupported."""
    at = start
    while at < end:
        literal = _literal(text, at)
        yield literal
        gap = _GAP.match(text, literal.end)
        at = gap.end() if gap else literal.end
    if at < end:
        raise Unsupported("a concatenation")


def _literal(text: str, at: int) -> Literal:
    opening = _OPENING.match(text, at)
    if opening is None:
        raise Unsupported("a prefix of a string")
    prefix, quote = opening[1].lower(), opening[2]
    is_raw = "r" in prefix
    if "f" in prefix:
        parts, end = _parts(text, opening.end(), quote, is_raw=is_raw)
        return Literal(at, end, is_raw, parts)
    rest = _INSIDE[quote].match(text, opening.end())
    if rest is None or "t" in prefix:
        raise Unsupported("a string")
    return Literal(at, rest.end(), is_raw, None)


def _parts(text: str, at: int, quote: str, *, is_raw: bool) -> tuple[tuple[Part, ...], int]:
    """The parts of a formatted literal whose inside starts at `at`, and where it ends."""
    parts: list[Part] = []
    start = at
    ends = _TEXT_END[quote, is_raw]
    while (found := ends.search(text, at)) is not None:
        at = found.end()
        if found[0] not in (quote, "{"):
            continue
        if start < found.start():
            parts.append(Text(start, found.start()))
        if found[0] == quote:
            return tuple(parts), at
        field = _field(text, found.start())
        parts.append(field)
        at = start = field.end
    raise Unsupported("a formatted string")


def _field(text: str, start: int) -> Field:
    """The field that opens at `start`."""
    end = _code_end(text, start + 1)
    code = (start + 1, end)
    conversion = _CONVERSION.match(text, end)
    at = conversion.end() if conversion else end
    if text[at] == ":":
        spec, at = _spec(text, at + 1)
        return Field(start, at + 1, code, spec)
    if text[at] != "}":
        raise Unsupported("a conversion")
    return Field(start, at + 1, code, ())


def _code_end(text: str, at: int) -> int:
    """Where the code of a field ends: before its conversion, its format or its brace."""
    depth = 0
    while (found := _CODE.search(text, at)) is not None:
        sign = found[0]
        at = found.end()
        if sign[-1] in "\"'":
            at = _literal(text, found.start()).end
        elif sign in "([{":
            depth += 1
        elif depth == 0 and sign in ("!", ":", "}"):
            return found.start()
        elif sign in ")]}":
            depth -= 1
        elif sign in "#\\":
            raise Unsupported("a comment in a field")
    raise Unsupported("a field")


def _spec(text: str, at: int) -> tuple[tuple[Part, ...], int]:
    """The parts of a format that starts at `at`, and where the brace behind it stands."""
    parts: list[Part] = []
    start = at
    while (found := _SPEC_END.search(text, at)) is not None:
        if start < found.start():
            parts.append(Text(start, found.start()))
        if found[0] == "}":
            return tuple(parts), found.start()
        if found[0] != "{":
            break
        field = _field(text, found.start())
        parts.append(field)
        at = start = field.end
    raise Unsupported("a format")
