"""Transforms that run their functions at once: scan, cond, while_loop, vjp, tree.map ..."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis import calls, iteration, traced_calls
from jaxlint.analysis.application import Application, short_name, underlying
from jaxlint.analysis.events.effects import IteratorUse
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.frames import Trace
from jaxlint.analysis.lattice import join_all
from jaxlint.analysis.lifting import Lifting, at_level, settle
from jaxlint.analysis.statics import Statics
from jaxlint.analysis.values import (
    NONE,
    UNKNOWN,
    Arguments,
    Array,
    Iterable,
    Leaves,
    Level,
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

if TYPE_CHECKING:
    from jaxlint.analysis.interpreter import Interpreter
    from jaxlint.analysis.state import State
    from jaxlint.jaxapi.rows import TracedFunction, TransformRow
    from jaxlint.jaxapi.terms import Term
    from jaxlint.syntax import ir


#: Operands that are a loop's carry, by name.
_CARRIES = ("init", "init_val", "initial_guess", "y0", "x0", "b", "carry")


def run_now(it: Interpreter, row: TransformRow, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """scan, cond, while_loop, vjp ...: trace every function given with what it gets."""
    application = Application(row, name, UNKNOWN, arguments, Statics(), it.frame, node.at)
    operands = _operands(row, arguments)
    _tell_iterators(it, row, operands, arguments, node)
    results: list[Value] = []
    ends: list[State | None] = []
    for spec in row.functions:
        for target in _targets(it, spec, arguments):
            application.target = target
            trace = None if row.level == "inherit" else traced_calls.new_trace(it, name, row, target, it.frame, node.at)
            given = _given(it, row, spec, operands, arguments, application, trace, node)
            if trace is None:
                results.append(calls.dispatch(it, target, given, node))
            elif underlying(target) is not None or isinstance(target, Qualified | Transformed | Object):
                results.append(_branch(it, target, given, node, trace, ends))
    it.resume(*(ends or [it.frame.state]))
    return _call_outcome(it, row.result, row, operands, results, node, name)


def _branch(
    it: Interpreter, target: Value, given: Arguments, node: ir.Expr, trace: Trace, ends: list[State | None]
) -> Value:
    """Run one function of cond, switch, scan ...: key uses of one branch do not meet those of another."""
    before = it.frame.state
    it.frame.state = before.fork()
    result = traced_calls.invoke(it, target, given, node, trace)
    ends.append(it.frame.state)
    it.frame.state = before
    return result


def _tell_iterators(
    it: Interpreter,
    row: TransformRow,
    operands: dict[str, Value | list[Value] | None],
    arguments: Arguments,
    node: ir.Expr,
) -> None:
    """An iterator as operand of a structured loop: it is no pytree of arrays."""
    if row.level != "traced" or not it.wants(IteratorUse):
        return
    for operand in row.operands:
        value = operands.get(operand.name)
        if isinstance(value, Iterable) and (value.once or value.kind == "zip"):
            at = arguments.at(operand.position, operand.name)
            shown = Operand(value, it.frame, at if at >= 0 else node.at)
            it.emit(IteratorUse(it.frame, node.at, shown, short_name(row.name), value.birth))


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


def _first(operands: dict[str, Value | list[Value] | None], names: tuple[str, ...]) -> Value | None:
    for name in names:
        value = operands.get(name)
        if value is not None and not isinstance(value, list):
            return value
    return None


def _given(
    it: Interpreter,
    row: TransformRow,
    spec: TracedFunction,
    operands: dict[str, Value | list[Value] | None],
    arguments: Arguments,
    application: Application,
    trace: Trace | None,
    node: ir.Expr,
) -> Arguments:
    """The arguments that a call-form transform passes to one of its functions."""
    level = Level.GRAD if trace is None else traced_calls.LEVELS[row.level]
    names = traced_calls.parameter_names(it, application.target)
    given = Arguments()
    origin = Origin("default", "", it.frame.path, node.at, None) if trace is None else trace.origin
    owner = it.frame.serial if trace is None else trace.entry
    for number, term in enumerate(spec.traced):
        parameter = traced_calls.parameter_at(names, number)
        lift_origin = origin if trace is None else traced_calls.parameter_origin(application, parameter, origin)
        at = node.at if parameter is None else parameter.at
        given.positional.extend(_argument(it, row, term, operands, arguments, level, lift_origin, at, number, owner))
    given.positional_at = [-1] * len(given.positional)
    return given


def _argument(
    it: Interpreter,
    row: TransformRow,
    term: Term,
    operands: dict[str, Value | list[Value] | None],
    arguments: Arguments,
    level: Level,
    origin: Origin,
    at: int,
    number: int,
    owner: int,
) -> list[Value]:
    match term.head:
        case "carry":
            value = _first(operands, _CARRIES)
            return [Lifting(it, level, origin, at, owner, fresh_keys=True)(value if value is not None else UNKNOWN)]
        case "x" | "slice":
            value = _first(operands, ("xs", "elems", "x", "arr", "a"))
            if value is None:
                return [NONE if row.name.endswith("scan") and not arguments.extra else Leaves(level, origin)]
            return [Lifting(it, level, origin, at, owner, mapped=True)(value)]
        case "index":
            return [Array(level, "int32", (), False, origin)]
        case "scalar":
            return [Array(level, None, (), False, origin)]
        case "operands" | "all":
            rest = next((value for value in operands.values() if isinstance(value, list)), None)
            values = (
                rest
                if rest is not None
                else [v for v in operands.values() if v is not None and not isinstance(v, list)]
            )
            lifting = Lifting(it, level, origin, at, owner)
            if term.head == "all" and not operands:
                return []
            return [lifting(value) for value in values]
        case "arrays":
            return [
                Lifting(it, level, origin, at, owner, arrays_only=True)(value) for value in arguments.positional[1:]
            ]
        case "leaf":
            return [_leaf(it, operands, number)]
        case "refs":
            return [Ref(level, origin)]
        case "none":
            if row.level == "host":
                rest = next((value for value in operands.values() if isinstance(value, list)), [])
                return [Array(Level.HOST) for _ in rest]
            return [UNKNOWN]
        case _:
            return [Leaves(level, origin)]


def _leaf(it: Interpreter, operands: dict[str, Value | list[Value] | None], number: int) -> Value:
    """A leaf of the number-th tree of tree.map."""
    trees = [tree for value in operands.values() for tree in (value if isinstance(value, list) else [value])]
    tree = trees[number] if number < len(trees) else trees[0] if trees else None
    return UNKNOWN if tree is None else leaf_of(it, tree)


def leaf_of(it: Interpreter, tree: Value) -> Value:
    """Any leaf of a tree."""
    from jaxlint.analysis.trees import leaves

    return join_all([iteration.refresh(it, leaf) for leaf in leaves(it, tree)] or [UNKNOWN])


def _call_outcome(
    it: Interpreter,
    term: Term,
    row: TransformRow,
    operands: dict[str, Value | list[Value] | None],
    results: list[Value],
    node: ir.Expr,
    name: str,
) -> Value:
    """What a call-form transform returns."""
    last = results[-1] if results else it.unknown(f"a function given to `{short_name(name)}`", node.at)
    match term.head:
        case "tuple":
            return Tuple(tuple(_call_outcome(it, part, row, operands, results, node, name) for part in term.args))
        case "carry":
            carry = _first(operands, _CARRIES)
            out = last.elements[0] if row.result.head == "tuple" and isinstance(last, Tuple) and last.elements else last
            if row.result.head == "tuple" and not isinstance(last, Tuple):
                out = UNKNOWN if carry is None else carry
            return settle(it, out)
        case "stacked":
            is_scan = row.result.head == "tuple"
            if is_scan and isinstance(last, Tuple) and len(last.elements) == 2:
                return settle(it, last.elements[1], batched=True)
            return Leaves(it.frame.ambient) if is_scan else settle(it, last, batched=True)
        case "result":
            joined = join_all(results) if results else last
            return joined if row.level == "inherit" else settle(it, joined)
        case "like" | "gradient":
            value = operands.get(term.first) or next(iter(operands.values()), None)
            tree = value if value is not None and not isinstance(value, list) else UNKNOWN
            return at_level(it, tree, it.frame.ambient, None)
        case "abstract":
            return Static(type="ShapeDtypeStruct")
        case "leaves":
            return settle(it, last, arrays=False)
        case "none":
            return NONE
        case "declared":
            return Leaves(it.frame.ambient, None, it.ident(node.at))
        case "list":
            return Iterable("tuple", Leaves(it.frame.ambient))
        case _:
            return it.unknown(f"result of `{short_name(name)}`", node.at)
