"""Whether code keeps the next key: objects that never store it, functions that hand back a spent one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.identities import idents_of, name_of
from jaxlint.analysis.domain.idents import Ident, made_at
from jaxlint.analysis.domain.state import KeyUse, Step
from jaxlint.analysis.domain.values import DictCell, InstanceCell, Object, Qualified, Tuple, Union, Value, atoms_of
from jaxlint.analysis.events.random import KeyHandedBack, KeyNotAdvanced
from jaxlint.analysis.machine.path_conditions import exclusive
from jaxlint.analysis.machine.tables import Table, memoised
from jaxlint.analysis.source.class_reads import is_read, never_taken
from jaxlint.analysis.source.ownership import is_self
from jaxlint.analysis.typestate.key_causes import first_use
from jaxlint.syntax import ir, walks
from jaxlint.syntax.walks import target_names

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter


@dataclass(slots=True)
class UnkeptSplits(Table):
    """The splits whose next key is not kept, by path and ordinal: what repeats them is told there.

    So it is with those of a key that is `handed_back` as it was, which is told where it is returned.
    """

    known: set[tuple[str, int]] = field(default_factory=set)
    handed_back: set[tuple[str, int]] = field(default_factory=set)

    def explain(self, split: tuple[str, int]) -> bool:
        """Whether one of them is at this place."""
        return split in self.known or split in self.handed_back


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
    names = frozenset(e.id for e in target.elements if isinstance(e, ir.Name))
    body = frame.function.body
    end = max(walks.ordinals((target, source)))
    unread = names - walks.names_after(body, end)
    is_own = isinstance(parent.base, ir.Name) and is_self(frame, parent.base.id)
    dropped_on_purpose = all(name.startswith("_") for name in unread) and not is_own  # from a state its caller keeps
    if not unread or dropped_on_purpose or parent.attr in stored_attributes(it, body):
        return
    if not _is_handed_on(it, body, names, parent.attr):
        it.tables[UnkeptSplits].known.add((frame.path, source.at))
        it.emit(KeyNotAdvanced(frame, source.at, it.operand(it.eval(parent), parent)))


def _is_handed_on(it: Interpreter, body: ir.Block, names: frozenset[str], field: str) -> bool:
    """Whether one of the keys goes into a new object: as its field of the old one's name, or as a part of the result.

    What a library's function or a method of the object itself returns holds no key.
    """
    for node in walks.nodes(body):
        if isinstance(node, ir.Call) and any(key == field and _is_one_of(e, names) for key, e in node.keywords):
            return True
        if isinstance(node, ir.Return) and any(_is_one_of(part, names) for part in _parts(it, node.value)):
            return True
    return False


def _is_one_of(node: ir.Expr, names: frozenset[str]) -> bool:
    return isinstance(node, ir.Name) and node.id in names


def _parts(it: Interpreter, node: ir.Expr | None) -> Iterator[ir.Expr]:
    """What a returned expression is made of: elements of tuples, arguments of constructors and project functions."""
    match node:
        case ir.SequenceDisplay():
            for element in node.elements:
                yield from _parts(it, element)
        case ir.Call(func=ir.Name(id=name)) if not isinstance(it.peek(name), Qualified):
            yield from node.args
            yield from (value for _, value in node.keywords)
        case None:
            pass
        case _:
            yield node


@memoised
def stored_attributes(it: Interpreter, body: ir.Block) -> frozenset[str]:
    """The attributes that code assigns, of whatever object, themselves or items of them."""
    found: set[str] = set()
    for node in walks.statements(body):
        if isinstance(node, ir.Assign | ir.AugmentedAssign):
            targets = node.targets if isinstance(node, ir.Assign) else (node.target,)
            flat = [e for t in targets for e in (t.elements if isinstance(t, ir.SequenceDisplay) else (t,))]
            found.update(attr for e in flat if (attr := _attribute_of(e)) is not None)
    return frozenset(found)


def _attribute_of(target: ir.Expr) -> str | None:
    """`count` of `self.count` and `self.count[...]`."""
    while isinstance(target, ir.Subscript):
        target = target.base
    return target.attr if isinstance(target, ir.Attribute) else None


def handed_back(it: Interpreter, value: Value, node: ir.Expr) -> None:
    """A function returns: tell the rules if a key goes back that was used here.

    That is one that it was given, if it was split; or one that a split here made, if another one of that split is
    never read: the two are mixed up.
    """
    if not it.frame.state.keys or not it.wants(KeyHandedBack):
        return
    frame, spent = it.frame, it.tables[UnkeptSplits].handed_back
    for ident in _reachable(it, value):
        if ident is None or ident not in frame.state.keys:
            continue
        given = made_at(ident) < frame.serial
        unread = "" if given else _unread_sibling(it, name_of(ident, frame))
        if not given and not unread:
            continue
        for use_ in frame.state.keys[ident]:
            if _is_spent(it, use_, given) and not exclusive(use_.conditions, frame.all_conditions()):
                first = first_use(frame.state.keys[ident], frame.chain(node.at))
                it.emit(KeyHandedBack(frame, node.at, it.operand(value, node), use_, ident, first, unread))
                if given:  # the loops that go on with it repeat this very split
                    spent.add((use_.chain[-1].path, use_.chain[-1].at))
                return


def _is_spent(it: Interpreter, use: KeyUse, given: bool) -> bool:
    """Whether what was done to a key here forbids to hand it back."""
    step = use.chain[-1]
    if given:
        kept = (step.path, step.at) not in it.tables[UnkeptSplits].known
        return use.action == "split" and step.frame == it.frame.serial and kept
    return use.action in ("consume", "split", "pass") and any(step.frame == it.frame.serial for step in use.chain)


def _unread_sibling(it: Interpreter, name: str) -> str:
    """What the split that made the key `name` gave beside it, if nothing here reads that; loops are told elsewhere."""
    frame = it.frame
    trace = frame.trace
    if not name or frame.function is None or frame.iteration:
        return ""
    if trace is not None and trace.body is frame and it.api.has(trace.transform, "repeats"):
        return ""  # the next pass uses it again, which is told there
    return unread_siblings(it, frame.function.body).get(name, "")


@memoised
def unread_siblings(it: Interpreter, body: ir.Block) -> dict[str, str]:
    """For names that a split is unpacked to: one of the others that nothing reads behind it."""
    found: dict[str, str] = {}
    for node in walks.nodes(body):
        if not isinstance(node, ir.Assign) or not _is_split(node.value):
            continue
        names = [name for target in node.targets for name in target_names(target)]
        read = walks.names_after(body, max(walks.ordinals((node.targets, node.value))))
        unread = [name for name in names if name not in read and not name.startswith("_")]
        found.update({name: unread[0] for name in names if unread and name != unread[0]})
    return found


@memoised
def unread_children(_: Interpreter, body: ir.Block) -> dict[int, str]:
    """For calls of `split`, by ordinal: a key that it gives and nothing reads, so that another is used in its place."""
    bound = {at for target in walks.assignment_targets(body) for at in walks.ordinals(target)}
    nodes = list(walks.nodes(body))
    items = [node for node in nodes if isinstance(node, ir.Subscript)]
    read = Counter(node.id for node in nodes if isinstance(node, ir.Name) and node.at not in bound)
    found = {}
    for node in nodes:
        if isinstance(node, ir.Assign) and len(node.targets) == 1 and _is_split(node.value):
            unread = _unread_of(node.targets[0], node.value, read, items)
            found.update({node.value.at: unread} if unread else {})
    return found


def _unread_of(target: ir.Expr, split: ir.Expr, read: Counter[str], items: list[ir.Subscript]) -> str:
    """The first of the keys that a split is bound to that nothing reads, if any: a variable, or `keys[2]`."""
    if isinstance(target, ir.SequenceDisplay):
        return next((name for name in target_names(target) if name not in read), "")
    if not isinstance(target, ir.Name) or not isinstance(split, ir.Call):
        return ""
    own = [item for item in items if isinstance(item.base, ir.Name) and item.base.id == target.id]
    numbers = [item.index[0].value for item in own if isinstance(item.index[0], ir.Constant) and len(item.index) == 1]
    count = split.args[1] if len(split.args) > 1 else None
    total = count.value if isinstance(count, ir.Constant) else 2 if count is None and not split.keywords else None
    if not numbers or len(numbers) != read[target.id] or not isinstance(total, int):
        return ""
    return next((f"{target.id}[{number}]" for number in range(total) if number not in numbers), "")


def _is_split(node: ir.Expr) -> bool:
    """Whether an expression is a call of some `split`."""
    callee = node.func if isinstance(node, ir.Call) else None
    return "split" in (getattr(callee, "attr", ""), getattr(callee, "id", ""))


def _reachable(it: Interpreter, value: Value, seen: frozenset[int] = frozenset()) -> Iterator[Ident]:
    """The identities of what may be keys in a returned value; objects may hold themselves.

    A field or entry that nothing reads keeps a key as a record of what was done, and not to go on with.
    """
    if isinstance(value, Union):
        return  # one of several: which one goes back depends on the path
    for atom in atoms_of(value):
        if isinstance(atom, Tuple):
            for number, element in enumerate(atom.elements):
                if not atom.names or is_read(it, atom.names[number]):
                    yield from _reachable(it, element, seen)
        elif isinstance(atom, Object) and atom.oid not in seen:
            cell = it.cell(atom)
            inner = seen | {atom.oid}
            if isinstance(cell, InstanceCell | DictCell):
                parts = cell.attributes if isinstance(cell, InstanceCell) else cell.items
                recorded = never_taken(it, parts) if isinstance(cell, DictCell) else ()
                for name, part in parts.items():
                    if name not in recorded and (isinstance(cell, DictCell) or is_read(it, name)):
                        yield from _reachable(it, part, inner)
        else:
            yield from idents_of(atom)


def advancing_helper(
    it: Interpreter, frame: Frame, earlier: KeyUse, new: KeyUse, step: Step, helper: ir.Function | None
) -> tuple[str, int]:
    """The function in which the key was split both times, if it gives back a key that its callers dropped.

    A call drops nothing whose whole result goes on to other code: what is wrong is then that the old key is used again.
    With the function's name comes the place of that key in the tuple that is returned, -1 where it is not clear.
    """
    if earlier.action != "split" or new.action != "split" or new.chain[-1] == step:
        return "", -1
    if (earlier.chain[-1].path, earlier.chain[-1].at) != (new.chain[-1].path, new.chain[-1].at):
        return "", -1  # what was split elsewhere came back from nowhere
    if helper is None:
        inner = next((f for f in it.frame.callers() if f.caller is not None and f.caller.serial == step.frame), None)
        helper = None if inner is None else inner.function
    if helper is None:
        return "", -1
    advanced = set(_split_targets(helper.body))
    if not any(name in advanced for name in _returned_names(helper.body)):
        return "", -1
    if any(_goes_on_whole(it, frame.body, own.at) for own in earlier.chain if own.frame == frame.serial):
        return "", -1
    return helper.name, _place_of_next(helper, advanced)


@memoised
def _goes_on_whole(_: Interpreter, body: ir.Block, call: int) -> bool:
    """Whether a name is all that a call returns, and is itself an argument of another call."""
    results: set[str] = set()
    for part in walks.nodes(body):
        if isinstance(part, ir.Assign) and part.value.at == call:
            results.update(target.id for target in part.targets if isinstance(target, ir.Name))
    calls = (part for part in walks.nodes(body) if results and isinstance(part, ir.Call))
    given = (value for each in calls for value in (*each.args, *(value for _, value in each.keywords)))
    return any(isinstance(value, ir.Name) and value.id in results for value in given)


def _place_of_next(helper: ir.Function, advanced: set[str]) -> int:
    """Where in the returned tuple the next key stands: the only name that a split gives, or the only parameter."""
    parameters = {parameter.name for parameter in helper.parameters}
    places: set[int] = set()
    for node in walks.nodes(helper.body):
        if isinstance(node, ir.Return) and isinstance(node.value, ir.SequenceDisplay):
            named = [(place, e.id) for place, e in enumerate(node.value.elements) if isinstance(e, ir.Name)]
            keys = [(place, name) for place, name in named if name in advanced]
            own = [place for place, name in keys if len(keys) == 1 or name in parameters]
            places.add(own[0] if len(own) == 1 else -1)
    return places.pop() if len(places) == 1 else -1


def _split_targets(body: ir.Block) -> Iterator[str]:
    """Names that are assigned from a call of some `split`."""
    for node in walks.nodes(body):
        if isinstance(node, ir.Assign) and _is_split(node.value):
            for target in node.targets:
                yield from target_names(target)


def _returned_names(body: ir.Block) -> Iterator[str]:
    """The names that a function hands back as they are, among others: in a tuple, or in a dict of it."""
    for node in body:
        if isinstance(node, ir.Return) and isinstance(node.value, ir.SequenceDisplay):
            for element in node.value.elements:
                values = [value for _, value in element.items] if isinstance(element, ir.DictDisplay) else [element]
                yield from (value.id for value in values if isinstance(value, ir.Name))
