"""Whether `x = new` does what changing `x` in place was meant to do: who else holds it, and who reads it later."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from jaxlint.diagnostics import Applicability
from jaxlint.fixes.code import Code, Owner
from jaxlint.fixes.names import is_stored_to, reads
from jaxlint.syntax import ir


class Rebinding(NamedTuple):
    """What may be done with a fix that binds a new value to a name or attribute, and why not more than that."""

    applicability: Applicability
    reason: str = ""


SAFE = Rebinding(Applicability.SAFE)
#: Values that something else holds, too.
_SHARED: Final = (ir.Name, ir.Attribute, ir.Subscript)


def rebinding(code: Code, at: int) -> Rebinding | None:
    """Judge binding a new value to the expression, in the statement that it stands in.

    None for what cannot be bound again, or not without evaluating calls twice.
    """
    node = code.node(at)
    if not is_simple_target(node):
        return None
    if isinstance(node, ir.Name):
        return _name(code, node)
    if isinstance(node, ir.Subscript) and not _is_of_display(code, node):
        return Rebinding(Applicability.UNSAFE, "the container must allow assignment")
    return SAFE


def _is_of_display(code: Code, item: ir.Subscript) -> bool:
    """Whether it is an item of a dict or list that the code around makes, and no other name holds the item."""
    if not isinstance(item.base, ir.Name):
        return False
    made, text = [], code.segment(item.at)
    for node in code.owned(code.owner(item.at)):
        if isinstance(node, ir.Name) and node.id == item.base.id and is_stored_to(code, node):
            parent = code.parent(node.at)
            made += [] if isinstance(parent, ir.Subscript) else [getattr(parent, "value", None)]
        elif isinstance(node, ir.Assign) and code.segment(node.value.at) == text:
            return False
    match made:
        case [ir.SequenceDisplay(kind="list", elements=values)]:
            return not any(isinstance(value, _SHARED) for value in values)
        case [ir.DictDisplay(items=items)]:
            return not any(isinstance(value, _SHARED) for _, value in items)
        case _:
            return False


def is_simple_target(node: Any) -> bool:  # noqa: ANN401 - an expression
    """Names, attributes of them, and their items by a constant or a name: reading one twice gives the same."""
    match node:
        case ir.Name():
            return True
        case ir.Attribute():
            return is_simple_target(node.base)
        case ir.Subscript(index=(ir.Constant() | ir.Name(),)):
            return is_simple_target(node.base)
        case _:
            return False


def _name(code: Code, name: ir.Name) -> Rebinding:
    scope, owner = code.scope(name.at), code.owner(name.at)
    if owner is not None and name.id in scope.globals | scope.nonlocals:
        return Rebinding(Applicability.UNSAFE, f"`{name.id}` is shared with other functions")
    if owner is not None and name.id not in scope.bound:
        why = f"`{name.id}` belongs to the enclosing scope; assigning it here would create a local name"
        return Rebinding(Applicability.DISPLAY_ONLY, why)
    shared = _shared(code, name, owner)
    if shared is None:
        return SAFE
    if owner is not None and _is_returned(code, name, owner) and _is_parameter(name, owner):
        return SAFE
    if any(_later_reads(code, name, owner)):
        return Rebinding(Applicability.UNSAFE, shared)
    return Rebinding(Applicability.DISPLAY_ONLY, f"{shared}, and `{name.id}` is not read again here")


def _shared(code: Code, name: ir.Name, owner: Owner) -> str | None:
    """Who else holds what the name stands for and would not see that it is bound again; None where nobody does."""
    if isinstance(owner, ir.Function) and _is_parameter(name, owner) and not _is_made_anew(code, name, owner):
        return f"the caller of `{owner.name}` keeps the old `{name.id}`"
    for node in code.owned(owner):
        if code.owner(node.at) is not owner or (node.at > name.at and not _share_loop(code, node.at, name.at)):
            continue
        match node:
            case ir.For() if name.id in set(_target_names(node.target)) and _is_around(code, node, name):
                return f"`{name.id}` is an element of `{code.segment(node.iter.at)}`, which keeps the old one"
            case ir.Assign() if name.id in {t.id for t in node.targets if isinstance(t, ir.Name)}:
                if isinstance(node.value, (ir.Name, ir.Attribute, ir.Subscript)):
                    return f"`{code.segment(node.value.at)}` keeps the old value"
            case ir.Assign(value=ir.Name(id=other)) if other == name.id:
                return f"`{code.segment(node.targets[0].at)}` keeps the old value"
            case ir.SequenceDisplay() | ir.DictDisplay() if _holds(node, name.id) and not is_stored_to(code, node):
                return f"a container keeps the old `{name.id}`"
            case _:
                pass
    return None


def _is_made_anew(code: Code, name: ir.Name, owner: ir.Function) -> bool:
    """Whether a statement that every path comes through binds the name to a new value first."""
    around = {node.at for node in code.ancestors(name.at)} | {owner.at}
    for node in code.inside(owner):
        if isinstance(node, ir.Assign) and node.at < code.statement(name.at).at and code.owner(node.at) is owner:
            is_bound = any(isinstance(target, ir.Name) and target.id == name.id for target in node.targets)
            is_new = isinstance(node.value, (ir.Call, ir.BinaryOperation, ir.UnaryOperation))
            if is_bound and is_new and code.parent(node.at).at in around and not _is_alternative(code, node, name):
                return True
    return False


def _is_alternative(code: Code, statement: ir.Assign, name: ir.Name) -> bool:
    """Whether the statement stands in another branch of what is around both."""
    block = code.block(statement.at)
    around = {name.at, *(node.at for node in code.ancestors(name.at))}
    return not any(sibling.at in around for sibling in block)


def _is_parameter(name: ir.Name, owner: Owner) -> bool:
    return isinstance(owner, ir.Function) and any(p.name == name.id for p in owner.parameters)


def _target_names(target: Any) -> Iterator[str]:  # noqa: ANN401 - an expression
    match target:
        case ir.Name():
            yield target.id
        case ir.Starred():
            yield from _target_names(target.value)
        case ir.SequenceDisplay():
            for element in target.elements:
                yield from _target_names(element)
        case _:
            pass


def _holds(display: ir.SequenceDisplay | ir.DictDisplay, name: str) -> bool:
    values = display.elements if isinstance(display, ir.SequenceDisplay) else [value for _, value in display.items]
    return any(isinstance(value, ir.Name) and value.id == name for value in values)


def _is_around(code: Code, loop: ir.For, name: ir.Name) -> bool:
    return any(node.at == loop.at for node in code.ancestors(name.at))


def _loops(code: Code, at: int) -> list[int]:
    """The loops of the same function around a node."""
    owner = code.owner(at)
    around = code.ancestors(at)
    return [n.at for n in around if isinstance(n, (ir.For, ir.While)) and code.owner(n.at) is owner]


def _share_loop(code: Code, one: int, other: int) -> bool:
    return bool(set(_loops(code, one)) & set(_loops(code, other)))


def _later_reads(code: Code, name: ir.Name, owner: Owner) -> Iterator[ir.Name]:
    """Reads of the name that may run after its statement: behind it, in a loop around both, in a nested function."""
    statement = code.statement(name.at)
    last = max((node.at for node in code.inside(statement)), default=statement.at)
    for read in reads(code, name.id, owner):
        is_nested = code.owner(read.at) is not owner
        is_in_statement = statement.at <= read.at <= last
        if is_nested or read.at > last or (not is_in_statement and _share_loop(code, read.at, name.at)):
            yield read


def is_read_later(code: Code, name: ir.Name) -> bool:
    """Whether a read of the name may run after its statement."""
    return any(_later_reads(code, name, code.owner(name.at)))


def _is_returned(code: Code, name: ir.Name, owner: Owner) -> bool:
    """Whether the function gives back what the name stands for, alone or as part of a larger value."""
    for read in _later_reads(code, name, owner):
        for parent in code.ancestors(read.at):
            if isinstance(parent, (ir.Return, ir.Yield)):
                return True
            if not isinstance(parent, (ir.SequenceDisplay, ir.DictDisplay, ir.Call, ir.Conditional)):
                break
    return False
