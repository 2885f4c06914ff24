"""Comments by which people say that a key is used again on purpose."""

from __future__ import annotations

import re
from collections.abc import Iterable
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


def is_said(frame: Frame, uses: Iterable[ir.Call]) -> bool:
    """Whether a comment on the line of a use, or in the lines directly above it, speaks of that."""
    source = frame.module.source
    lines = lines_of(source.text)
    for use in uses:
        line = source.span(use.at).line
        above = line - 1
        while 0 < above <= len(lines) and lines[above - 1].lstrip().startswith("#"):
            above -= 1
        said = " ".join(match.group() for text in lines[above:line] if (match := _COMMENT.search(text)))
        if _SAYS.search(said) and not _COMPLAINS.search(said):
            return True
    return False
