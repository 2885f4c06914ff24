"""Stores: names, unpacking, items, attributes, augmented assignment and `del`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jaxlint.analysis.domain.application import underlying
from jaxlint.analysis.domain.idents import AttributeOf, GivenOut, made_at
from jaxlint.analysis.domain.lattice import join, join_all
from jaxlint.analysis.domain.values import (
    CONTAINERS,
    UNKNOWN,
    Array,
    Atom,
    Birth,
    ClassValue,
    DictCell,
    FunctionValue,
    InstanceCell,
    Iterable,
    Leaves,
    Level,
    ListCell,
    ModuleValue,
    Object,
    Partial,
    Qualified,
    Static,
    Transformed,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    has_no_value,
    ident_of,
)
from jaxlint.analysis.events.arrays import ItemStore
from jaxlint.analysis.events.effects import AttributeStore, Mutation, NameStore
from jaxlint.analysis.events.event import Operand, has_no_hash
from jaxlint.analysis.events.tracing import Hashed, IntegerNeeded
from jaxlint.analysis.machine import dependencies
from jaxlint.analysis.machine import path_conditions as guards
from jaxlint.analysis.machine.run_facts import SharedChanges
from jaxlint.analysis.python import (
    arithmetic,
    assignability,
    attribute_views,
    attributes,
    carried_attributes,
    descriptors,
    given_out,
    handed_out,
    iteration,
    own_containers,
    references,
    scratch_attributes,
    special_methods,
    stale_reads,
    subscripts,
    unpacking,
    unseen_calls,
)
from jaxlint.analysis.source import caller_use, class_reads, compensated_effects, test_context
from jaxlint.analysis.source.ownership import read_later, role_of, root_name
from jaxlint.analysis.typestate import async_dispatch, donated_uses, start_up
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter

#: The ufuncs of the operators that arrays have update methods for.
_UFUNCS: Final = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "**": "power"}


def bind(it: Interpreter, target: ir.Expr, value: Value, source: ir.Expr, *, quiet: bool = False) -> None:
    """Store `value`, which the expression `source` gave, to a target. `quiet`: a comprehension's own names."""
    match target:
        case ir.Name():
            if quiet:
                it.frame.state.env[target.id] = value
            else:
                references.tell_rebound(it, target, value, source)
                bind_name(it, target.id, value, target, source)
        case ir.SequenceDisplay():
            parts = unpacking.unpack(it, value, target)
            for part, inner in zip(parts, target.elements):
                bind(it, inner.value if isinstance(inner, ir.Starred) else inner, part, source, quiet=quiet)
        case ir.Starred():
            bind(it, target.value, value, source, quiet=quiet)
        case ir.Subscript():
            _store_item(it, target, "", value, source)
        case ir.Attribute():
            _store_attribute(it, target, value, source)
        case _:
            it.eval(target)


def bind_name(
    it: Interpreter, name: str, value: Value, target: ir.Expr | None = None, source: ir.Expr | None = None
) -> None:
    """Bind a name where Python would: here, in the module (`global`) or in an enclosing function (`nonlocal`)."""
    frame = it.frame
    scope = frame.scope
    if name not in scope.globals and name not in scope.nonlocals:
        frame.state.env[name] = value
        return
    kind = "global" if name in scope.globals else "nonlocal"
    owner = frame.module.frame if kind == "global" else _nonlocal_owner(it, name)
    if owner is not None and _are_one_constant(owner.state.env.get(name), value):
        return  # `n = float(n)`: it is what it was
    if owner is not None:
        it.tables[SharedChanges].of_names(owner)
        kept = None if _is_reached_from(frame, owner) else owner.state.env.get(name)
        owner.state.env[name] = value if kept is None else given_out.either(kept, value)
        dependencies.change(it.recordings, owner.serial)
    is_own = kind == "nonlocal" and handed_out.is_of_one_branch(it, owner, name)
    if target is not None and source is not None and not is_own and it.wants(NameStore):
        is_latched = frame.function is not None and guards.is_latched(it, frame.function)
        is_cache = (
            is_latched or guards.look_at(it, name) or (kind == "nonlocal" and handed_out.is_handed_out(it, owner, name))
        )
        is_measure = frame.trace is not None and owner is not None and test_context.is_only_asserted(it, owner, name)
        stored = it.operand(value, source)
        _tell_store(it, NameStore(frame, target.at, name, kind, stored, owner, is_cache, is_measure), name)


