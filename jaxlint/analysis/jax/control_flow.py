"""Transforms that run their functions at once: scan, cond, while_loop, vjp, tree.map ..."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.application import Application, Statics, short_name, underlying
from jaxlint.analysis.domain.frames import Outside, Trace
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import (
    NONE,
    UNKNOWN,
    Arguments,
    Array,
    Atom,
    Iterable,
    Key,
    Leaves,
    Level,
    Made,
    Object,
    Origin,
    Partial,
    Qualified,
    Ref,
    Shape,
    Transformed,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    has_no_value,
    level_of,
    origin_of,
)
from jaxlint.analysis.events.effects import IteratorUse
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.tracing import ShapeArgument
from jaxlint.analysis.jax import (
    branch_conditions,
    differentiation,
    eager_loops,
    function_arguments,
    leaf_types,
    loop_contracts,
    optimizers,
    stated_shapes,
    traced_calls,
)
from jaxlint.analysis.jax.loop_carries import Carry
from jaxlint.analysis.jax.results import MADE_FUNCTION
from jaxlint.analysis.machine.ended_paths import is_failure
from jaxlint.analysis.machine.levels import Destination, Lifting, at_least, at_level, evidence, out_of_loop, settle
from jaxlint.analysis.machine.tree_maps import map_leaves
from jaxlint.analysis.python import iteration, stale_reads
from jaxlint.analysis.typestate import async_dispatch, static_numbers

if TYPE_CHECKING:
    from jaxlint.analysis.domain.state import State
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.machine.semantics import Handler
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
    carry: Carry | None = None  # of the function that is called now, where it is the body of a loop
    traces: list[Trace | None] = field(default_factory=list)  # one for each result

    @property
    def trace(self) -> Trace | None:
        """The trace of the last function, whose result counts."""
        return self.traces[-1] if self.traces else None

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
    if it.api.has(name, "repeats"):
        eager_loops.structured_loop(it)
    if it.api.has(name, "registers"):
        it.facts.registrations.add((it.frame.path, node.at))
    run = _Run(row, name, stated_shapes.given(it, name, _operands(row, arguments)), arguments, node)
    _tell_iterators(it, run)
    _tell_length(it, run)
    if not traced_calls.runs_eagerly(it, row):
        _check_operands(it, run, application)
    results: list[Value] = []
    ends: list[State | None] = []
    before = async_dispatch.counts(it)
    ran: list[loop_contracts.Ran] = []
    in_pairs = function_arguments.is_in_pairs(it, name, arguments)
    is_old = len(arguments.positional) == 5 and _is_function(arguments.positional[4])
    for spec in row.functions:
        for number, target in enumerate(list(_targets(it, spec, arguments))):
            application.target = target
            is_traced = row.level != "inherit" and not traced_calls.runs_eagerly(it, row)
            trace = None if not is_traced else traced_calls.new_trace(it, name, row, target, it.frame, node.at)
            is_untaken = not is_old and branch_conditions.is_untaken(it, row, spec, number, arguments)
            if trace is not None:
                trace.is_untaken = is_untaken
            run.carry = None
            given = _given(it, run, spec, application, trace)
            results.append(it.unknown(f"a function given to `{short_name(name)}`", node.at))
            run.traces.append(trace)
            if is_traced and not in_pairs and not loop_contracts.takes(it, row, target, given, node):
                continue
            if row.level == "inherit":
                results[-1] = it.call(target, given, node)
            elif _is_function(target):
                outer = it.frame.conditions
                holding = branch_conditions.of_branch(it, row, spec, number, node, is_old=is_old)
                it.frame.conditions = (*outer, *holding)
                results[-1] = _branch(it, target, given, run, trace, [] if is_untaken else ends)
                it.frame.conditions = outer
                ran.append(loop_contracts.Ran(spec, target, given, results[-1]))
                stale_reads.called(it, trace, node.at)
    it.resume(*(ends or [it.frame.state]))
    raised = next(filter(is_failure, results), None)
    if raised is not None and run.trace is not None and it.api.has(name, "repeats"):
        return raised  # however few passes there are, the body is traced
    if not in_pairs:
        loop_contracts.check(it, row, ran, node)
    body = underlying(application.target) if it.api.has(name, "repeats") else None
    async_dispatch.transformed(it, application, node.at, before, 0 if body is None else body.made)
    outcome = _outcome(it, run, row.result, results)
    if results and any(part.head == "pullback" for part in row.result.args):
        differentiation.pullback_made(it, application, run.trace, results[-1], outcome)
    return out_of_loop(it, outcome, f"`{short_name(name)}`", node.at) if _is_while(it, run) else outcome


def _is_while(it: Interpreter, run: _Run) -> bool:
    """Whether a loop runs until something traced says so: its derivative cannot be taken backwards."""
    if not it.api.has(run.name, "counts-passes"):
        return it.api.has(run.name, "tests-passes")
    bounds = (run.operands.get("lower"), run.operands.get("upper"))
    return any(has_no_value(atom) for each in bounds if isinstance(each, Array | Leaves) for atom in atoms_of(each))


def _is_function(target: Value) -> bool:
    return underlying(target) is not None or isinstance(target, Qualified | Transformed | Object)


def _branch(
    it: Interpreter, target: Value, given: Arguments, run: _Run, trace: Trace | None, ends: list[State | None]
) -> Value:
    """Run one function of cond, switch, scan ...: key uses of one branch do not meet those of another."""
    before, node = it.frame.state, run.node
    it.frame.state = before.fork()
    result = it.call(target, given, node) if trace is None else traced_calls.invoke(it, target, given, node, trace)
    if trace is not None:
        optimizers.finished(it, trace, result)
    if run.carry is not None and trace is not None:
        result = _advanced(it, run, run.carry, result, trace)
    ends.append(it.frame.state)
    it.frame.state = before
    return result


def _advanced(it: Interpreter, run: _Run, carry: Carry, result: Value, trace: Trace) -> Value:
    """What a loop's body returned, with the keys of its carry as they are after the loop."""
    if run.row.result.head == "tuple" and isinstance(result, Tuple) and len(result.elements) == 2:
        first = carry.advance(result.elements[0], trace, run.node.at)
        return replace(result, elements=(first, result.elements[1]))
    return carry.advance(result, trace, run.node.at)


