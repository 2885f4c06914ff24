"""The fast way to positions: Python's own parser has them, and one walk brings its tree in line with the ordinals.

Its answer is used only where every ordinal has a tree node of the kind that was lowered, and every name and literal
reads back; for any other file the caller asks libcst.
"""

from __future__ import annotations

import ast
import warnings
from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import libcst as cst

from jaxlint.syntax.ast_walk import Mismatch, Walk, visit_all
from jaxlint.syntax.positions import PositionTable

if TYPE_CHECKING:
    from jaxlint.syntax.lower import Lowered

#: Which classes of Python's tree may stand for a class of libcst.
_COUNTERPARTS: Final[dict[str, str]] = {
    "Name": "Name Constant arg FunctionDef AsyncFunctionDef ClassDef MatchSingleton MatchMapping",
    "Integer": "Constant", "Float": "Constant", "Imaginary": "Constant", "Ellipsis": "Constant",
    "SimpleString": "Constant", "ConcatenatedString": "Constant",
    "Attribute": "Attribute", "Call": "Call", "Subscript": "Subscript", "Slice": "Slice",
    "Arg": "Starred", "Index": "Starred", "StarredElement": "Starred",
    "BinaryOperation": "BinOp", "BooleanOperation": "BoolOp", "UnaryOperation": "UnaryOp", "Comparison": "Compare",
    "IfExp": "IfExp", "Await": "Await", "Yield": "Yield YieldFrom", "NamedExpr": "NamedExpr", "Lambda": "Lambda",
    "Tuple": "Tuple", "List": "List", "Set": "Set", "Dict": "Dict", "ListComp": "ListComp", "SetComp": "SetComp",
    "DictComp": "DictComp", "GeneratorExp": "GeneratorExp",
    "Expr": "Expr", "Assign": "Assign", "AnnAssign": "AnnAssign", "AugAssign": "AugAssign", "TypeAlias": "TypeAlias",
    "Return": "Return", "Raise": "Raise", "Assert": "Assert", "Del": "Delete", "Break": "Break",
    "Continue": "Continue", "Global": "Global", "Nonlocal": "Nonlocal", "Import": "Import", "ImportFrom": "ImportFrom",
    "If": "If", "While": "While", "For": "For AsyncFor", "With": "With AsyncWith", "Try": "Try", "TryStar": "TryStar",
    "ExceptHandler": "ExceptHandler", "ExceptStarHandler": "ExceptHandler", "Match": "Match",
    "MatchCase": "MatchValue MatchSingleton MatchAs MatchSequence MatchMapping MatchClass MatchOr",
    "MatchValue": "MatchValue", "MatchSingleton": "MatchSingleton", "MatchAs": "MatchAs", "MatchList": "MatchSequence",
    "MatchTuple": "MatchSequence", "MatchStar": "MatchStar", "MatchMapping": "MatchMapping",
    "MatchClass": "MatchClass", "MatchOr": "MatchOr",
}  # fmt: skip

_PAIRS: Final = {
    (getattr(cst, ours), getattr(ast, theirs))
    for ours, names in _COUNTERPARTS.items()
    for theirs in names.split()
    if hasattr(cst, ours) and hasattr(ast, theirs)
}
#: Their parts are placed by generating code, so that this class stands for whatever is inside.
_FORMATTED: Final = {getattr(ast, name) for name in ("JoinedStr", "TemplateStr") if hasattr(ast, name)}
#: Classes of libcst whose `value` is the source text.
_SPELLED: Final = {cst.Name, cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString}

#: One for each byte of UTF-8 that opens a character, zero for those that continue one.
_OPENS: Final = bytes(0 if 0x80 <= byte < 0xC0 else 1 for byte in range(256))


def ast_positions(text: str, lowered: Lowered) -> PositionTable | None:
    """Return the positions of every ordinal, or None where Python's parser is no help."""
    try:
        return _positions(text, lowered)
    except Exception:  # newer syntax than the running Python's, limits of its parser, other shapes: never an error
        return None


def _positions(text: str, lowered: Lowered) -> PositionTable:
    is_ascii = text.isascii()
    walk = Walk(text if is_ascii else text.encode().decode("latin-1"), lowered.tree, lowered.nodes)
    visit_all(walk, _parsed(text).body)
    _check_shape(lowered.nodes, walk.found)
    starts, ends = _offsets(walk)
    if not is_ascii:
        characters = [0, *accumulate(text.encode().translate(_OPENS))]
        starts = [characters[offset] for offset in starts]
        ends = [characters[offset] for offset in ends]
    _check_spelling(text, lowered.nodes, starts, ends)
    return PositionTable(array("I", starts), array("I", ends))


def _parsed(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _offsets(walk: Walk) -> tuple[list[int], list[int]]:
    """Return the starts and ends by ordinal, in bytes."""
    lines, found = walk.lines, walk.found
    starts = [lines[node.lineno] + node.col_offset for node in found]
    ends = [lines[node.end_lineno] + node.end_col_offset for node in found]
    for offsets, exceptions in ((starts, walk.starts), (ends, walk.ends)):
        for at, offset in exceptions.items():
            offsets[at] = offset
    return starts, ends


def _check_shape(nodes: Sequence[cst.CSTNode], found: Sequence[ast.AST]) -> None:
    if len(nodes) != len(found):
        raise Mismatch
    pairs = set(zip(map(type, nodes), map(type, found), strict=True))
    if any(pair[1] not in _FORMATTED for pair in pairs - _PAIRS):
        raise Mismatch


def _check_spelling(text: str, nodes: Sequence[cst.CSTNode], starts: list[int], ends: list[int]) -> None:
    for node, start, end in zip(nodes, starts, ends, strict=True):
        if node.__class__ in _SPELLED and text[start:end] != node.value:  # type: ignore[attr-defined]
            raise Mismatch
