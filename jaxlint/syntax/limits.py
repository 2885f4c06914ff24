"""Code that the parser cannot take is refused before it is parsed: too deep for its stack, or too long for its time.

The parser recurses natively on brackets, and its time grows with the square of a chain of operators and with
the power of nested patterns. One scan reduces the text to brackets, operators and line ends, and folds innermost
brackets until none is left, all inside `re`: 1 % of the time of parsing.
"""

from __future__ import annotations

import re
from typing import Final

#: Deepest nesting of brackets; 30 is already rare in real code.
MAX_BRACKET_DEPTH: Final = 100
#: Most operators, calls, subscripts and attributes between two commas or line ends.
MAX_CHAIN: Final = 500
#: Deepest nesting of brackets in a `case`: parsing time doubles, for mappings quadruples, with each level.
MAX_PATTERN_DEPTH: Final = 7
#: Most `elif` clauses: each is nested in the one before.
MAX_LINKS: Final = 500

#: Comments and string literals, as one group. A quote that is never closed matches nothing, a triple one itself alone.
OPAQUE: Final = re.compile(
    r"""(\#[^\r\n]*|\"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*\"""|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''|\"""|'''"""
    r"""|"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"|'[^'\\\r\n]*(?:\\.[^'\\\r\n]*)*')""",
    re.DOTALL,
)
#: What a skeleton leaves out: words, numbers, blanks. Bytes of other characters are taken for words.
_PLAIN: Final = bytes(c for c in range(256) if c > 127 or chr(c).isalnum() or chr(c) in "_ \t\f")
_NOT_BRACKET: Final = re.compile(r"[^()\[\]{}]+")
_INNERMOST: Final = re.compile(r"\([^()\[\]{}]*\)|\[[^()\[\]{}]*\]|\{[^()\[\]{}]*\}")
_CASE: Final = re.compile(r"^[ \t]*case\b[^\r\n]*[(\[{]", re.MULTILINE)
#: Words that nest to the right without any bracket.
_NESTING_WORDS: Final = ("lambda", "else", "not")


def refusal(text: str) -> str | None:
    """Return why the text must not be parsed, or None."""
    pieces = OPAQUE.split(text)
    for opaque in pieces[1::2]:
        if len(opaque) > MAX_BRACKET_DEPTH and _may_be_deep(opaque) and _folds(_NOT_BRACKET.sub("", opaque)) is None:
            return f"brackets in a string are nested more than {MAX_BRACKET_DEPTH} deep"
    code = "".join(pieces[::2])
    if "case" in code and any(_pattern_depth(code, case.start()) > MAX_PATTERN_DEPTH for case in _CASE.finditer(code)):
        return f"a pattern is nested more than {MAX_PATTERN_DEPTH} deep"
    for word in _NESTING_WORDS:
        code = code.replace(word, "~")
    code = code.replace("\\\r\n", "").replace("\\\n", "")
    return _skeleton_refusal(code.encode().translate(None, _PLAIN).decode("ascii"))


def _skeleton_refusal(skeleton: str) -> str | None:
    folded = _folds(skeleton)
    if folded is None or _openers(folded) > MAX_BRACKET_DEPTH:
        return f"brackets are nested more than {MAX_BRACKET_DEPTH} deep"
    if folded == _TOO_LONG or any(_is_long(line) for line in re.split(r"[\r\n;]", folded) if len(line) > MAX_CHAIN):
        return f"an expression chains more than {MAX_CHAIN} operators"
    return None


#: What `_folds` leaves of a skeleton that holds too long a chain inside brackets.
_TOO_LONG: Final = "\0"


def _folds(skeleton: str) -> str | None:
    """Fold innermost brackets into one sign each until none is left; None when that takes too many rounds."""
    for _ in range(MAX_BRACKET_DEPTH + 1):
        groups = _INNERMOST.findall(skeleton)
        if not groups:
            return skeleton
        if max(map(len, groups)) > MAX_CHAIN and any(map(_is_long, groups)):
            return _TOO_LONG
        skeleton = _INNERMOST.sub("_", skeleton)
    return None


def _is_long(group: str) -> bool:
    return max(map(len, group.replace("\n", "").replace("\r", "").split(","))) > MAX_CHAIN


def _openers(text: str) -> int:
    return text.count("(") + text.count("[") + text.count("{")


def _may_be_deep(text: str) -> bool:
    return _openers(text) > MAX_BRACKET_DEPTH


def _pattern_depth(code: str, start: int) -> int:
    """Return the deepest nesting of brackets in the logical line that starts at `start`."""
    depth = deepest = 0
    for position in range(start, len(code)):
        character = code[position]
        if character in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]}":
            depth -= 1
        elif depth <= 0 and character in ":\r\n":
            break
    return deepest