def _tell_iterators(it: Interpreter, run: _Run) -> None:
    """An iterator as operand of a structured loop is no pytree of arrays: tell the rules, and forget what it is."""
    if run.row.level != "traced" or not it.wants(IteratorUse):
        return
    for operand in run.row.operands:
        value = run.operands.get(operand.name)
        if isinstance(value, Iterable) and (value.once or value.kind == "zip"):
            at = run.arguments.at(operand.position, operand.name)
            shown = Operand(value, it.frame, at if at >= 0 else run.node.at)
            it.emit(IteratorUse(it.frame, run.node.at, shown, short_name(run.row.name), value.birth))
            run.operands[operand.name] = it.unknown("an iterator", shown.at)


def _check_operands(it: Interpreter, run: _Run, application: Application) -> None:
    """Tell the rules of operands that JAX cannot trace, and forget what they are."""
    functions = [target for spec in run.row.functions for target in _targets(it, spec, run.arguments)]
    if it.api.has(run.name, "branches") and not all(map(_is_function, functions)):
        return  # it may be the old form of `cond`, where each branch has its own operand
    for operand in run.row.operands:
        value = run.operands.get(operand.name)
        if isinstance(value, list):
            written = run.arguments.positional_at[operand.position :] or [run.node.at] * len(value)
            refused = [_is_refused(it, application, *given, operand.name) for given in zip(value, written)]
            run.operands[operand.name] = [UNKNOWN if no else given for given, no in zip(value, refused)]
        elif value is not None:
            at = run.arguments.at(operand.position, operand.name)
            if _is_refused(it, application, value, at, operand.name):
                run.operands[operand.name] = UNKNOWN


def _is_refused(it: Interpreter, application: Application, value: Value, at: int, name: str) -> bool:
    """Whether an operand surely cannot be traced; of iterators, the rules are told elsewhere."""
    if at < 0 or isinstance(value, Iterable):
        return False
    return leaf_types.check_argument(it, application, Operand(value, it.frame, at), name)


def _tell_length(it: Interpreter, run: _Run) -> None:
    """The number of a scan's passes must be known while tracing."""
    length = run.arguments.get(3, "length") if run.row.name.endswith(".scan") else None
    if length is not None and any(has_no_value(atom) for atom in atoms_of(length)) and it.wants(ShapeArgument):
        static_numbers.needed(it, length)
        at = run.arguments.at(3, "length")
        operand = Operand(length, it.frame, at if at >= 0 else run.node.at)
        it.emit(ShapeArgument(it.frame, operand.at, operand, run.name, "length", concrete=False))


def _targets(it: Interpreter, spec: TracedFunction, arguments: Arguments) -> Iterator[Value]:
    value = arguments.get(spec.position, spec.keyword)
    if value is None:
        return
    if not spec.is_list:
        yield from atoms_of(value)
        return
    known = iteration.exact_elements(it, value)
    any_of_them = () if known is not None else atoms_of(iteration.element(it, value, -1))
    yield from known or (target for target in any_of_them if not isinstance(target, Unknown))


