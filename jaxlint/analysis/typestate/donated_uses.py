"""Uses of donated buffers: where the contents of a value are needed that an earlier call has taken.

Under-approximates: a value is known by its identity, so an array that shares a buffer with a donated one without being
the same value is not seen, nor is a use inside a trace or by code that cannot be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import AttributeOf, Each, Ident, Index, Item
from jaxlint.analysis.domain.state import Donation, Step
from jaxlint.analysis.domain.values import (
    Array,
    Key,
    Leaves,
    ListCell,
    Object,
    Static,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    ident_of,
)
from jaxlint.analysis.events.compilation import DonatedUse
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.machine.path_conditions import exclusive
from jaxlint.analysis.machine.tables import Table, memoised
from jaxlint.analysis.machine.tree_leaves import leaves_of
from jaxlint.analysis.typestate.key_causes import divergence
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter


@dataclass(slots=True)
class _Reported(Table):
    """The uses that rules were told of: what was given away where, and the operation that needs it."""

    uses: set[tuple[Ident, Step, Place]] = field(default_factory=set)


def use(it: Interpreter, value: Value, node: ir.Expr, *, part: bool = False) -> None:
    """The contents of a value are needed here, where it, or what it is a part of, is written."""
    frame = it.frame
    if frame.caveats.may_be_deleted:
        return
    if frame.trace is not None:
        return  # arguments of a trace are other values there; a closed-over one may have been compiled in before
    found = _lookup(it, value, node)
    if found is None or not it.wants(DonatedUse):
        return
    ident = found.ident
    chain, conditions = frame.chain(node.at), frame.all_conditions()
    for earlier in found.donations:
        if exclusive(earlier.conditions, conditions) or _of_another_pass(it, ident, earlier, chain):
            continue
        _report(it, found, earlier, _Use(value, node, divergence(earlier.chain, chain), part))
        return


class _Use(NamedTuple):
    """What is needed, where it is written, and the last step there that knows of both the donation and the need."""

    value: Value
    node: ir.Expr
    step: Step
    is_part: bool


def _report(it: Interpreter, found: _Found, earlier: Donation, need: _Use) -> None:
    """Tell the rules, once for an operation: where the donation and the need part ways is what is wrong."""
    frame, place, inner = it.frame, Place(it.frame.path, need.node.at), None
    at, written = need.node.at, need.node.at
    outer = next((caller for caller in frame.callers() if caller.serial == need.step.frame), frame)
    if outer is not frame and outer not in _enclosing(frame):
        frame, inner, at = outer, place, need.step.at
        written = _argument(it, frame, at, found.ident)
    reported = it.tables[_Reported].uses
    known = (found.ident, earlier.chain[-1], Place(frame.path, written))
    if known in reported:
        return
    reported.add(known)
    is_told = inner is None or written != at  # else the call reads it out of sight, under a name of its own
    operand = Operand(need.value, frame, written) if is_told else Operand(need.value, it.frame, need.node.at)
    sure = found.sure and earlier.sure
    it.emit(DonatedUse(frame, written, operand, earlier, sure, False, inner, need.is_part))


def _enclosing(frame: Frame) -> Iterator[Frame]:
    """The invocations of the functions in which the code of this one stands: it knows their names."""
    around = frame.closure
    while around is not None:
        yield around
        around = around.closure


def _argument(it: Interpreter, frame: Frame, at: int, ident: Ident) -> int:
    """The argument of the call at this node that holds the value; the call itself where that is not seen."""
    call = _call_at(it, frame.body, at)
    given = () if call is None else (*call.args, *(value for _, value in call.keywords))
    for argument in given:
        for name in (node.id for node in walks.nodes(argument) if isinstance(node, ir.Name)):
            value = frame.state.env.get(name)
            if value is not None and any(ident_of(a) == ident for leaf in leaves_of(it, value) for a in atoms_of(leaf)):
                return argument.at
    return at


@memoised
def _call_at(it: Interpreter, body: ir.Block, at: int) -> ir.Call | None:
    return next((node for node in walks.nodes(body) if isinstance(node, ir.Call) and node.at == at), None)


def use_array(it: Interpreter, value: Value, node: ir.Expr) -> None:
    """The contents are needed if this is an array; of a container of arrays they are not."""
    if all(isinstance(atom, Array | Key) for atom in atoms_of(value)):
        use(it, value, node)


def use_leaves(it: Interpreter, value: Value, node: ir.Expr) -> None:
    """The contents of all arrays in a tree are needed."""
    written = node.elements if isinstance(node, ir.SequenceDisplay) else ()
    elements = value.elements if isinstance(value, Tuple) else _elements(it, value)
    if written and elements is not None and len(written) == len(elements):
        for element, its_node in zip(elements, written):
            use_leaves(it, element, its_node)
        return
    for leaf in leaves_of(it, value):
        use(it, leaf, node, part=leaf is not value)


def _elements(it: Interpreter, value: Value) -> tuple[Value, ...] | None:
    cell = it.held(value.oid) if isinstance(value, Object) else None
    return cell.elements if isinstance(cell, ListCell) else None


class _Found(NamedTuple):
    """A donated value: the identity under which it was given away, by which calls, and whether it is no other one."""

    ident: Ident
    donations: tuple[Donation, ...]
    sure: bool


def _lookup(it: Interpreter, value: Value, node: ir.Expr | None) -> _Found | None:
    """How the value was given away; None where it was not, or where it may be another one that was not."""
    found: _Found | None = None
    atoms = [atom for atom in atoms_of(value) if not isinstance(atom, Static)]
    for atom in atoms:
        ident = _given_away(it, atom.ident, node) if isinstance(atom, Unknown | Leaves | Array | Key) else None
        if ident is None:
            return None
        sure = value is atom and not isinstance(atom, Unknown)
        found = _Found(ident, it.frame.state.donated[ident], sure)
    return found


def _given_away(it: Interpreter, ident: Ident, node: ir.Expr | None) -> Ident | None:
    """The donated value that this one is or is a part of; what was computed from an array before lives on."""
    if ident in it.frame.state.donated:
        return ident
    match ident:
        case AttributeOf(base=base, name=name) if it.api.array_member(name) is None:
            return _given_away(it, base, node.base if isinstance(node, ir.Attribute) else None)
        case Item(base=base) if isinstance(node, ir.Subscript):
            return _given_away(it, base, node.base)  # of an array or of a tree: looked up only now, it is gone
        case _:
            return None


def _of_another_pass(it: Interpreter, ident: Ident, earlier: Donation, chain: tuple[Step, ...]) -> bool:
    """Whether the two are never met by one value: elements of different walks, or a test that holds in one pass."""
    if earlier.chain == chain:
        return any(c.constant is not None and c.outcome for c in earlier.conditions)
    if not _is_walked(ident):
        return False
    here = it.frame.all_iterations()
    depth = min(len(here), len(earlier.iteration))
    shared = sum(a.frame == b.frame for a, b in zip(earlier.chain, chain))
    return shared < min(len(earlier.chain), len(chain)) or earlier.iteration[:depth] != here[:depth]


def walk(it: Interpreter, tree: Value, leaf: Value) -> None:
    """A walk over a tree meets this leaf: donated, if all leaves are."""
    found = [_lookup(it, part, None) for part in leaves_of(it, tree)]
    if leaf.__class__ in (Unknown, Array, Leaves, Key) and found and found[0] is not None and None not in found:
        it.frame.state.donated[leaf.ident] = found[0].donations


def _is_walked(ident: Index) -> bool:
    """An element that a loop met: the same walk over a generator meets other ones the next time."""
    return isinstance(ident, Each) or (isinstance(ident, tuple) and any(map(_is_walked, ident)))


def matters(it: Interpreter, values: Iterable[Value]) -> bool:
    """Whether anything donated can be reached from these values: what a call does with it must be looked at."""
    return any(_lookup(it, leaf, None) is not None for value in values for leaf in leaves_of(it, value))
