"""Lists and sets as what can be hashed: tuples and frozen sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jaxlint.fixes.code import Change, Code
from jaxlint.syntax import ir


def hashable(code: Code, node: Any, kind: str) -> list[Change] | None:  # noqa: ANN401 - an expression
    """The changes that make an expression hashable; `kind` is "a list" or "a set" where the analysis knows it."""
    if isinstance(node, ir.SequenceDisplay) and node.kind in ("list", "tuple"):
        changes = list(_displays(code, node))
        return changes or None
    if isinstance(node, (ir.DictDisplay, ir.Lambda, ir.Starred)) or kind not in ("a list", "a set"):
        return None
    function = "tuple" if kind == "a list" else "frozenset"
    start, end = code.outer(node.at)
    is_wrapped = code.text[start] == "(" and start != code.span(node.at)[0]
    opener, closer = ("", "") if is_wrapped else ("(", ")")
    return [Change(start, start, f"{function}{opener}"), Change(end, end, closer)]


def _displays(code: Code, node: Any) -> Iterator[Change]:  # noqa: ANN401 - an expression
    """Each list in a display, and in the displays in it, as a tuple."""
    if not isinstance(node, ir.SequenceDisplay):
        return
    if node.kind == "list":
        start, end = code.span(node.at)
        needs_comma = len(node.elements) == 1 and code.text[slice(*code.token_before(end - 1))] != ","
        yield Change(start, start + 1, "(")
        yield Change(end - 1, end, ",)" if needs_comma else ")")
    for element in node.elements:
        yield from _displays(code, element)


def annotation(code: Code, node: Any) -> list[Change] | None:  # noqa: ANN401 - an expression
    """`list[int]` as `tuple[int, ...]`."""
    match node:
        case ir.Name(id="list"):
            return [Change(*code.span(node.at), "tuple")]
        case ir.Subscript(base=ir.Name(id="list") as base, index=(index,)):
            end = code.outer(index.at)[1]
            return [Change(*code.span(base.at), "tuple"), Change(end, end, ", ...")]
        case _:
            return None
