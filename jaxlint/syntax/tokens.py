"""Where the tokens of a text start and end, as one regular expression finds them."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

#: What may follow a token: white space, line ends, continued or not, and comments.
_GAP: Final = r"[\s\\]*(?:#[^\r\n]*[\s\\]*)*"
#: The characters of ASCII that are in no word. All others are in the classes that exclude them, which are compiled in a
#: tenth of the time that a range up to the last character takes.
_NO_WORD: Final = r"\x00-/:-@\[-^`{-\x7f"
_NO_WORD_OR_QUOTE: Final = r"\x00-!#-&(-/:-@\[-^`{-\x7f"
#: A token and the gap after it, for texts that are known to be Python. A dot is always a token of its own.
_TOKEN: Final = re.compile(
    rf"""([A-Za-z_]\w*(?![^{_NO_WORD_OR_QUOTE}])"""
    r"""|[()\[\]{},;~]|\.(?!\d)|[:=](?!=)"""
    r"""|[rbuftRBUFT]{0,2}(?:"(?:""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*\"""|[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*")"""
    r"""|'(?:''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''|[^'\\\r\n]*(?:\\.[^'\\\r\n]*)*'))"""
    r"""|\*\*=?|//=?|<<=?|>>=?|->|:=|[-+*/%&|^@=<>!]=?"""
    r"""|0[xXoObB]\w+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?[\d_]+)?[jJ]?"""
    rf"""|[^{_NO_WORD}]+){_GAP}""",
    re.DOTALL,
)
#: What may stand before a token.
GAP: Final = re.compile(_GAP)


class Tokens(NamedTuple):
    """Offsets of all tokens but comments, line ends and indentation; ends are exclusive."""

    starts: list[int]
    ends: list[int]


def scan_tokens(text: str, begin: int = 0) -> Tokens:
    """Split a text that is known to be Python, from `begin`.

    A formatted string in whose fields its own quotes stand again, as Python 3.12 allows, comes out in pieces.
    """
    gap = GAP.match(text, begin)
    spans = [match.span(1) for match in _TOKEN.finditer(text, gap.end() if gap else begin)]
    return Tokens([start for start, _ in spans], [end for _, end in spans])
