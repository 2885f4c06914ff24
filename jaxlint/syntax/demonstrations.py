"""Cells of a notebook that show what goes wrong: their stored output, their comments or the text around says so.

Tutorials fail on purpose, and print tracers. What is found there is so, and is perhaps meant.
"""

from __future__ import annotations

import re
from typing import Final

#: Words of somebody who knows that the code does not do what it seems to.
_WARNING: Final = re.compile(
    r"(?:\b(?:fail(?:s|ed|ure|ures|ing)?|raises|illegal|forbidden|gotchas?|pitfalls?|sharp bits?|oops|beware|"
    r"unexpected(?:ly)?|incorrect(?:ly)?|wrong|side[- ]effects?|immutable|tracers?|\w*Tracer\w*Error)|"
    r"(?:n't|n\u2019t|\bnot) (?:work|allow|possible)\w*)\b",
    re.IGNORECASE,
)
_COMMENT: Final = re.compile(r"#[^\r\n]*")
#: How much of the text before and behind a cell is about it, in characters.
_BEFORE, _BEHIND = 400, 200


def comments_warn(code: str) -> bool:
    """Whether a comment in a cell says that something goes wrong."""
    return any(_WARNING.search(comment) for comment in _COMMENT.findall(code))


def text_warns(before: str, behind: str) -> bool:
    """Whether the text right before or behind a cell does."""
    return bool(_WARNING.search(before[-_BEFORE:]) or _WARNING.search(behind[:_BEHIND]))