def _are_one_constant(before: Value | None, now: Value) -> bool:
    """Whether a name is assigned the constant, or an equal one, that it has."""
    atoms = [] if before is None else [*atoms_of(before), *atoms_of(now)]
    constants = {atom.value for atom in atoms if isinstance(atom, Static) and atom.known}
    return len(constants) == 1 and all(isinstance(atom, Static) and atom.known for atom in atoms)


def _tell_store(it: Interpreter, event: NameStore | AttributeStore, name: str) -> None:
    """Tell the rules of a store that stays; of a number that is given out, once it gets into an array."""
    if compensated_effects.is_undone(it, name):
        return
    number = ident_of(event.value.value)
    if isinstance(number, GivenOut):
        it.facts.numbers[number] = event
    else:
        it.emit(event)


def _is_reached_from(frame: Frame, owner: Frame) -> bool:
    """Whether every run of the owner's code that comes to this call comes here: no test, loop or handler between."""
    for inner in frame.callers():
        if inner is owner:
            return True
        if inner.conditions or inner.flow.loops or inner.trying:
            return False
    return False


def _nonlocal_owner(it: Interpreter, name: str) -> Any:
    frame = it.frame.closure
    while frame is not None and (frame.kind == "class" or name not in frame.scope.bound):
        frame = frame.closure
    return frame


# --- items


def _store_item(it: Interpreter, target: ir.Subscript, op: str, value: Value | None, source: ir.Expr | None) -> None:
    base = it.eval(target.base)
    if len(target.index) > 1 and any(isinstance(part, ir.Slice) for part in target.index):
        base = join_all([_array_in(atom) for atom in atoms_of(base)])
    index = subscripts.index_operands(it, target)
    stored = None if value is None or source is None else it.operand(value, source)
    if stored is not None and references.is_kernel_reference(base):
        references.tell_unread(it, stored, stored.at, "")
    by_name = any(isinstance(operand.value, Static) and operand.value.type == "str" for operand in index)
    if it.wants(ItemStore) and not by_name:  # whatever it is, it is no array
        way = assignability.how_to_replace(it, target.base) if isinstance(target.base, ir.Attribute) else ""
        method = it.api.update_method(_UFUNCS.get(op, "")) or "set"
        it.emit(ItemStore(it.frame, target.at, it.operand(base, target.base), index, op, stored, way, method))
    base = join_all([own_containers.contents(it, atom, stored=True) for atom in atoms_of(base)])
    for atom in atoms_of(base):
        if isinstance(atom, Object):
            _own_store(it, atom, target, index, stored)
            _store_in_cell(it, atom, target, index, stored, op)
        elif isinstance(atom, Qualified) and stored is not None and len(index) == 1:
            is_new = bool(op) or isinstance(source, ir.BinaryOperation)
            start_up.item_set(it, atom, index[0].value, stored, target.at, is_new=is_new)
        elif isinstance(atom, Unknown):
            unseen_calls.hand(it, [] if value is None else [value])
            attributes.forget_attributes(it, atom)
        elif isinstance(atom, Array) and atom.level is Level.HOST and value is not None:
            async_dispatch.looked_at(it, value)  # NumPy copies the numbers, and waits for them
    if not any(isinstance(i, ir.Constant) and i.value is ... for i in target.index):  # no container takes `x[...] = y`
        _tell_mutation(it, base, target.base, f"[...] {op}=", stored)


def _own_store(
    it: Interpreter, holder: Object, target: ir.Subscript, index: tuple[Operand, ...], stored: Operand | None
) -> None:
    """The class of an object stores its items, or deletes them, itself."""
    key = index[0].value if len(index) == 1 else Tuple(tuple(operand.value for operand in index))
    if stored is None:
        special_methods.call(it, holder, ("__delitem__",), target, key)
    else:
        special_methods.call(it, holder, ("__setitem__",), target, key, stored.value)


