"""Comments by which people say that a key is used again on purpose, or that the code shows a mistake."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.syntax import ir

#: The name of a rule, as in a suppression, says nothing of what is meant.
_SAYS: Final = re.compile(
    r"#.*\b(same (prng |random )?(key|rng|seed|noise|numbers?|results?|init\w*)|(?<!key-)re-?us(e|es|ed|ing)|"
    r"(un|non-?)desirable|"
    r"do(n't| not) do|bad|wrong|incorrect|on purpose|deliberate(ly)?|intentional(ly)?)\b",
    re.IGNORECASE,
)


def is_said(frame: Frame, uses: Iterable[ir.Call]) -> bool:
    """Whether a comment on the line of a use, or in the lines directly above it, speaks of that."""
    source = frame.module.source
    lines = source.text.splitlines()
    for use in uses:
        line = source.span(use.at).line
        above = line - 1
        while 0 < above <= len(lines) and lines[above - 1].lstrip().startswith("#"):
            above -= 1
        if any(map(_SAYS.search, lines[above:line])):
            return True
    return False
