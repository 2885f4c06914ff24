"""Comments by which people say that a key is used again on purpose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from jaxlint.syntax.positions import lines_of

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.syntax import ir

_SAYS: Final = re.compile(
    r"\b(same (prng |random )?(key|rng|seed|noise|numbers?|results?|init\w*)|common random|antithetic|"
    r"on purpose|deliberate(ly)?|intentional(ly)?)\b",
    re.IGNORECASE,
)
#: A comment with one of these names a mistake, which is to be found.
_COMPLAINS: Final = re.compile(
    r"\b(bugs?|fixme|todo|xxx|wrong|bad|mistakes?|incorrect|errors?|expect(s|ed)?|should|unintentional(ly)?|not)\b|n't\b",
    re.IGNORECASE,
)
_COMMENT: Final = re.compile(r"#.*")
#: Lines that a comment may stand above what it speaks of.
_PARAGRAPH: Final = 8


def is_said(frame: Frame, uses: Iterable[ir.Call]) -> bool:
    """Whether a comment on the line of a use, or above it in its paragraph, speaks of that."""
    source = frame.module.source
    if not _may_say(source.text):
        return False
    lines = lines_of(source.text)
    for use in uses:
        line = source.span(use.at).line
        own = _COMMENT.search(lines[line - 1])
        said = f"{_above(lines, line)} {own.group() if own else ''}"
        if _SAYS.search(said) and not _COMPLAINS.search(said):
            return True
    return False


@lru_cache(maxsize=64)
def _may_say(text: str) -> bool:
    """Whether such words stand anywhere in a file: in most, they do not, and no place in it has to be looked up."""
    return _SAYS.search(text) is not None


def _above(lines: Sequence[str], line: int) -> str:
    """The nearest comment on lines of its own above a line, in the same paragraph."""
    said: list[str] = []
    for text in reversed(lines[max(0, line - 1 - _PARAGRAPH) : line - 1]):
        is_comment = text.lstrip().startswith("#")
        if not text.strip() or (said and not is_comment):
            break
        if is_comment:
            said.insert(0, text.strip())
    return " ".join(said)
