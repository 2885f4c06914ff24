"""Lists and sets as what can be hashed: tuples and frozen sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import qualified_name
from jaxlint.syntax import ir

#: Builtins to which tuples are what lists are.
_ALIKE: Final = frozenset(
    {
        "len", "tuple", "list", "set", "frozenset", "sum", "min", "max", "any", "all", "sorted", "zip", "enumerate",
        "map", "reversed", "iter",
    }
)  # fmt: skip
_METHODS: Final = frozenset({"reshape", "transpose", "sum", "mean", "max", "min"})


def takes_tuples(code: Code, function: ir.Function, name: str) -> bool:
    """Whether a function does nothing with a parameter for which a tuple is not what a list is."""
    read = [node for node in code.inside(function) if isinstance(node, ir.Name) and node.id == name]
    return all(_is_alike(code, node) for node in read)


def _is_alike(code: Code, node: ir.Name) -> bool:
    match code.parent(node.at):
        case ir.Call(func=func, args=args) if func.at != node.at:
            called = qualified_name(code, func) or code.segment(func.at)
            is_method = isinstance(func, ir.Attribute) and func.attr in _METHODS
            is_of_jax = called.startswith("jax.") and any(argument.at == node.at for argument in args)
            return is_method or is_of_jax or called in _ALIKE
        case ir.For(iter=over) | ir.Subscript(base=over):
            return over.at == node.at
        case ir.Comprehension():
            return True
        case _:
            return False


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
