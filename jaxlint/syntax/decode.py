"""Bytes become text as PEP 263 says, with the line ends of the file kept; and whether Python takes them."""

from __future__ import annotations

import codecs
import re
import warnings
from typing import Any, Final, NamedTuple

_BOM: Final = codecs.BOM_UTF8
_COOKIE: Final = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK: Final = re.compile(rb"[ \t\f]*(?:#.*)?$")


class Undecodable(ValueError):  # noqa: N818 - it says what the bytes are
    """The bytes are not what the file declares: text in an encoding. `line` and `column` tell where, from 1."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


class Decoded(NamedTuple):
    """The text of a file without its byte order mark; with one, `encoding` is "utf-8-sig"."""

    text: str
    encoding: str


def decode(data: bytes) -> Decoded:
    """Decode a source file. Raises Undecodable."""
    has_bom = data.startswith(_BOM)
    body = data[len(_BOM) :] if has_bom else data
    declared = _declared_encoding(body)
    if declared is None:
        return Decoded(_decoded(body, "utf-8"), "utf-8-sig" if has_bom else "utf-8")
    name, line = declared
    codec = _codec_name(name, line)
    if has_bom and codec != "utf-8":
        raise Undecodable(f"the file declares encoding {name} but starts with a UTF-8 byte order mark", line=line)
    return Decoded(_decoded(body, codec), "utf-8-sig" if has_bom else codec)


def _declared_encoding(body: bytes) -> tuple[str, int] | None:
    """Return the encoding named in the first two lines and its line; code on the first line hides the second."""
    for number, line in enumerate(re.split(rb"\r\n?|\n", body[:4096], maxsplit=2)[:2], start=1):
        match = _COOKIE.match(line)
        if match is not None:
            return match.group(1).decode("ascii", "replace"), number
        if _BLANK.match(line) is None:
            return None
    return None


def _codec_name(name: str, line: int) -> str:
    """Return Python's name of a text encoding; bytes-to-bytes codecs and unknown names are refused."""
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        raise Undecodable(f"the file declares an unknown encoding: {name}", line=line) from None
    if not getattr(info, "_is_text_encoding", True) or info.name.startswith(("utf-16", "utf-32", "undefined")):
        raise Undecodable(f"the file declares an encoding that Python source cannot have: {name}", line=line)
    return "utf-8" if info.name == "utf-8-sig" else info.name


def _decoded(body: bytes, codec: str) -> str:
    try:
        text = body.decode(codec)
        if codec != "utf-8":
            text.encode("utf-8")  # some codecs yield lone surrogates, which no source file can hold
    except UnicodeError as error:
        line, column = _place(body, error)
        raise Undecodable(f"the file is not valid {codec}", line=line, column=column) from None
    except (ValueError, LookupError):
        raise Undecodable(f"the file is not valid {codec}") from None
    return text


def _place(body: bytes, error: UnicodeError) -> tuple[int, int]:
    """Return line and column of the first bad byte, from 1."""
    if not isinstance(error, UnicodeDecodeError):
        return 1, 1
    before = re.split(rb"\r\n?|\n", body[: error.start])
    return len(before), len(before[-1].decode("utf-8", "replace")) + 1


def is_compiled(text: str | bytes, flags: int = 0) -> bool:
    """Whether this interpreter compiles a module, without a word."""
    return compiled(text, flags) is not None


def compiled(text: str | bytes, flags: int = 0) -> Any:  # noqa: ANN401 - code or a tree, as the flags say
    """What this interpreter compiles a module to, without a word; None where it refuses."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return compile(text, "<file>", "exec", flags, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return None
