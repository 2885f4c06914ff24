"""How many elements an iterable has, as an expression that evaluates nothing twice that matters."""

from __future__ import annotations

from typing import Any, Final

from jaxlint.fixes.code import Code
from jaxlint.fixes.names import is_stored_to
from jaxlint.fixes.precedence import Level, operand
from jaxlint.syntax import ir

#: Calls that give one element for each of their argument.
_SAME_SIZE: Final = frozenset({"enumerate", "reversed", "sorted", "list", "tuple"})
#: Calls whose results can be gone through once and have no length.
_ITERATORS: Final = frozenset({"iter", "zip", "map", "filter", "enumerate", "reversed", "open"})


def size_of(code: Code, node: Any) -> str | None:  # noqa: ANN401 - an expression
    """The number of elements as an expression that can stand as an argument, or as the left side of a sum."""
    match node:
        case ir.SequenceDisplay(kind="list" | "tuple", elements=elements):
            return None if any(isinstance(element, ir.Starred) for element in elements) else str(len(elements))
        case ir.Call(func=ir.Name(id="range"), args=(stop,), keywords=()) if not isinstance(stop, ir.Starred):
            return operand(code, stop.at, Level.SUM, in_brackets=True)
        case ir.Call(func=ir.Name(id="range"), args=args) if not any(isinstance(arg, ir.Starred) for arg in args):
            return f"len({code.segment(node.at)})"
        case ir.Call(func=ir.Name(id="zip"), args=args):
            return next((size for arg in args if (size := size_of(code, arg)) is not None), None)
        case ir.Call(func=ir.Name(id=name), args=(inner, *_)) if name in _SAME_SIZE:
            return size_of(code, inner)
        case ir.Call(func=ir.Attribute(base=base, attr="items" | "values" | "keys"), args=(), keywords=()):
            return size_of(code, base)
        case _:
            return f"len({code.segment(node.at)})" if _has_length(code, node) else None


def _has_length(code: Code, node: Any) -> bool:  # noqa: ANN401 - an expression
    """Whether an expression can be read twice, and is nothing that is known to have no length."""
    match node:
        case ir.Name():
            return not _is_iterator(code, node)
        case ir.Attribute():
            return _has_length(code, node.base)
        case ir.Subscript():
            return _has_length(code, node.base) and all(_is_plain(part) for part in node.index)
        case _:
            return False


def _is_plain(node: Any) -> bool:  # noqa: ANN401 - an expression
    match node:
        case None | ir.Constant() | ir.Name():
            return True
        case ir.UnaryOperation(operand=inner):
            return _is_plain(inner)
        case ir.BinaryOperation(left=left, right=right):
            return _is_plain(left) and _is_plain(right)
        case ir.Slice(lower=lower, upper=upper, step=step):
            return _is_plain(lower) and _is_plain(upper) and _is_plain(step)
        case _:
            return False


def _is_iterator(code: Code, name: ir.Name) -> bool:
    """Whether some assignment of the name makes it an iterator."""
    for node in code.owned(code.owner(name.at)):
        if isinstance(node, ir.Name) and node.id == name.id and is_stored_to(code, node):
            match code.parent(node.at):
                case ir.Assign(value=ir.Comprehension(kind="generator")):
                    return True
                case ir.Assign(value=ir.Call(func=ir.Name(id=made))) if made in _ITERATORS:
                    return True
                case _:
                    pass
    return False
