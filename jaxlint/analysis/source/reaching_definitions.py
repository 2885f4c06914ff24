"""Where a name gets its value in the loops around, and what a call passes for a parameter: by the source alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain.values import Array, BoundMethod, FunctionValue, Key, Leaves, Made, Transformed, Unknown
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.file_nodes import nodes_of
from jaxlint.syntax import ir, walks
from jaxlint.syntax.blocks import blocks
from jaxlint.syntax.walks import target_names

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Pass
    from jaxlint.analysis.machine.interpreter import Interpreter


class Binding(NamedTuple):
    """A statement that binds a name; `always` where no test, inner loop or handler stands around it."""

    statement: ir.Assign | ir.AnnotatedAssign | ir.AugmentedAssign | ir.For
    value: ir.Expr | None  # what it is taken from
    always: bool


@memoised
def known_bindings(_: Interpreter, body: ir.Block, name: str) -> Sequence[Binding]:
    """The same as `bindings`, found once a run."""
    return list(bindings(body, name))


def bindings(body: ir.Block, name: str, *, always: bool = True) -> Iterator[Binding]:
    """The statements of one scope that bind a name, in source order."""
    for statement in body:
        match statement:
            case ir.Assign():
                targets = statement.targets
            case ir.AugmentedAssign() | ir.For() | ir.AnnotatedAssign():
                targets = (statement.target,)
            case _:
                targets = ()
        if isinstance(statement, ir.Assign | ir.AnnotatedAssign | ir.AugmentedAssign | ir.For):
            value = statement.iter if isinstance(statement, ir.For) else statement.value
            if any(name in target_names(target) for target in targets):
                yield Binding(statement, value, always)
        for block in blocks(statement):
            yield from bindings(block, name, always=always and isinstance(statement, ir.With))


@memoised
def unpacked_into(_: Interpreter, body: ir.Block, call: int) -> tuple[ir.Expr, ...] | None:
    """The targets that the results of a call are assigned to one by one; None if one of them takes a rest."""
    for part in walks.nodes(body):
        if isinstance(part, ir.Assign) and part.value.at == call and len(part.targets) == 1:
            target = part.targets[0]
            if isinstance(target, ir.SequenceDisplay):
                elements = target.elements
                return None if any(isinstance(each, ir.Starred) for each in elements) else elements
    return None


def argument_for(it: Interpreter, frame: Frame, name: str) -> ir.Expr | None:
    """What the call that made this frame passes for a parameter; None where that is not written in it."""
    caller, function = frame.caller, frame.function
    if caller is None or function is None or frame.is_open:
        return None
    callee = it.tables[Callees].by_call.get((caller.path, frame.call_at))
    bound = isinstance(callee, BoundMethod)
    target = callee.function if isinstance(callee, BoundMethod) else callee
    while isinstance(target, Transformed):
        target = target.application.target
    call = call_at(it, caller, frame.call_at)
    if call is None or not isinstance(target, FunctionValue) or target.function is not function:
        return None
    for keyword, value in call.keywords:
        if keyword == name:
            return value
    given = call.args
    number = next((i for i, p in enumerate(function.parameters) if p.name == name), len(given)) - bound
    if not 0 <= number < len(given) or any(isinstance(value, ir.Starred) for value in given[: number + 1]):
        return None
    return given[number]


def call_at(it: Interpreter, frame: Frame, at: int) -> ir.Call | None:
    """The call expression at a node of a frame."""
    return _calls_by_place(it, frame.module.source.module.body).get(at)


def call_in(it: Interpreter, path: str, at: int) -> ir.Call | None:
    """The call expression at a node of a file."""
    source = it.project.files.get(path)
    return None if source is None else _calls_by_place(it, source.module.body).get(at)


@memoised
def _calls_by_place(it: Interpreter, body: ir.Block) -> Mapping[int, ir.Call]:
    return {node.at: node for node in nodes_of(it, body, ir.Call)}


#: What is asked of data; a setting is asked for its name.
_OF_DATA = frozenset({"shape", "dtype", "ndim", "size", "T"})


def depends_on_pass(it: Interpreter, frame: Frame, at: int) -> bool:
    """Whether a call is made with settings that the loop around goes over, and not only with data of its shape."""
    call = call_at(it, frame, at)
    if call is None or not frame.passes:
        return False
    this = frame.passes[-1]
    changing = _changing(this)
    given = {name for part in walks.nodes(this.body) if _gives(part, at) for name in _stored_names(part)}
    calls = [call, *(part for part in walks.nodes(this.body) if isinstance(part, ir.Call) and _takes(part, given))]
    if any(not changing.isdisjoint(_settings((one.args, one.keywords))) for one in calls):
        return True
    if _is_run_by_an_object(it, call) and walks.dotted(call.func).partition(".")[0] in changing:
        return True
    chosen = (part for part in walks.nodes(this.body) if isinstance(part, ir.If))
    chosen_by_setting = (part for part in chosen if not changing.isdisjoint(_settings(part.test)))
    places = {one.at for one in calls}
    return any(not places.isdisjoint(walks.ordinals((part.body, part.orelse))) for part in chosen_by_setting)


def _is_run_by_an_object(it: Interpreter, call: ir.Call) -> bool:
    """Whether what a call names is a function or an object, `sampler.run(key)`, and no data."""
    value = it.peek(walks.dotted(call.func).partition(".")[0])
    return isinstance(value, Made) or not isinstance(value, Array | Leaves | Key | Unknown | None)


def is_of_pass(it: Interpreter, frame: Frame, at: int) -> bool:
    """Whether a call is made with data that each pass of the loop around has of its own, and the loop learns nothing.

    What a loop learns goes from one pass to the next: into the call, or into another one that gives it back.
    """
    call = call_at(it, frame, at)
    this = frame.passes[-1] if frame.passes else None
    if call is None or this is None or this.target is None:
        return False
    given, behind = (call.args, tuple(value for _, value in call.keywords)), _bound_behind(this, at)
    own = (_changing(this) - behind).union(target_names(this.target), _taken(this))
    read = {part.id for part in walks.nodes(given) if isinstance(part, ir.Name)}
    if own.isdisjoint(_settings(given)) or not (read - own).isdisjoint(behind):
        return False
    return not any(_goes_on(part) for part in walks.nodes(this.body) if isinstance(part, ir.Assign))


def names_carried(this: Pass) -> frozenset[str]:
    """What goes from one pass to the next through a call: `state = step(state, batch)`."""
    assigned = (part for part in walks.nodes(this.body) if isinstance(part, ir.Assign) and _goes_on(part))
    return frozenset(name for part in assigned for name in _stored_names(part) if name != "_")


def advances(this: Pass, call: int) -> bool:
    """Whether a call gives the next pass what it was given by the one before."""
    assigned = (part for part in walks.nodes(this.body) if isinstance(part, ir.Assign) and part.value.at == call)
    return any(_goes_on(part) for part in assigned)


def names_of_pass(this: Pass) -> frozenset[str]:
    """The names that a pass binds, those of its target included."""
    assigned = (part for part in walks.nodes(this.body) if isinstance(part, ir.Assign))
    target = () if this.target is None else target_names(this.target)
    return frozenset(target).union(name for part in assigned for name in _stored_names(part))


def names_learned(this: Pass) -> frozenset[str]:
    """What goes from one pass to the next, and what a pass makes of it."""
    learned = set(names_carried(this))
    for part in walks.nodes(this.body):
        if isinstance(part, ir.Assign) and not learned.isdisjoint(walks.names(part.value)):
            learned.update(_stored_names(part))
    return frozenset(learned)


def _taken(this: Pass) -> Iterator[str]:
    """The names that a pass binds to the next element of an iterator."""
    for part in walks.nodes(this.body):
        if (
            isinstance(part, ir.Assign)
            and isinstance(part.value, ir.Call)
            and walks.spelling(part.value.func) == "next"
        ):
            yield from _stored_names(part)


def _bound_behind(this: Pass, at: int) -> frozenset[str]:
    """The names that a pass binds to what it has computed by a node, or behind it."""
    assigned = (part for part in walks.nodes(this.body) if isinstance(part, ir.Assign))
    behind = (part for part in assigned if max(walks.ordinals(part.value), default=0) >= at)
    return frozenset(name for part in behind for name in _stored_names(part))


def _goes_on(part: ir.Assign) -> bool:
    """Whether a call is given what it gives the new value of: `state = step(state, batch)`."""
    if not isinstance(part.value, ir.Call):
        return False
    given = {argument.id for argument in part.value.args if isinstance(argument, ir.Name)}
    return not given.isdisjoint(_stored_names(part))


def _gives(part: Any, at: int) -> bool:
    """Whether an assignment takes its value from the call at a node."""
    return isinstance(part, ir.Assign) and at in walks.ordinals(part.value)


def _stored_names(part: ir.Assign) -> Iterator[str]:
    for target in part.targets:
        yield from target_names(target)


def _takes(call: ir.Call, names: set[str]) -> bool:
    return any(isinstance(argument, ir.Name) and argument.id in names for argument in call.args)


def _changing(this: Pass) -> frozenset[str]:
    """The names that a loop binds to what it goes over, and those that it makes of them."""
    names = set(target_names(this.target)) if this.target is not None else set()
    for part in walks.nodes(this.body):
        if isinstance(part, ir.Assign) and not names.isdisjoint(_settings(part.value)):
            names.update(_stored_names(part))
    return frozenset(names)


def _settings(node: Any) -> Iterator[str]:
    """The names in an expression, but for those of which only the shape or the like is wanted."""
    if isinstance(node, ir.Attribute) and node.attr in _OF_DATA:
        return
    if isinstance(node, ir.Name):
        yield node.id
    if isinstance(node, tuple):
        for part in node:
            yield from _settings(part)