def _operands(row: TransformRow, arguments: Arguments) -> dict[str, Value | list[Value] | None]:
    found: dict[str, Value | list[Value] | None] = {}
    for operand in row.operands:
        if operand.rest:
            alone = arguments.keywords.get(operand.name.removesuffix("s"))  # `cond(..., operand=x)`
            found[operand.name] = arguments.positional[operand.position :] if alone is None else [alone]
        else:
            found[operand.name] = arguments.get(operand.position, operand.name)
    return found


#: Terms that stand for whatever the operands of the call are, however many.
_PASSED_ON: Final = frozenset({"operands", "all", "arrays"})


def _given(
    it: Interpreter, run: _Run, spec: TracedFunction, application: Application, trace: Trace | None
) -> Arguments:
    """The arguments that a call-form transform passes to one of its functions."""
    eager = traced_calls.runs_eagerly(it, run.row)
    level = it.frame.ambient if eager else Level.GRAD if trace is None else traced_calls.LEVELS[run.row.level]
    names = traced_calls.parameter_names(it, application.target)
    at = run.node.at
    owner = it.frame.serial if trace is None else trace.entry
    given = Arguments(extra=run.arguments.extra and any(term.head in _PASSED_ON for term in spec.traced))
    for number, term in enumerate(spec.traced):
        parameter = traced_calls.parameter_at(names, number)
        if trace is None:
            origin = Origin("default", "", it.frame.path, at, None)
        else:
            origin = traced_calls.parameter_origin(application, parameter, trace.origin)
        outside = None if trace is None else trace.outside
        destination = Destination(level, origin, at if parameter is None else parameter.at, owner, outside)
        given.positional.extend(_arguments(it, run, term, number, destination))
    given.positional_at = [-1] * len(given.positional)
    return given


def _arguments(it: Interpreter, run: _Run, term: Term, number: int, destination: Destination) -> list[Value]:
    """The arguments that one term of the table stands for."""
    match term.head:
        case "operands" | "all":
            return list(map(Lifting(it, destination), _passed_on(it, run, term)))
        case "arrays":
            return list(map(Lifting(it, destination, arrays_only=True), run.arguments.positional[1:]))
        case "none":
            return [UNKNOWN]
        case "host":
            return [at_level(it, value, Level.HOST, None) for value in _on_host(run, term)]
        case "leaf":
            return [_leaf(it, run, number)]
        case _:
            return [_argument(it, run, term, destination)]


def _on_host(run: _Run, term: Term) -> list[Value]:
    """The operands that a callback gets as arrays of the host: the one of the term, or all."""
    if not term.args:
        return run.rest() or []
    value = run.first((term.first,))
    return [UNKNOWN] if value is None else [value]


def _passed_on(it: Interpreter, run: _Run, term: Term) -> list[Value]:
    """The operands that a function gets: those that `*args` took, or each part of the one at the term's position."""
    rest = run.rest()
    if rest is not None:
        return rest
    name = next((each.name for each in run.row.operands if term.args and str(each.position) == term.first), None)
    if name is None:
        return run.single()
    parts = run.first((name,))
    if parts is None:
        return []
    exact = iteration.exact_elements(it, parts)
    return [iteration.element(it, parts, run.node.at)] if exact is None else list(exact)


def _argument(it: Interpreter, run: _Run, term: Term, destination: Destination) -> Value:
    """The argument that a term stands for, of those that always stand for one."""
    level, origin = destination.level, destination.origin
    match term.head:
        case "carry":
            value = run.first(_CARRIES) or UNKNOWN
            given = Lifting(it, destination, fresh_keys=True)(value)
            if it.api.has(run.row.name, "repeats"):
                run.carry = Carry(it, value, given)
            return given
        case "x" | "slice":
            return _slice(it, run, destination)
        case "rows":  # several at once
            return Lifting(it, destination)(run.first(_SLICED) or UNKNOWN)
        case "index":
            return Array(level, "int32", (), False, origin)
        case "scalar":
            return Array(level, None, (), False, origin)
        case "refs":
            return Ref(level, origin, kernel=True)
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


def _outcome(  # noqa: PLR0911, PLR0912 - dispatches on terms
    it: Interpreter, run: _Run, term: Term, results: list[Value]
) -> Value:
    """What a call-form transform returns."""
    last = results[-1] if results else it.unknown(f"a function given to `{short_name(run.name)}`", run.node.at)
    match term.head:
        case "tuple":
            return Tuple(tuple(_outcome(it, run, part, results) for part in term.args))
        case "carry":
            return settle(it, _carried(it, run, last), run.trace)
        case "stacked":
            return _stacked(it, run, last)
        case "result":
            return _chosen(it, run, results or [last])
        case "tangent":
            return differentiation.tangent(it, _chosen(it, run, results or [last]))
        case "like" | "gradient":
            return _like_operand(it, run, term.first)
        case "abstract":
            return stated_shapes.types_of(it, last, run.node.at)
        case "pullback":
            return _pullback(it, run)
        case "function":  # it gives what the one that it was made of gives
            return Partial(Qualified(MADE_FUNCTION), (settle(it, last, run.trace, arrays=False),), {})
        case "leaves":
            return settle(it, last, run.trace, arrays=False)
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


