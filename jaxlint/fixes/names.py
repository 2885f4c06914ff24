"""Names as a fix needs them: which are taken, which are free, and where one is read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, takewhile
from keyword import iskeyword
from typing import Any

from jaxlint.fixes.code import Code, Owner
from jaxlint.syntax import ir


def taken(code: Code, at: int) -> set[str]:
    """The names that mean something to the function, class or module around a node, nested ones included."""
    owner = _function_around(code, at)
    names = {name for node in code.owned(owner) for name in _names(node) if not _is_inner(code, node, name, owner)}
    scope = code.source.module.scope if owner is None else owner.scope
    return names | scope.bound | scope.globals | scope.nonlocals


def fresh_name(code: Code, at: int, wish: str, *, avoid: frozenset[str] = frozenset()) -> str:
    """A name that is free around a node: `wish`, or `wish_1` and so on."""
    used = taken(code, at) | avoid
    candidates = (wish if number == 0 else f"{wish}_{number}" for number in count())
    return next(name for name in candidates if name not in used and not iskeyword(name))


def reads(code: Code, name: str, owner: Owner) -> Iterator[ir.Name]:
    """Where the owner or what is nested in it reads a name, in order.

    `x[i] = v`, `x.a = v` and `del x` are no reads of `x`, and neither is `x += v`.
    """
    for node in code.owned(owner):
        if isinstance(node, ir.Name) and node.id == name and not is_stored_to(code, node):
            yield node


def is_stored_to(code: Code, node: Any) -> bool:  # noqa: ANN401 - an expression
    """Whether an expression is a target, or the base of one."""
    child = node
    for parent in code.ancestors(node.at):
        match parent:
            case ir.Subscript() | ir.Attribute():
                if parent.base.at != child.at:
                    return False
            case ir.SequenceDisplay() | ir.Starred():
                pass
            case _:
                return child.at in _targets(parent)
        child = parent
    return False


def _targets(node: Any) -> set[int]:  # noqa: ANN401 - what may hold targets
    match node:
        case ir.Assign() | ir.Delete():
            return {target.at for target in node.targets}
        case ir.AnnotatedAssign() | ir.AugmentedAssign() | ir.For() | ir.NamedExpression():
            return {node.target.at}
        case ir.With():
            return {item.target.at for item in node.items if item.target is not None}
        case ir.Comprehension():
            return {generator.target.at for generator in node.generators}
        case _:
            return set()


def _function_around(code: Code, at: int) -> Owner:
    """The function around a node; a class body inside one belongs to it."""
    owner = code.owner(at)
    if isinstance(owner, ir.Class):
        outer = code.owner(owner.at)
        return outer if outer is not None else owner
    return owner


def is_local(code: Code, name: ir.Name) -> bool:
    """Whether a function around the name binds it."""
    return any(isinstance(owner, ir.Function) and name.id in owner.scope.bound for owner in code.owners(name.at))


def _is_inner(code: Code, node: Any, name: str, owner: Owner) -> bool:  # noqa: ANN401 - a node
    """Whether a name means something to a function inside the owner alone."""
    inside = takewhile(lambda inner: inner is not owner, code.owners(node.at))
    return any(isinstance(inner, ir.Function) and name in inner.scope.bound for inner in inside)


def _names(node: Any) -> Iterator[str]:  # noqa: ANN401 - a node
    match node:
        case ir.Name():
            yield node.id
        case ir.Parameter():
            yield node.name
        case ir.FunctionDefinition():
            yield node.function.name
        case ir.ClassDefinition():
            yield node.cls.name
        case ir.Import():
            yield from (local for local, _ in node.bindings)
        case ir.ScopeDeclaration():
            yield from node.names
        case ir.Handler() if node.name:
            yield node.name
        case _:
            pass
