"""Transfer functions of statements: each interprets one and says whether control comes out behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.values import (
    CONTAINERS,
    UNKNOWN,
    Key,
    Level,
    Made,
    Member,
    Object,
    Qualified,
    Unknown,
    Update,
    Value,
    atoms_of,
)
from jaxlint.analysis.events.arrays import Discarded
from jaxlint.analysis.machine import path_values
from jaxlint.analysis.machine.dependencies import sides_excluded
from jaxlint.analysis.machine.path_conditions import of_types, outcomes_of
from jaxlint.analysis.machine.run_facts import Callees, StarImports
from jaxlint.analysis.python import (
    classes,
    context_managers,
    exceptions,
    functions,
    held_values,
    import_fallbacks,
    library_uses,
    loops,
    match_statement,
    narrowing,
    scopes,
    stores,
    truth,
)
from jaxlint.analysis.source import memos
from jaxlint.analysis.source.test_context import expects_error
from jaxlint.analysis.typestate import key_threading, notebook_timing, start_up
from jaxlint.syntax import ir
from jaxlint.syntax.clocks import Clock

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Caveats
    from jaxlint.analysis.domain.state import Condition
    from jaxlint.analysis.machine.interpreter import Interpreter


def _expression(it: Interpreter, node: ir.ExpressionStatement) -> bool:
    call = node.value
    if isinstance(call, ir.Constant):
        return True
    it.eval(call)
    if isinstance(call, ir.Call) and it.wants(Discarded) and not it.frame.trying:
        _discard(it, call)
    return True


def _discard(it: Interpreter, call: ir.Call) -> None:
    """Tell the rules which method's or function's result is thrown away."""
    callee = it.tables[Callees].by_call.get((it.frame.path, call.at))
    if isinstance(callee, Member) and isinstance(call.func, ir.Attribute):
        receiver = callee.receiver.array if isinstance(callee.receiver, Update) else callee.receiver
        method = f"at.{callee.name}" if isinstance(callee.receiver, Update) else callee.name
        operand = it.operand(receiver, call.func.base)
        given = "updates" if _gives_updates(it, receiver, method, call) else ""
        if isinstance(receiver, Made) and not given:
            it.works(call.at, Discarded)
        it.emit(Discarded(it.frame, call.at, call, method, operand, "", _gives_array(it, callee.name), given))
    elif isinstance(callee, Qualified):
        name = it.api.canonical(callee.name)
        row = it.api.function(name)
        pure = it.api.has(name, "result-only") and row is not None and row.returns.head == "array" and bool(call.args)
        pure = pure and it.frame.kind != "module"  # a script made of cells shows its last expression
        given = "parameters" if it.api.has(name, "applies-updates") else ""
        it.emit(Discarded(it.frame, call.at, call, "", None, name, pure, given))
    elif isinstance(callee, Unknown) and isinstance(call.func, ir.Attribute) and _names_type(it, call):
        operand = it.operand(callee, call.func.base)
        it.emit(Discarded(it.frame, call.at, call, call.func.attr, operand, "", _gives_array(it, call.func.attr)))


def _gives_array(it: Interpreter, method: str) -> bool:
    """Whether there is no reason to call a method of an array other than the array that it gives."""
    row = it.api.array_member(method)
    is_pure = row is not None and row.kind == "method" and row.tracer == "traced" and row.returns.head == "array"
    return is_pure and not method.startswith("__") and not it.api.has(f"*.{method}", "to-device")


def _names_type(it: Interpreter, call: ir.Call) -> bool:
    """Whether the one argument of a call names a type of JAX's numbers, so that what is converted is an array."""
    if len(call.args) != 1 or not isinstance(call.args[0], ir.Attribute | ir.Name):
        return False
    given = it.eval(call.args[0])
    if not isinstance(given, Qualified) or not it.api.is_of(given.name, "core"):
        return False
    return shapes.dtype_class(given.name.rpartition(".")[2].rstrip("_")) in shapes.CLASSES


def _gives_updates(it: Interpreter, receiver: Value, method: str, call: ir.Call) -> bool:
    """Whether a method of a library's object gives updates of parameters, and does not make them itself.

    One that gives them needs a state beside the gradients: without that, an annotation is wrong about the object.
    """
    if isinstance(receiver, Made) and receiver.declared and _is_short(call):
        return False
    row = it.api.object_member(receiver.cls, method) if isinstance(receiver, Made) else None
    return row is not None and it.api.has(row.name, "applies-gradients") and row.call.returns.head == "tuple"


def _is_short(call: ir.Call) -> bool:
    """Whether a call has one argument at most."""
    spread = any(isinstance(each, ir.Starred) for each in call.args) or any(name is None for name, _ in call.keywords)
    return not spread and len(call.args) + len(call.keywords) < 2


def _assign(it: Interpreter, node: ir.Assign) -> bool:
    value = it.eval(node.value)
    for target in node.targets:
        stores.bind(it, target, value, node.value)
        if isinstance(target, ir.SequenceDisplay) and isinstance(value, Key):
            key_threading.not_advanced(it, target, node.value)
    return True


