"""The value of a literal is worked out from its spelling alone, so that it never depends on the running Python.

`ast.literal_eval` is not used: it knows only the escapes and prefixes of its own version, and warns about some.
"""

from __future__ import annotations

import re
from typing import Final

#: Python itself refuses to read longer decimal integers (`sys.int_info.default_max_str_digits`): quadratic time.
MAX_INTEGER_DIGITS: Final = 4300

_TEXT_ESCAPE: Final = re.compile(
    r"\\(?:(\r\n|[\r\n\\'\"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{([^}]+)\})"
)
_BYTES_ESCAPE: Final = re.compile(r"\\(?:(\r\n|[\r\n\\'\"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2}))")
_SINGLE: Final = {
    "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\n": "", "\r": "", "\r\n": "",
}  # fmt: skip


class TooLong(ValueError):  # noqa: N818 - it says what the literal is
    """A number has more digits than Python itself would read."""


def string_value(literal: str) -> str | bytes:
    """Return what a string or bytes literal, with its prefix and quotes, stands for."""
    quote = literal[-1]
    start = literal.index(quote)
    prefix = literal[:start].lower()
    width = 3 if literal.startswith(quote * 3, start) and len(literal) >= start + 6 else 1
    body = literal[start + width : -width]
    if "b" in prefix:
        return _bytes_value(body, is_raw="r" in prefix)
    return text_value(body, is_raw="r" in prefix)


def text_value(body: str, *, is_raw: bool) -> str:
    """Decode the escapes and line ends of what stands between the quotes of a str literal."""
    if "\r" in body:
        body = body.replace("\r\n", "\n").replace("\r", "\n")
    if is_raw or "\\" not in body:
        return body
    return _TEXT_ESCAPE.sub(_unescape, body)


def integer_value(literal: str) -> int:
    """Return the value of an integer literal; TooLong when Python itself would not read it."""
    if len(literal) > MAX_INTEGER_DIGITS and literal[:2].lower() not in ("0x", "0o", "0b"):
        what = f"an integer of {len(literal):,} digits, where Python reads {MAX_INTEGER_DIGITS:,} at most"
        raise TooLong(f"{what}; write it in hexadecimal")
    try:
        return int(literal, 0)
    except ValueError:  # a leading zero, as in Python 2's octal 0755
        return int(literal.replace("_", ""))


def float_value(literal: str) -> float:
    """Return the value of a floating-point literal."""
    return float(literal.replace("_", ""))


def imaginary_value(literal: str) -> complex:
    """Return the value of an imaginary literal."""
    return complex(0.0, float(literal[:-1].replace("_", "")))


def _bytes_value(body: str, *, is_raw: bool) -> bytes:
    """Bytes hold ASCII only; other characters, an error for Python, are kept as their UTF-8."""
    if "\r" in body:
        body = body.replace("\r\n", "\n").replace("\r", "\n")
    if is_raw or "\\" not in body:
        return body.encode("utf-8", "surrogatepass")
    if body.isascii():
        return _BYTES_ESCAPE.sub(_unescape, body).encode("latin-1")
    return _BYTES_ESCAPE.sub(_unescape, body).encode("utf-8", "surrogatepass")


def _unescape(match: re.Match[str]) -> str:
    """Turn one escape sequence into its character; one that names no character stays as it is."""
    single, octal = match.group(1, 2)
    if single is not None:
        return _SINGLE[single]
    if octal is not None:
        code = int(octal, 8)
        return chr(code & 0xFF if match.re is _BYTES_ESCAPE else code)
    digits = next((group for group in match.groups()[2:5] if group is not None), None)
    if digits is not None:
        code = int(digits, 16)
        return chr(code) if code <= 0x10FFFF else match.group()
    return _named_character(match)


def _named_character(match: re.Match[str]) -> str:
    import unicodedata

    try:
        return unicodedata.lookup(match.group(6))
    except KeyError:
        return match.group()