def _pullback(it: Interpreter, run: _Run) -> Value:
    """The function that gives cotangents of the operands: traced ones where an operand or its argument is."""
    known = () if run.trace is None else run.trace.outside.values()
    level, origin = max((Outside(it.frame.ambient, None), *known), key=lambda each: each.level)
    operands = tuple(Leaves(level, origin, it.ident(run.node.at)) for _ in run.rest() or ())
    return Partial(Qualified(PULLBACK), (Tuple(operands),), {})


def _pulled_back(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    operands = arguments.first
    differentiation.pulled_back(it, operands, node)
    given = [atom for value in arguments.positional[1:] for atom in atoms_of(value)]
    parts = operands.elements if isinstance(operands, Tuple) else ()
    return Tuple(tuple(_with(it, part, given, node) for part in parts))


def _made_function(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A function that a transform made gives the tree of its results, traced where an argument is."""
    given = [atom for value in arguments.positional[1:] for atom in atoms_of(value)]
    levels = [level for atom in given if (level := level_of(atom)) is not None]
    level = max([it.frame.ambient, Level.CONCRETE, *levels])
    return at_level(it, arguments.first, level, evidence(it, given) if level >= Level.GRAD else None)


def _with(it: Interpreter, part: Value, given: list[Atom], node: ir.Expr) -> Value:
    atoms = [*atoms_of(part), *given]
    level = max(level_of(atom) or Level.HOST for atom in atoms)
    return Leaves(max(level, it.frame.ambient), evidence(it, atoms), it.ident(node.at))


def _stacked(it: Interpreter, run: _Run, last: Value) -> Value:
    """The results of all passes in one array: the second part of what a scan's body returns, else all of it."""
    if run.row.result.head != "tuple":
        return settle(it, last, run.trace, axes=_pass_axes(run))
    if isinstance(last, Tuple) and len(last.elements) == 2:
        return settle(it, last.elements[1], run.trace, axes=_pass_axes(run))
    return Leaves(it.frame.ambient)


def _pass_axes(run: _Run) -> Shape:
    """The axis of the passes, which comes first in what the functions of `lax` put together."""
    return (None,) if any(operand.name == "xs" for operand in run.row.operands) else None


def _like_operand(it: Interpreter, run: _Run, name: str) -> Value:
    """The tree of an operand, the first one where none has the name, with other leaves."""
    value = run.operands.get(name) or next(iter(run.operands.values()), None)
    tree = value if value is not None and not isinstance(value, list) else UNKNOWN
    return at_least(it, tree, max(it.frame.ambient, Level.CONCRETE))


def _chosen(it: Interpreter, run: _Run, results: list[Value]) -> Value:
    """What one of several functions gave; where a mapped value chooses, all are run and the result is mapped."""
    if run.row.level == "inherit":
        return join_all(results)
    joined = join_all([settle(it, result, trace) for result, trace in zip(results, run.traces or [None])])
    choice = run.first(("pred", "index"))
    mapped = next((atom for atom in atoms_of(choice or NONE) if level_of(atom) is Level.MAPPED), None)
    return joined if mapped is None else at_level(it, joined, Level.MAPPED, origin_of(mapped))


def _carried(it: Interpreter, run: _Run, last: Value) -> Value:
    """The carry that comes out: what the body returned, or its first part where it returns (carry, y).

    Where that is not known, it is like the one that went in, with other keys and arrays.
    """
    if run.row.result.head != "tuple":
        return last
    if isinstance(last, Tuple):
        return last.elements[0] if last.elements else last
    carry = run.first(_CARRIES)
    return UNKNOWN if carry is None else map_leaves(it, carry, lambda atom: _made_anew(it, atom, run.node.at))


def _made_anew(it: Interpreter, atom: Atom, at: int) -> Atom:
    return replace(atom, ident=it.ident(at)) if isinstance(atom, Array | Key | Leaves | Unknown) else atom


#: The function that `vjp` gives, bound to the leaves of its operands.
PULLBACK = "jaxlint.pullback"
SPECIAL: dict[str, Handler] = {PULLBACK: _pulled_back, MADE_FUNCTION: _made_function}
