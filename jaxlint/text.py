"""Untrusted text made safe to print: the one place where control characters and forged commands are escaped."""

from __future__ import annotations

import os
import re
import unicodedata
from typing import Final

_UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)
#: What a build server that reads our output would obey: Azure's, TeamCity's and GitHub's commands, at the character
#: that makes them one.
FORGED: Final = re.compile(
    r"(?<=##)\[|(?<=##vso)\[|(?<=##teamcity)\[|(?<!\S):(?=:(?:add|debug|echo|endgroup|error|group|internal|notice|remove|"
    r"save|set|stop|warning)\b.*::)",
    re.IGNORECASE,
)
_SHORT: Final = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
_LONE_BYTES: Final = range(0xDC80, 0xDD00)


def escape(text: str) -> str:
    r"""Replace each character that would move the cursor, reorder or vanish by its escape, as `\n` or `\u202e`.

    So is one of each command that a build server would obey.
    """
    visible = text if text.isascii() and text.isprintable() else _UNSAFE.sub(_escaped, text)
    return FORGED.sub(_escaped, visible) if "##" in visible or "::" in visible else visible


def _escaped(match: re.Match[str]) -> str:
    return escaped(match.group())


def escaped(character: str) -> str:
    """The escape of one character, whatever it is."""
    code = ord(character)
    if character in _SHORT:
        return _SHORT[character]
    if code in _LONE_BYTES:  # a byte of a file name that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def unicode_path(path: str) -> str:
    """A path as UTF-8 text, whatever encoding the locale made Python read file names in."""
    if path.isascii():
        return path
    try:
        return os.fsencode(path).decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # not read from the file system, but from a file in UTF-8
        return path


def width(text: str) -> int:
    """Terminal cells that printable text takes: 2 for wide characters, 0 for combining ones."""
    if text.isascii():
        return len(text)
    return sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def plural(count: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