def _annotated_assign(it: Interpreter, node: ir.AnnotatedAssign) -> bool:
    from jaxlint.analysis.python.type_hints import annotated

    if it.frame.kind == "class" and isinstance(node.target, ir.Name):
        it.frame.state.env.setdefault("__annotations__", UNKNOWN)
    if it.frame.function is None:
        library_uses.annotation_made(it, node.annotation)
    if node.value is None:
        return True
    value = it.eval(node.value)
    if value.__class__ is Unknown:
        known = annotated(it, node.annotation, value)
        # What nobody sees may be a field's specifier: of a container that it declares, each object gets its own.
        held = [it.cell(atom) for atom in atoms_of(known) if isinstance(atom, Object)]
        is_of_each = it.frame.kind == "class" and any(isinstance(cell, CONTAINERS) for cell in held)
        value = value if is_of_each else known
    stores.bind(it, node.target, value, node.value)
    return True


def _augmented_assign(it: Interpreter, node: ir.AugmentedAssign) -> bool:
    stores.augment(it, node)
    return True


def _return(it: Interpreter, node: ir.Return) -> bool:
    from jaxlint.analysis.domain.values import NONE

    frame = it.frame
    value = NONE if node.value is None else it.eval(node.value)
    if frame.failed:
        return False
    if node.value is not None:
        key_threading.handed_back(it, value, node.value)
        if frame.trace is not None:
            it.library.returned(it, value, node.value)
    frame.flow.returns.append(value)
    frame.flow.exits.append(frame.state)
    return False


def _if(it: Interpreter, node: ir.If) -> bool:
    if _is_for_type_checkers(it, node.test):  # annotations need what it imports; what the other side binds is used
        started = it.frame.state.started
        arrives = it.block(node.body)
        it.frame.state.started = started  # a run imports nothing here
        return arrives and it.block(node.orelse)
    frame = it.frame
    memo = None if frame.trace is None or frame.function is None else memos.guard(it, node, frame.function)
    if memo is None or frame.function is None:
        return _decide(it, node)
    outer, place = frame.caveats.memo, (frame.path, frame.function.at, memo.name)
    frame.caveats = frame.caveats._replace(memo=outer if memo.is_rest else place)
    arrives = _decide(it, node)
    frame.caveats = frame.caveats._replace(memo=place if memo.is_rest else outer)
    return arrives


def _decide(it: Interpreter, node: ir.If) -> bool:
    outcome = truth.test(it, node.test, "elif" if node.is_elif else "if")
    before = it.frame.state
    if it.frame.failed:
        return False
    outcome = import_fallbacks.with_jax(it, node) if outcome is None else outcome
    if outcome is not None:
        with narrowing.on_path(it, node.test, outcomes_of(it, node.test).of(outcome)):
            narrowing.assume(it, node.test, outcome)
            return it.block(node.body if outcome else node.orelse)
    frame = it.frame
    holding = outcomes_of(it, node.test)
    impossible = sides_excluded(it, holding)
    narrowing_from = held_values.begin(it)
    asked: dict[bool, Caveats] = {}
    ways = [frame.flow.ways_out]
    after = None if impossible[0] else it.branch(before.fork(), lambda: _branch(it, node, True, holding.true, asked))
    ways.append(frame.flow.ways_out)
    other = None if impossible[1] else it.branch(before, lambda: _branch(it, node, False, holding.false, asked))
    held_values.end(it, narrowing_from, after, other)
    if (after is None) is not (other is None):
        # Only one way leads on: what it tells holds for the rest of the block.
        frame.conditions = (*frame.conditions, *holding.of(after is not None))
        if ways[0] == ways[1] if after is None else ways[1] == frame.flow.ways_out:
            frame.guards.update(condition.test for condition in holding.of(after is not None))
        frame.caveats = narrowing.divided(frame, holding.of(after is not None))
        frame.caveats = frame.caveats.asked_as(asked.get(after is not None, frame.caveats))
    arrives = it.resume(after, other)
    if after is not None and other is not None:
        path_values.remember_names(frame, after.env, other.env, holding)
    return arrives


def _is_for_type_checkers(it: Interpreter, test: ir.Expr) -> bool:
    match test:
        case ir.Name(id=name):
            value, expected = it.peek(name), "TYPE_CHECKING"
        case ir.Attribute(base=ir.Name(id=name), attr="TYPE_CHECKING"):
            value, expected = it.peek(name), ""
        case _:
            return False
    library, _, last = value.name.partition(".") if isinstance(value, Qualified) else ("", "", "")
    return library == "typing" and last == expected