def _array_in(atom: Atom) -> Atom:
    """A tree that takes `x[:, i] = y`, as no list or dict does, is an array."""
    return Array(atom.level, origin=atom.origin, ident=atom.ident, assumed=True) if isinstance(atom, Leaves) else atom


def _store_in_cell(
    it: Interpreter,
    reference: Object,
    target: ir.Subscript,
    index: tuple[Operand, ...],
    stored: Operand | None,
    op: str,
) -> None:
    cell = it.cell(reference)
    key = index[0].value if len(index) == 1 else None
    known = isinstance(key, Static) and key.known and isinstance(key.value, str | int | float | bool | bytes)
    value: Value = stored.value if stored is not None else it.unknown("a deleted item", target.at)
    if known:
        stale_reads.assigned(it, stale_reads.Part(reference.oid, key.value), target.at)  # type: ignore[union-attr]
    if isinstance(cell, DictCell):
        if key is not None and has_no_hash(key) and it.wants(Hashed):
            it.emit(Hashed(it.frame, target.index[0].at, index[0], "dict key"))
        items = dict(cell.items)
        if known and op == "del":
            items.pop(key.value, None)  # type: ignore[union-attr]
        elif known:
            items[key.value] = value  # type: ignore[union-attr]
        rest = cell.rest if known else value if cell.rest is None else join(cell.rest, value)
        it.update(reference, DictCell(cell.birth, items, rest))
        attribute_views.written(it, reference)
    elif isinstance(cell, ListCell):
        elements = cell.elements
        number = key.value if isinstance(key, Static) else None
        if key is not None and has_no_value(key) and it.wants(IntegerNeeded):
            it.emit(IntegerNeeded(it.frame, target.at, index[0], "index", "list"))
        if elements is not None and isinstance(number, int) and -len(elements) <= number < len(elements):
            place = number % len(elements)
            elements = (*elements[:place], *(() if op == "del" else (value,)), *elements[place + 1 :])
            it.update(reference, ListCell(cell.birth, elements, join_all(elements) if elements else UNKNOWN))
        else:
            element = cell.element if op == "del" else join(cell.element, value)
            it.update(reference, ListCell(cell.birth, None, element))


def delete(it: Interpreter, target: ir.Expr) -> None:
    """`del target`."""
    match target:
        case ir.Name():
            it.frame.state.env.pop(target.id, None)
        case ir.Subscript():
            _store_item(it, target, "del", None, None)
        case ir.SequenceDisplay():
            for part in target.elements:
                delete(it, part)
        case ir.Attribute():
            it.eval(target.base)
        case _:
            pass


# --- attributes


class _AttributeAssignment(NamedTuple):
    """`receiver.attr = value`, and the expressions of both sides."""

    receiver: Value
    target: ir.Attribute
    value: Value
    source: ir.Expr
    is_augmented: bool


def _store_attribute(
    it: Interpreter, target: ir.Attribute, value: Value, source: ir.Expr, is_augmented: bool = False
) -> None:
    receiver = it.eval(target.base)
    assignment = _AttributeAssignment(receiver, target, value, source, is_augmented)
    for atom in atoms_of(receiver):
        match atom:
            case ModuleValue():
                if it.wants(NameStore):
                    kind = "module attribute"
                    stored = it.operand(value, source)
                    owner = atom.module.frame
                    event = NameStore(it.frame, target.at, target.attr, kind, stored, owner, False, False)
                    _tell_store(it, event, f".{target.attr}")
            case Qualified():
                unseen_calls.hand(it, [value])
            case FunctionValue() | ClassValue() | Transformed() | Partial():
                code = atom if isinstance(atom, ClassValue) else underlying(atom)
                if code is not None and _is_outside(it, code) and not target.attr.startswith("__"):
                    made = code.closure.serial if isinstance(code, FunctionValue) else None
                    born = None if made is None else Birth(made, it.frame.path, target.at)
                    _tell_attribute(it, assignment._replace(receiver=code), born, "captured")
                elif isinstance(atom, ClassValue) and it.frame.trace is None:
                    it.tables[SharedChanges].of_class(atom)
                    before = atom.namespace.get(target.attr)
                    atom.namespace[target.attr] = value if before is None else join(before, value)
                    stale_reads.assigned(it, stale_reads.Part(atom, target.attr), target.at)
            case Object():
                _store_in_object(it, atom, assignment)
            case Unknown():
                unseen_calls.hand(it, [value])
                if atom.ident is not None:
                    contents = attributes.current(it, atom.ident)
                    it.frame.state.write(AttributeOf(contents, target.attr), value)
                    dependencies.change(it.recordings, made_at(atom.ident))
                _tell_attribute(it, assignment, None)
            case _:
                pass


