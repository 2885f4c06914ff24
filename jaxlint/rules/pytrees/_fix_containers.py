"""Sets, views and iterators as lists, which JAX knows as containers."""

from __future__ import annotations

from typing import Any, Final

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.names import is_stored_to, reads
from jaxlint.syntax import ir

#: What gives its elements in an order of its own: `list(...)` holds them in that order.
_ORDERED: Final = ("values", "range", "generator", "`map`", "`zip`", "`filter`", "reversed")


def as_list(request: FixRequest, code: Code) -> Fix | None:
    """`{a, b}` as `[a, b]`, `d.values()` as `list(d.values())`; the word is what the container is."""
    node, what = code.node(request.at), request.words[0]
    match node:
        case ir.SequenceDisplay(kind="set") | ir.Comprehension(kind="set"):
            return _display(request, code, node)
        case ir.Call() | ir.Comprehension(kind="generator") if any(name in what for name in _ORDERED):
            return _call(code, node)
        case _:
            return None


def _display(request: FixRequest, code: Code, node: Any) -> Fix | None:  # noqa: ANN401 - an expression
    start, end = code.span(node.at)
    changes = [Change(start, start + 1, "["), Change(end - 1, end, "]")]
    if request.is_certain and _is_distinct(node) and _is_handed_on(code, node):
        return code.fix("Write a list", changes)
    return code.fix(
        "Write a list", changes, Applicability.UNSAFE, "a list keeps equal elements, and has no set methods"
    )


def _is_distinct(node: Any) -> bool:  # noqa: ANN401 - an expression
    """Whether a display holds constants that all differ, so that a list of them is no longer than the set."""
    if not isinstance(node, ir.SequenceDisplay):
        return False
    values = [element.value for element in node.elements if isinstance(element, ir.Constant)]
    return len(values) == len(node.elements) == len(set(values))


def _is_handed_on(code: Code, node: Any) -> bool:  # noqa: ANN401 - an expression
    """Whether a container only goes into another one or into a call, under one name at most."""
    parent = code.parent(node.at)
    if not isinstance(parent, ir.Assign):
        return _is_argument(parent, node)
    target, owner = parent.targets[0], code.owner(parent.at)
    if len(parent.targets) > 1 or not isinstance(target, ir.Name) or not isinstance(owner, ir.Function):
        return False
    named = [n for n in code.owned(owner) if isinstance(n, ir.Name) and n.id == target.id]
    stores = [n for n in named if is_stored_to(code, n)]
    is_alone = len(stores) == 1 and target.id not in owner.scope.globals | owner.scope.nonlocals
    return is_alone and all(_is_argument(code.parent(read.at), read) for read in reads(code, target.id, owner))


def _is_argument(parent: Any, node: Any) -> bool:  # noqa: ANN401 - nodes
    match parent:
        case ir.Call():
            return bool(parent.func.at != node.at)
        case ir.SequenceDisplay() | ir.DictDisplay():
            return True
        case _:
            return False


def _call(code: Code, node: Any) -> Fix | None:  # noqa: ANN401 - an expression
    """Put `list(...)` around an expression, in the parentheses that it has."""
    start, end = code.outer(node.at)
    is_wrapped = start != code.span(node.at)[0]
    opener, closer = ("", "") if is_wrapped else ("(", ")")
    changes = [Change(start, start, f"list{opener}"), Change(end, end, closer)]
    return code.fix("Convert it to a list", changes, Applicability.UNSAFE, "the function receives a list")