def _branch(
    it: Interpreter, node: ir.If, outcome: bool, holding: tuple[Condition, ...], asked: dict[bool, Caveats]
) -> bool:
    """Interpret one side of a test: its conditions are on the path, and the names it tells about are narrowed.

    `asked` gets the caveats of that side, which may be for what is no tracer, or no array.
    """
    with narrowing.on_path(it, node.test, holding, undecided=True):
        if not narrowing.assume(it, node.test, outcome):
            return False
        asked[outcome] = it.frame.caveats
        return it.block(node.body if outcome else node.orelse)


def _with(it: Interpreter, node: ir.With) -> bool:
    entered = [context_managers.enter(it, item) for item in node.items]
    must_raise = any(expects_error(manager.name) for manager in entered)
    swallows = any(context_managers.swallows(it, manager) for manager in entered)
    before = it.frame.state.fork() if must_raise or swallows else None
    if it.frame.failed:
        return False
    with _context(it, entered, must_raise=must_raise, swallows=swallows):
        arrives = it.block(node.body)
    if arrives:
        context_managers.leave(it, entered)
    if before is None or (arrives and not must_raise):
        return arrives
    after = it.frame.state if arrives else None
    it.resume(before, after)  # the body was left somewhere on the way
    it.frame.state.keys, it.frame.state.donated = before.keys, before.donated
    return True


@contextmanager
def _context(
    it: Interpreter, entered: list[context_managers.Entered], *, must_raise: bool, swallows: bool
) -> Iterator[None]:
    frame = it.frame
    ambient, trace, caveats = frame.ambient, frame.trace, frame.caveats
    eager = any(context_managers.turns_compilation_off(it, manager) for manager in entered)
    frame.caveats = caveats._replace(eager=caveats.eager or eager, must_raise=caveats.must_raise or must_raise)
    if swallows:
        frame.caveats = frame.caveats._replace(catches=True, gives_up=False)
    if any(it.api.has(manager.name, "concrete-inside") for manager in entered):
        frame.ambient = Level.CONCRETE
    yield
    frame.ambient, frame.trace, frame.caveats = ambient, trace, caveats


def _raise(it: Interpreter, node: ir.Raise) -> bool:
    outer, it.frame.output = it.frame.output, "raise"
    it.eval_optional(node.exception)
    it.eval_optional(node.cause)
    it.frame.output = outer
    return False


def _assert(it: Interpreter, node: ir.Assert) -> bool:
    outcome = truth.test(it, node.test, "assert")
    if outcome is False:
        return False
    if outcome is None:
        holding = outcomes_of(it, node.test).true
        it.frame.conditions = (*it.frame.conditions, *of_types(holding))
        it.frame.guards.update(condition.test for condition in holding)
    return narrowing.assume(it, node.test, True)


def _delete(it: Interpreter, node: ir.Delete) -> bool:
    for target in node.targets:
        stores.delete(it, target)
    return True


def _jump(it: Interpreter, node: ir.Jump) -> bool:
    if it.frame.flow.loops:
        loop = it.frame.flow.loops[-1]
        (loop.breaks if node.kind == "break" else loop.continues).append(it.frame.state)
    return False


def _import(it: Interpreter, node: ir.Import) -> bool:
    library_uses.imported(it, node)
    for module in node.modules:
        it.module(module)
    start_up.imported(it, node.modules, node.at)
    for local, qualified in node.bindings:
        it.bind(local, it.resolve(qualified))
    return True


def _import_star(it: Interpreter, node: ir.ImportStar) -> bool:
    module = it.module(node.module)
    start_up.imported(it, (node.module,), node.at)
    if module is not None and module.frame is not None:
        names = module.frame.state.env
        public = scopes.listed_names(it, names)
        if public is None:
            public = frozenset(name for name in names if not name.startswith("_"))
        it.frame.state.env.update({name: value for name, value in names.items() if name in public})
    else:
        stars = it.tables[StarImports].by_path.setdefault(it.frame.path, [])
        if node.module not in stars:
            stars.append(node.module)
    return True


def _declaration(it: Interpreter, node: ir.ScopeDeclaration) -> bool:
    return True


def _function(it: Interpreter, node: ir.FunctionDefinition) -> bool:
    functions.define(it, node)
    return True


def _class(it: Interpreter, node: ir.ClassDefinition) -> bool:
    classes.define(it, node)
    return True


STATEMENTS: dict[type, Callable[[Interpreter, Any], bool]] = {
    ir.ExpressionStatement: _expression,
    ir.Assign: _assign,
    ir.AnnotatedAssign: _annotated_assign,
    ir.AugmentedAssign: _augmented_assign,
    ir.Return: _return,
    ir.If: _if,
    ir.While: loops.run_while,
    ir.For: loops.run_for,
    ir.With: _with,
    ir.Try: exceptions.run,
    ir.Raise: _raise,
    ir.Assert: _assert,
    ir.Delete: _delete,
    ir.Jump: _jump,
    ir.Import: _import,
    ir.ImportStar: _import_star,
    ir.ScopeDeclaration: _declaration,
    ir.FunctionDefinition: _function,
    ir.ClassDefinition: _class,
    ir.Match: match_statement.run,
    Clock: notebook_timing.run,
}