def _store_in_object(it: Interpreter, atom: Object, assignment: _AttributeAssignment) -> None:
    cell, target, value = it.cell(atom), assignment.target, assignment.value
    if not isinstance(cell, InstanceCell) or descriptors.assign(it, cell.cls, atom, target, value):
        return
    is_lent = compensated_effects.is_handed_back(it)
    held = it.unknown("an attribute that gets its old value back", target.at) if is_lent else value
    if not is_lent:
        stale_reads.assigned(it, stale_reads.Part(atom.oid, target.attr), target.at)
    it.update(atom, replace(cell, attributes={**cell.attributes, target.attr: held}))
    known = dependencies.contents_of(it, cell)
    if known is not None:
        it.frame.state.write(AttributeOf(known, target.attr), held)
        dependencies.change(it.recordings, made_at(cell.ident))
    if not is_lent:
        _tell_attribute(it, assignment, cell.birth)


def _is_outside(it: Interpreter, atom: FunctionValue | ClassValue) -> bool:
    """Whether a function or class was there before the trace began."""
    trace = it.frame.trace
    made = atom.closure.serial if isinstance(atom, FunctionValue) else 0
    return trace is not None and made < trace.entry


def _tell_attribute(it: Interpreter, assignment: _AttributeAssignment, birth: Birth | None, role: str = "") -> None:
    receiver, target, value, source, is_augmented = assignment
    if it.wants(AttributeStore) and not scratch_attributes.is_scratch(
        it, receiver, target.attr, value, None if is_augmented else source
    ):
        role = role or role_of(it, receiver, target.base, birth)
        if carried_attributes.is_carried(it, receiver, target.attr, role):
            return
        if compensated_effects.is_replaced(it, receiver, target.attr):
            return
        operand, stored = it.operand(receiver, target.base), it.operand(value, source)
        is_cache = guards.look_at(it, f".{target.attr}") or _reads_with_default(source, target.attr)
        later = role == "argument" and read_later(it, target, receiver)
        missed = later and caller_use.misses(it, target.at)
        idle = class_reads.is_never_read(it, target.attr)
        event = AttributeStore(
            it.frame, target.at, operand, target.attr, stored, birth, role, is_cache, later, missed, idle
        )
        _tell_store(it, event, f".{target.attr}")


def _reads_with_default(node: ir.Expr, attr: str) -> bool:
    """`getattr(x, "attr", {})`."""
    match node:
        case ir.Call(func=ir.Name(id="getattr"), args=(_, ir.Constant(value=name), _)):
            return bool(name == attr)
        case _:
            return False


def _tell_mutation(it: Interpreter, receiver: Value, node: ir.Expr, how: str, value: Operand | None) -> None:
    """A container that has a birth, or that came from outside, is changed."""
    if not it.wants(Mutation) or it.frame.trace is None:
        return
    for atom in atoms_of(receiver):
        cell = it.cell(atom) if isinstance(atom, Object) else None
        if isinstance(cell, CONTAINERS):
            birth: Birth | None = cell.birth
        elif isinstance(atom, (Unknown, Iterable, Leaves)) or (isinstance(atom, Array) and atom.level == 0):
            birth = None
        else:
            continue
        birth = birth or _birth_of_holder(it, atom, node)
        role = role_of(it, receiver, node, birth)
        name = root_name(node)
        if name is not None and compensated_effects.is_undone(it, name):
            return
        later = role == "argument" and read_later(it, node, receiver)
        missed = later and caller_use.misses(it, node.at)
        is_cache = name is not None and (
            guards.look_at(it, name) or (how == "append" and compensated_effects.is_numbered(it, name))
        )
        is_measure = role == "captured" and _is_measure(it, name)
        operand = it.operand(receiver, node)
        it.emit(Mutation(it.frame, node.at, operand, how, value, birth, role, later, missed, is_cache, is_measure))
        return


