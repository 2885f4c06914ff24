"""Lists and sets as what can be hashed: tuples and frozen sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


class Unhashable:
    """What in a value has no hash, by the indices that lead there: `0.1=a list`; `*` is any index."""

    def __init__(self, words: Iterable[str]) -> None:
        pairs = (word.rpartition("=") for word in words)
        self.found = [(tuple(filter(None, where.split("."))), what) for where, _, what in pairs]

    def inside(self, where: tuple[str, ...]) -> list[tuple[tuple[str, ...], str]]:
        """What is at a place, and further inside."""
        return [found for found in self.found if _leads_to(where, found[0])]

    def maker(self, where: tuple[str, ...]) -> str | None:
        """What makes the value at a place hashable; empty if it is, and None if nothing does."""
        found = self.inside(where)
        if not found:
            return ""
        return _MAKERS.get(found[0][1]) if len(found) == 1 and len(found[0][0]) == len(where) else None


#: What makes something hashable of a container of hashable elements.
_MAKERS: Final = {"a list": "tuple", "a set": "frozenset"}


def _leads_to(where: tuple[str, ...], place: tuple[str, ...]) -> bool:
    is_behind = len(where) <= len(place)
    return is_behind and all(one == other or "*" in (one, other) for one, other in zip(where, place, strict=False))


def hashable(
    code: Code,
    node: Any,  # noqa: ANN401 - an expression
    unhashable: Unhashable,
    where: tuple[str, ...] = (),
) -> list[Change] | None:
    """The changes that make an expression hashable, which stands at this place of the value; None if there are none."""
    if isinstance(node, ir.SequenceDisplay) and node.kind in ("list", "tuple"):
        return _display(code, node, unhashable, where)
    maker = unhashable.maker(where)
    if not maker:
        return [] if maker is not None else None
    start, end = code.outer(node.at)
    is_wrapped = code.text[start] == "(" and start != code.span(node.at)[0]
    opener, closer = ("", "") if is_wrapped else ("(", ")")
    return [Change(start, start, f"{maker}{opener}"), Change(end, end, closer)]


def _display(
    code: Code, node: ir.SequenceDisplay, unhashable: Unhashable, where: tuple[str, ...]
) -> list[Change] | None:
    """A list, and the lists in it, as tuples; with a starred element, indices do not tell which element is meant."""
    changes = list(_as_tuple(code, node)) if node.kind == "list" else []
    if any(isinstance(element, ir.Starred) for element in node.elements):
        is_flat = all(len(place) == len(where) for place, _ in unhashable.inside(where))
        return changes if is_flat else None
    for index, element in enumerate(node.elements):
        inner = hashable(code, element, unhashable, (*where, str(index)))
        if inner is None:
            return None
        changes += inner
    return changes


def _as_tuple(code: Code, node: ir.SequenceDisplay) -> Iterator[Change]:
    start, end = code.span(node.at)
    needs_comma = len(node.elements) == 1 and code.text[slice(*code.token_before(end - 1))] != ","
    yield Change(start, start + 1, "(")
    yield Change(end - 1, end, ",)" if needs_comma else ")")


def annotation(
    code: Code,
    node: Any,  # noqa: ANN401 - an expression
    unhashable: Unhashable,
    where: tuple[str, ...] = (),
) -> list[Change] | None:
    """`list[int]` as `tuple[int, ...]`, at any depth; None where something is left that has no hash."""
    match node:
        case ir.Name(id="list" | "set" as name) if unhashable.maker(where):
            return [Change(*code.span(node.at), _MAKERS[f"a {name}"])]
        case ir.Subscript(base=ir.Name(id="list") as base, index=(index,)):
            end = code.outer(index.at)[1]
            own, inner = Change(*code.span(base.at), "tuple"), annotation(code, index, unhashable, (*where, "*"))
            return None if inner is None else [own, *inner, Change(end, end, ", ...")]
        case ir.Subscript(base=ir.Name(id="set") as base):
            return [Change(*code.span(base.at), "frozenset")]
        case ir.Subscript(base=ir.Name(id="tuple"), index=parts):
            inners = [annotation(code, part, unhashable, (*where, str(i))) for i, part in enumerate(parts)]
            return None if None in inners else [change for inner in inners for change in inner or ()]
        case _:
            return None if unhashable.inside(where) else []
