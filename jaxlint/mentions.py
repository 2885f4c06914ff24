"""How code that turns 64-bit types on, or asks whether they are, spells it: files are searched before they are read."""

from __future__ import annotations

import re
from typing import Final

#: An option, a variable of the environment, a flag of the command line or a function of that name.
_MENTION: Final = re.compile(r"(?:enable|use|with|set|explicit)_?x64|x64_(?:enabled|mode|dtypes)", re.IGNORECASE)
_MENTION_IN_BYTES: Final = re.compile(_MENTION.pattern.encode(), re.IGNORECASE)


def speaks_of_width(text: str) -> bool:
    """Whether a text does; that most do not is found much faster without the pattern."""
    return ("x64" in text or "X64" in text) and _MENTION.search(text) is not None


def bytes_speak_of_width(data: bytes) -> bool:
    """Whether the content of a file does."""
    return (b"x64" in data or b"X64" in data) and _MENTION_IN_BYTES.search(data) is not None
