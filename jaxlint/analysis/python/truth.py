"""Truth tests: what `if x` decides, and the event where deciding needs a traced value."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from jaxlint.analysis.domain.idents import OfFlag, StartsAs
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.sharding_values import PROCESS_TYPES
from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    BoundMethod,
    ClassValue,
    DictCell,
    FunctionValue,
    InstanceCell,
    Key,
    Leaves,
    Level,
    ListCell,
    ModuleValue,
    Object,
    Partial,
    Static,
    Transformed,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    has_no_value,
    ident_of,
    is_none,
    level_of,
)
from jaxlint.analysis.events.tracing import Branch
from jaxlint.analysis.machine import ended_paths
from jaxlint.analysis.machine.path_conditions import outcomes_of
from jaxlint.analysis.python import narrowing, special_methods, stale_reads
from jaxlint.analysis.source import container_use
from jaxlint.analysis.typestate import async_dispatch, static_numbers
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

_Result = TypeVar("_Result")


def partly_run(run: Callable[..., _Result]) -> Callable[..., _Result]:
    """For expressions of which not every part is evaluated: what would raise in one may never be reached."""

    @wraps(run)
    def unfailing(it: Interpreter, *rest: Any) -> _Result:
        frame, failed = it.frame, it.frame.failed
        result = run(it, *rest)
        frame.failed = failed
        return result

    return unfailing


def test(it: Interpreter, node: ir.Expr, keyword: str) -> bool | None:
    """The outcome of a test where it is known; an operand that needs a traced value is told to the rules."""
    match node:
        case ir.UnaryOperation(op="not"):
            outcome = test(it, node.operand, keyword)
            return None if outcome is None else not outcome
        case ir.BooleanOperation():
            return _boolean(it, node, keyword)
        case _:
            value = it.eval(node)
            need_truth(it, value, node, keyword)
            it.frame.tests += not it.is_traced_test(node.at)
            if value.__class__ is Static and ident_of(value) in it.facts.type_outcomes:
                it.facts.type_tests.add((it.frame.serial, node.at))
            if value.__class__ is Static and value.type in PROCESS_TYPES:
                it.facts.process_tests.add((it.frame.serial, node.at))
            return outcome_of(it, value)


@partly_run
def _boolean(it: Interpreter, node: ir.BooleanOperation, keyword: str) -> bool | None:
    """Operands from left to right, each seen only where the ones before let it be reached."""
    stops_at = node.op == "or"
    outcome: bool | None = not stops_at
    with narrowing.scratch(it), ExitStack() as path:
        for operand in node.operands:
            decided = test(it, operand, keyword)
            if decided is stops_at:
                return stops_at  # what an operand before decides, if anything, is the same
            if decided is None:
                outcome = None
                holding = outcomes_of(it, operand).of(not stops_at)
                path.enter_context(narrowing.on_path(it, operand, holding, undecided=True))
            if not narrowing.assume(it, operand, not stops_at):
                return stops_at
    return outcome


def need_truth(it: Interpreter, value: Value, node: ir.Expr, keyword: str) -> None:
    """`bool(value)` is taken here: tell the rules where that needs a traced value, and count what was known."""
    frame = it.frame
    special_methods.call(it, value, ("__bool__", "__len__"), node)
    atoms = atoms_of(value)
    if frame.state.clock is not None:
        async_dispatch.tested(it, value, node)
    it.facts.host_reads += any(level_of(atom) for atom in atoms)
    if any(has_no_value(atom) and _bool_raises(it, atom, node) for atom in atoms):
        it.decide("traced", node.at)
        it.facts.traced_tests.add((frame.serial, node.at))
        static_numbers.needed(it, value)
        operand = it.operand(value, node)
        ended_paths.end_if_caught(it, operand)
        if it.wants(Branch):
            it.emit(Branch(frame, node.at, operand, keyword))
        return
    it.works(node.at, Branch)
    if frame.trace is None:
        return
    stale_reads.note_truth(it, value, node.at)
    for atom in atoms:
        if atom.__class__ is Unknown:
            it.undecided(atom, node.at)
            return
    it.decide("static", node.at)


def _bool_raises(it: Interpreter, atom: Atom, node: ir.Expr) -> bool:
    if isinstance(atom, Leaves) and it.frame.function is not None:
        path = walks.dotted(node)
        return not atom.container and not (path and path in container_use.containers(it, it.frame.function))
    return isinstance(atom, (Array, Leaves, Key))


def surviving(value: Value, truthy: bool) -> Value:
    """An operand of `and` and `or` that ends the evaluation: `None or x` is never None, a traced tree is no array."""
    kept = [_tested(atom) for atom in atoms_of(value) if not (truthy and is_none(atom))]
    return join_all(kept) if kept else value


def _tested(atom: Atom) -> Atom:
    return replace(atom, container=True) if isinstance(atom, Leaves) and has_no_value(atom) else atom


def outcome_of(it: Interpreter, value: Value) -> bool | None:
    """The truth of a value where it is known while tracing."""
    outcomes = {_atom_outcome(it, atom) for atom in atoms_of(value)}
    return outcomes.pop() if len(outcomes) == 1 else None


def _atom_outcome(it: Interpreter, atom: Atom) -> bool | None:
    match atom:
        case Static():
            return _static_outcome(atom)
        case Tuple():
            return bool(atom.elements)
        case FunctionValue() | BoundMethod() | Partial() | Transformed() | ClassValue() | ModuleValue():
            return True
        case Object():
            return _cell_outcome(it, atom)
        case Array(level=Level.TRACED, shape=shape) if shape == (0,):
            return False
        case _:
            return None


def _static_outcome(value: Static) -> bool | None:
    match value.ident:
        case OfFlag(default=default):
            return default
        case StartsAs(number=number):
            return bool(number)
        case _:
            return bool(value.value) if value.known else None


def _cell_outcome(it: Interpreter, atom: Object) -> bool | None:
    match it.cell(atom):
        case ListCell(elements=elements) if elements is not None and not it.frame.flow.loops:
            return bool(elements)
        case DictCell(items=items, rest=None) if not it.frame.flow.loops:
            return bool(items)
        case InstanceCell(cls=cls) if not {"__bool__", "__len__"} & cls.namespace.keys() and not cls.bases:
            return True
        case _:
            return None
