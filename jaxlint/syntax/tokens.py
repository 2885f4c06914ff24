"""Where the tokens of a text start and end: one regular expression splits it, without a step of Python per token."""

from __future__ import annotations

import re
from itertools import accumulate, compress
from typing import Final, NamedTuple

#: A token and the white space after it, for texts that are known to be Python. A dot is always a token of its own.
_TOKEN: Final = re.compile(
    r"""([A-Za-z_]\w*(?![\w"'])|[()\[\]{},;~]|\.(?!\d)|[:=](?!=)"""
    r"""|[rbuftRBUFT]{0,2}(?:"(?:""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*\"""|[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*")"""
    r"""|'(?:''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''|[^'\\\r\n]*(?:\\.[^'\\\r\n]*)*'))"""
    r"""|\*\*=?|//=?|<<=?|>>=?|->|:=|[-+*/%&|^@=<>!]=?"""
    r"""|0[xXoObB]\w+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?[\d_]+)?[jJ]?"""
    r"""|#[^\r\n]*|\w+)(\s*)""",
    re.DOTALL,
)


class Tokens(NamedTuple):
    """Offsets of all tokens but comments, line ends and indentation; ends are exclusive."""

    starts: list[int]
    ends: list[int]


def scan_tokens(text: str) -> Tokens:
    """Split a text that is known to be Python.

    A formatted string in whose fields its own quotes stand again, as Python 3.12 allows, comes out in pieces.
    """
    pieces = _TOKEN.split(text)
    offsets = list(accumulate(map(len, pieces)))
    starts, ends = offsets[0:-1:3], offsets[1::3]
    if "#" in text:
        kept = [piece[0] != "#" for piece in pieces[1::3]]
        return Tokens(list(compress(starts, kept)), list(compress(ends, kept)))
    return Tokens(starts, ends)
