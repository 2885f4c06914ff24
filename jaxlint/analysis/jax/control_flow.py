"""Transforms that run their functions at once: scan, cond, while_loop, vjp, tree.map ..."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.application import Application, Statics, short_name, underlying
from jaxlint.analysis.domain.frames import Trace
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import (
    NONE,
    UNKNOWN,
    Arguments,
    Array,
    Iterable,
    Leaves,
    Level,
    Made,
    Object,
    Origin,
    Qualified,
    Ref,
    Static,
    Transformed,
    Tuple,
    Value,
    atoms_of,
)
from jaxlint.analysis.events.effects import IteratorUse
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.jax import traced_calls
from jaxlint.analysis.machine.levels import Destination, Lifting, at_level, settle
from jaxlint.analysis.python import iteration
from jaxlint.analysis.typestate import async_dispatch

if TYPE_CHECKING:
    from jaxlint.analysis.domain.state import State
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import TracedFunction, TransformRow
    from jaxlint.jaxapi.terms import Term
    from jaxlint.syntax import ir


#: Operands that are a loop's carry, by name.
_CARRIES = ("init", "init_val", "initial_guess", "y0", "x0", "b", "carry")
#: Operands that a loop takes apart, by name.
_SLICED = ("xs", "elems", "x", "arr", "a")


@dataclass(slots=True, eq=False)
class _Run:
    """One call of such a transform: its row and name, the operands by name, all arguments, and where."""

    row: TransformRow
    name: str
    operands: dict[str, Value | list[Value] | None]
    arguments: Arguments
    node: ir.Expr

    def first(self, names: tuple[str, ...]) -> Value | None:
        """The first of these operands that is given."""
        found = (self.operands.get(name) for name in names)
        return next((value for value in found if value is not None and not isinstance(value, list)), None)

    def rest(self) -> list[Value] | None:
        """The operands that the transform takes by `*args`."""
        return next((value for value in self.operands.values() if isinstance(value, list)), None)

    def single(self) -> list[Value]:
        """The operands that are given one by one."""
        return [value for value in self.operands.values() if value is not None and not isinstance(value, list)]


def run_now(it: Interpreter, row: TransformRow, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """scan, cond, while_loop, vjp ...: trace every function given with what it gets."""
    application = Application(row, name, UNKNOWN, arguments, Statics(), it.frame, node.at)
    run = _Run(row, name, _operands(row, arguments), arguments, node)
    _tell_iterators(it, run)
    results: list[Value] = []
    ends: list[State | None] = []
    before = it.facts.operations
    for spec in row.functions:
        for target in _targets(it, spec, arguments):
            application.target = target
            is_traced = row.level != "inherit" and not traced_calls.runs_eagerly(it, row)
            trace = None if not is_traced else traced_calls.new_trace(it, name, row, target, it.frame, node.at)
            given = _given(it, run, spec, application, trace)
            if row.level == "inherit":
                results.append(it.call(target, given, node))
            elif underlying(target) is not None or isinstance(target, Qualified | Transformed | Object):
                results.append(_branch(it, target, given, node, trace, ends))
    it.resume(*(ends or [it.frame.state]))
    async_dispatch.transformed(it, application, node.at, before)
    return _outcome(it, run, row.result, results)


def _branch(
    it: Interpreter, target: Value, given: Arguments, node: ir.Expr, trace: Trace | None, ends: list[State | None]
) -> Value:
    """Run one function of cond, switch, scan ...: key uses of one branch do not meet those of another."""
    before = it.frame.state
    it.frame.state = before.fork()
    result = it.call(target, given, node) if trace is None else traced_calls.invoke(it, target, given, node, trace)
    ends.append(it.frame.state)
    it.frame.state = before
    return result


def _tell_iterators(it: Interpreter, run: _Run) -> None:
    """An iterator as operand of a structured loop: it is no pytree of arrays."""
    if run.row.level != "traced" or not it.wants(IteratorUse):
        return
    for operand in run.row.operands:
        value = run.operands.get(operand.name)
        if isinstance(value, Iterable) and (value.once or value.kind == "zip"):
            at = run.arguments.at(operand.position, operand.name)
            shown = Operand(value, it.frame, at if at >= 0 else run.node.at)
            it.emit(IteratorUse(it.frame, run.node.at, shown, short_name(run.row.name), value.birth))


def _targets(it: Interpreter, spec: TracedFunction, arguments: Arguments) -> Iterator[Value]:
    value = arguments.get(spec.position, spec.keyword)
    if value is None:
        return
    if not spec.is_list:
        yield from atoms_of(value)
        return
    yield from iteration.exact_elements(it, value) or ()


def _operands(row: TransformRow, arguments: Arguments) -> dict[str, Value | list[Value] | None]:
    found: dict[str, Value | list[Value] | None] = {}
    for operand in row.operands:
        if operand.rest:
            found[operand.name] = arguments.positional[operand.position :]
        else:
            found[operand.name] = arguments.get(operand.position, operand.name)
    return found


def _given(
    it: Interpreter, run: _Run, spec: TracedFunction, application: Application, trace: Trace | None
) -> Arguments:
    """The arguments that a call-form transform passes to one of its functions."""
    eager = traced_calls.runs_eagerly(it, run.row)
    level = it.frame.ambient if eager else Level.GRAD if trace is None else traced_calls.LEVELS[run.row.level]
    names = traced_calls.parameter_names(it, application.target)
    at = run.node.at
    owner = it.frame.serial if trace is None else trace.entry
    given = Arguments()
    for number, term in enumerate(spec.traced):
        parameter = traced_calls.parameter_at(names, number)
        if trace is None:
            origin = Origin("default", "", it.frame.path, at, None)
        else:
            origin = traced_calls.parameter_origin(application, parameter, trace.origin)
        destination = Destination(level, origin, at if parameter is None else parameter.at, owner)
        given.positional.extend(_arguments(it, run, term, number, destination))
    given.positional_at = [-1] * len(given.positional)
    return given


def _arguments(it: Interpreter, run: _Run, term: Term, number: int, destination: Destination) -> list[Value]:
    """The arguments that one term of the table stands for."""
    match term.head:
        case "operands" | "all":
            rest = run.rest()
            return list(map(Lifting(it, destination), run.single() if rest is None else rest))
        case "arrays":
            return list(map(Lifting(it, destination, arrays_only=True), run.arguments.positional[1:]))
        case "none":
            return [Array(Level.HOST) for _ in run.rest() or ()] if run.row.level == "host" else [UNKNOWN]
        case "leaf":
            return [_leaf(it, run, number)]
        case _:
            return [_argument(it, run, term, destination)]


def _argument(it: Interpreter, run: _Run, term: Term, destination: Destination) -> Value:
    """The argument that a term stands for, of those that always stand for one."""
    level, origin = destination.level, destination.origin
    match term.head:
        case "carry":
            value = run.first(_CARRIES)
            return Lifting(it, destination, fresh_keys=True)(UNKNOWN if value is None else value)
        case "x" | "slice":
            return _slice(it, run, destination)
        case "index":
            return Array(level, "int32", (), False, origin)
        case "scalar":
            return Array(level, None, (), False, origin)
        case "refs":
            return Ref(level, origin)
        case _:
            return Leaves(level, origin)


def _slice(it: Interpreter, run: _Run, destination: Destination) -> Value:
    """One row of what a loop takes apart; None for a scan without `xs`."""
    value = run.first(_SLICED)
    if value is not None:
        return Lifting(it, destination, mapped=True)(value)
    no_xs = run.row.name.endswith("scan") and not run.arguments.extra
    return NONE if no_xs else Leaves(destination.level, destination.origin)


def _leaf(it: Interpreter, run: _Run, number: int) -> Value:
    """A leaf of the number-th tree of tree.map."""
    trees = [tree for value in run.operands.values() for tree in (value if isinstance(value, list) else [value])]
    tree = trees[number] if number < len(trees) else trees[0] if trees else None
    if tree is None:
        return UNKNOWN
    from jaxlint.analysis.jax.trees import leaves

    index = iteration.each(it, run.node.at)
    return join_all([iteration.refresh(it, leaf, index) for leaf in leaves(it, tree)] or [UNKNOWN])


def _outcome(it: Interpreter, run: _Run, term: Term, results: list[Value]) -> Value:  # noqa: PLR0911 - dispatches on terms
    """What a call-form transform returns."""
    last = results[-1] if results else it.unknown(f"a function given to `{short_name(run.name)}`", run.node.at)
    match term.head:
        case "tuple":
            return Tuple(tuple(_outcome(it, run, part, results) for part in term.args))
        case "carry":
            return settle(it, _carried(run, last))
        case "stacked":
            return _stacked(it, run, last)
        case "result":
            joined = join_all(results) if results else last
            return joined if run.row.level == "inherit" else settle(it, joined)
        case "like" | "gradient":
            return _like_operand(it, run, term.first)
        case "abstract":
            return Static(type="ShapeDtypeStruct")
        case "leaves":
            return settle(it, last, arrays=False)
        case "none":
            return NONE
        case "object" if term.args:
            return Made(it.ident(run.node.at), None, term.first, max(it.frame.ambient, Level.CONCRETE), None)
        case "declared":
            return Leaves(it.frame.ambient, None, it.ident(run.node.at))
        case "list":
            return Iterable("tuple", Leaves(it.frame.ambient))
        case _:
            return it.unknown(f"result of `{short_name(run.name)}`", run.node.at)


def _stacked(it: Interpreter, run: _Run, last: Value) -> Value:
    """The results of all passes in one array: the second part of what a scan's body returns, else all of it."""
    if run.row.result.head != "tuple":
        return settle(it, last, batched=True)
    if isinstance(last, Tuple) and len(last.elements) == 2:
        return settle(it, last.elements[1], batched=True)
    return Leaves(it.frame.ambient)


def _like_operand(it: Interpreter, run: _Run, name: str) -> Value:
    """The tree of an operand, the first one where none has the name, with other leaves."""
    value = run.operands.get(name) or next(iter(run.operands.values()), None)
    tree = value if value is not None and not isinstance(value, list) else UNKNOWN
    return at_level(it, tree, it.frame.ambient, None)


def _carried(run: _Run, last: Value) -> Value:
    """The carry that comes out: what the body returned, or its first part where it returns (carry, y)."""
    if run.row.result.head != "tuple":
        return last
    if isinstance(last, Tuple):
        return last.elements[0] if last.elements else last
    carry = run.first(_CARRIES)
    return UNKNOWN if carry is None else carry
