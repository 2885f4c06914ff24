"""Whether code keeps the next key: objects that never store it, functions that hand back a spent one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis import walks
from jaxlint.analysis.conditions import exclusive
from jaxlint.analysis.events.random import KeyHandedBack, KeyNotAdvanced
from jaxlint.analysis.identities import idents_of, made_at
from jaxlint.analysis.iteration import target_names
from jaxlint.analysis.state import KeyUse, Step
from jaxlint.analysis.values import DictCell, Ident, InstanceCell, Object, Tuple, Union, Value, atoms_of
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.interpreter import Interpreter


def not_advanced(it: Interpreter, target: ir.SequenceDisplay, source: ir.Expr) -> None:
    """`key, subkey = split(self.key)` in a method that never stores the next key: tell the rules."""
    frame = it.frame
    if not isinstance(source, ir.Call) or not source.args or frame.function is None or frame.cls is None:
        return
    parent = source.args[0]
    if not isinstance(parent, ir.Attribute) or not all(isinstance(e, ir.Name) for e in target.elements):
        return
    if frame.function.name in ("__init__", "setup", "__post_init__") or not it.wants(KeyNotAdvanced):
        return
    names = [e.id for e in target.elements if isinstance(e, ir.Name)]
    end = max(walks.ordinals((target, source)))
    read = _names_read_after(frame.function.body, end)
    if any(name not in read for name in names) and parent.attr not in stored_attributes(frame.function.body):
        for ident in idents_of(it.eval(parent)):  # one report per key: later draws repeat for this reason
            it.caches.setdefault("reported keys", set()).add((ident, True))
        it.emit(KeyNotAdvanced(frame, source.at, it.operand(it.eval(parent), parent)))


def _names_read_after(body: ir.Block, at: int) -> frozenset[str]:
    """Names that stand anywhere behind an ordinal."""
    return frozenset(node.id for node in walks.nodes(body) if isinstance(node, ir.Name) and node.at > at)


def stored_attributes(body: ir.Block) -> frozenset[str]:
    """The attributes that code assigns, of whatever object."""
    found: set[str] = set()
    for node in walks.nodes(body):
        if isinstance(node, ir.Assign | ir.AugmentedAssign):
            targets = node.targets if isinstance(node, ir.Assign) else (node.target,)
            flat = [e for t in targets for e in (t.elements if isinstance(t, ir.SequenceDisplay) else (t,))]
            found.update(e.attr for e in flat if isinstance(e, ir.Attribute))
    return frozenset(found)


def handed_back(it: Interpreter, value: Value, node: ir.Expr) -> None:
    """A function returns: tell the rules if a key that it was given goes back although it was split here."""
    if not it.wants(KeyHandedBack):
        return
    frame = it.frame
    for ident in _reachable(it, value):
        if ident is None or made_at(ident) >= frame.serial:
            continue
        for use_ in frame.state.keys.get(ident, ()):
            mine = use_.chain[-1].frame == frame.serial and use_.action == "split"
            if mine and not exclusive(use_.conditions, frame.all_conditions()):
                it.emit(KeyHandedBack(frame, node.at, it.operand(value, node), use_))
                return


def _reachable(it: Interpreter, value: Value, seen: frozenset[int] = frozenset()) -> Iterator[Ident]:
    """The identities of what may be keys in a returned value; objects may hold themselves."""
    if isinstance(value, Union):
        return  # one of several: which one goes back depends on the path
    for atom in atoms_of(value):
        if isinstance(atom, Tuple):
            for element in atom.elements:
                yield from _reachable(it, element, seen)
        elif isinstance(atom, Object) and atom.oid not in seen:
            cell = it.cell(atom)
            inner = seen | {atom.oid}
            if isinstance(cell, InstanceCell | DictCell):
                parts = cell.attributes if isinstance(cell, InstanceCell) else cell.items
                for part in parts.values():
                    yield from _reachable(it, part, inner)
        else:
            yield from idents_of(atom)


def advancing_helper(it: Interpreter, earlier: KeyUse, new: KeyUse, step: Step, helper: ir.Function | None) -> str:
    """The function in which the key was split both times, if it gives back a key that its callers dropped."""
    if earlier.action != "split" or new.action != "split" or new.chain[-1] == step:
        return ""
    if helper is None:
        inner = next((f for f in it.frame.callers() if f.caller is not None and f.caller.serial == step.frame), None)
        helper = None if inner is None else inner.function
    if helper is None:
        return ""
    advanced = set(_split_targets(helper.body))
    return helper.name if any(name in advanced for name in _returned_names(helper.body)) else ""


def _split_targets(body: ir.Block) -> Iterator[str]:
    """Names that are assigned from a call of some `split`."""
    for node in walks.nodes(body):
        if isinstance(node, ir.Assign) and isinstance(node.value, ir.Call):
            callee = node.value.func
            name = callee.attr if isinstance(callee, ir.Attribute) else callee.id if isinstance(callee, ir.Name) else ""
            if name == "split":
                for target in node.targets:
                    yield from target_names(target)


def _returned_names(body: ir.Block) -> Iterator[str]:
    """The names that a function hands back as they are, among others: in a tuple, or in a dict of it."""
    for node in body:
        if isinstance(node, ir.Return) and isinstance(node.value, ir.SequenceDisplay):
            for element in node.value.elements:
                values = [value for _, value in element.items] if isinstance(element, ir.DictDisplay) else [element]
                yield from (value.id for value in values if isinstance(value, ir.Name))