def _birth_of_holder(it: Interpreter, atom: Atom, node: ir.Expr) -> Birth | None:
    """Of an array in an attribute: when the object was made that has it."""
    holder = _peek(it, node.base) if isinstance(atom, Array) and isinstance(node, ir.Attribute) else None
    cell = it.cell(holder) if isinstance(holder, Object) else None
    return cell.birth if isinstance(cell, InstanceCell) else None


def _peek(it: Interpreter, node: ir.Expr) -> Value | None:
    """The value of a name, or of an attribute of an object that one stands for, without events."""
    if isinstance(node, ir.Name):
        return it.peek(node.id)
    base = _peek(it, node.base) if isinstance(node, ir.Attribute) else None
    cell = it.cell(base) if isinstance(base, Object) else None
    return cell.attributes.get(node.attr) if isinstance(cell, InstanceCell) and isinstance(node, ir.Attribute) else None


def _is_measure(it: Interpreter, name: str | None) -> bool:
    found = None if name is None else it.find_binding(name)
    return name is not None and found is not None and test_context.is_only_asserted(it, found[0], name)


def tell_call_mutation(it: Interpreter, receiver: Value, node: ir.Expr, how: str, value: Operand | None) -> None:
    """`items.append(x)`, `np.add.at(counts, ...)` and the like: `node` is what is changed."""
    _tell_mutation(it, receiver, node, how, value)


# --- augmented assignment


def augment(it: Interpreter, node: ir.AugmentedAssign) -> None:
    """`target op= value`: an in-place change of mutable containers, a rebinding otherwise."""
    match node.target:
        case ir.Name():
            before = it.eval(node.target)
            value = it.eval(node.value)
            _use_donated(it, node, before, value)
            result = given_out.counted(it, _in_place(it, before, value, node), node.target.id, node.at)
            bind_name(it, node.target.id, result, node.target, node.value)
        case ir.Subscript():
            before = subscripts.load(it, node.target, quiet=True)
            value = it.eval(node.value)
            result = arithmetic.augmented(it, node.op, before, value, node.target)
            _store_item(it, node.target, node.op, result, node.value)
        case ir.Attribute():
            before = it.attribute(it.eval(node.target.base), node.target.attr, node.target.at)
            value = it.eval(node.value)
            _use_donated(it, node, before, value)
            result = arithmetic.augmented(it, node.op, before, value, node.target)
            result = given_out.counted(it, result, f".{node.target.attr}", node.at)
            _store_attribute(it, node.target, result, node.value, True)
        case _:
            it.eval(node.value)


def _use_donated(it: Interpreter, node: ir.AugmentedAssign, before: Value, value: Value) -> None:
    if it.frame.state.donated:
        donated_uses.use(it, before, node.target)
        donated_uses.use(it, value, node.value)


def _in_place(it: Interpreter, before: Value, value: Value, node: ir.AugmentedAssign) -> Value:
    """`items += more` extends a list where it stands."""
    cell = it.cell(before) if isinstance(before, Object) else None
    if not isinstance(cell, ListCell) or node.op != "+":
        return arithmetic.augmented(it, node.op, before, value, node.target)
    exact = iteration.exact_elements(it, value)
    more = join_all(exact) if exact else iteration.element(it, value, node.at)
    element = more if cell.elements == () else join(cell.element, more)
    both = (*cell.elements, *exact) if cell.elements is not None and exact is not None else None
    if isinstance(before, Object):
        it.update(before, ListCell(cell.birth, both, element))
    declared = it.frame.scope.globals | it.frame.scope.nonlocals
    if not (isinstance(node.target, ir.Name) and node.target.id in declared):  # the store of the name says it all
        _tell_mutation(it, before, node.target, "+=", it.operand(value, node.value))
    return before
