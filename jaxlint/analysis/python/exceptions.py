"""`try` in the abstract: what handlers see, and those in traced code that decide while tracing, once and for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain.values import Member, Qualified, is_traced
from jaxlint.analysis.events.event import Event
from jaxlint.analysis.events.tracing import SwallowedError
from jaxlint.analysis.machine.run_facts import Callees, TracingErrors
from jaxlint.analysis.python import held_values, import_fallbacks, narrowing
from jaxlint.analysis.source import test_context
from jaxlint.syntax import ir, walks
from jaxlint.syntax.blocks import blocks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def run(it: Interpreter, node: ir.Try) -> bool:
    """A `try` statement; whether its end is reached."""
    frame = it.frame
    entry = frame.state.fork()
    caveats = frame.caveats
    expecting = [handler for handler in node.handlers if _expects_trace_error(it, handler)]
    if expecting:
        gives_up = (caveats.gives_up or not caveats.catches) and all(map(test_context.gives_up, expecting))
        frame.caveats = caveats._replace(catches=True, gives_up=gives_up)
    if any(handler.type is None or _exception_names(handler) & DELETED_ERRORS for handler in node.handlers):
        frame.caveats = frame.caveats._replace(may_be_deleted=True)
    caught = it.tables[TracingErrors].caught
    outer = caught.pop(frame.path, None)
    frame.trying, frame.expecting = frame.trying + 1, frame.expecting + bool(expecting)
    arrives = it.block(node.body)
    frame.trying, frame.expecting = frame.trying - 1, frame.expecting - bool(expecting)
    frame.caveats = caveats
    error = caught.pop(frame.path, None)
    passed = error if _goes_on(it, node, error) else None
    kept = outer or passed
    if kept is not None:
        caught[frame.path] = kept
    reached = frame.state.fork() if arrives else None
    ends = [frame.state if arrives and it.block(node.orelse) else None]
    for handler in node.handlers:
        # The body may have stopped anywhere: names as before or after it, keys as before, since the use that
        # failed drew nothing; nor did a call that failed take a buffer.
        it.resume(entry.fork(), reached)
        frame.state.keys, frame.state.donated = entry.keys.copy(), entry.donated.copy()
        if not _may_run(it, node.body, frozenset(_exception_names(handler))):
            continue
        if handler.name is not None:
            frame.state.env[handler.name] = it.unknown("an exception", handler.at)
        ends.append(frame.state if it.block(handler.body) else None)
    if not node.final:
        return it.resume(*ends)
    alive = it.resume(*ends)
    if not alive:
        frame.state = entry
    return it.block(node.final) and alive


def _may_run(it: Interpreter, body: ir.Block, caught: frozenset[str]) -> bool:
    """Whether a block may raise what a handler catches: narrows the name that is an array if it does not."""
    if caught == {"AttributeError"}:
        return _may_lack_attributes(it, body)
    return not import_fallbacks.never_runs(it, body, caught)


def _may_lack_attributes(it: Interpreter, body: ir.Block) -> bool:
    """Whether an attribute that code reads may be missing: narrows the name that is an array if it has it.

    Over-approximates: what is called may raise as well.
    """
    read = [node for node in walks.nodes(body) if isinstance(node, ir.Attribute)]
    of_arrays = [node for node in read if walks.dotted(node) and it.api.array_member(node.attr) is not None]
    others = [node for node in read if node.attr not in {each.attr for each in of_arrays}]
    if len({walks.dotted(node.base) for node in of_arrays}) != 1 or any(_is_data(it, node) for node in others):
        return True
    return narrowing.assume_no_array(it, of_arrays[0].base)


def _is_data(it: Interpreter, node: ir.Attribute) -> bool:
    """Whether an attribute is neither one of a library's module, nor one that a known object surely has."""
    is_library = isinstance(node.base, ir.Name) and isinstance(it.peek(node.base.id), Qualified)
    return not is_library and held_values.held(it, node) is None


#: Exceptions that the use of a donated array raises, depending on which code of JAX finds out.
DELETED_ERRORS = frozenset(
    {"RuntimeError", "JaxRuntimeError", "XlaRuntimeError", "ValueError", "Exception", "BaseException"}
)
#: Exceptions of Python and NumPy that no operation of JAX raises when the compiled function runs.
RUN_TIME_ERRORS = frozenset(
    {"ZeroDivisionError", "FloatingPointError", "OverflowError", "ArithmeticError", "LinAlgError"}
)


def _goes_on(it: Interpreter, node: ir.Try, error: Event | None) -> bool:
    """Whether a tracing error goes on behind a `try`; the rules are told of handlers in traced code that catch it.

    They are also told of those that wait for an error that never comes.
    """
    trace = it.frame.trace
    is_told = trace is not None and trace.runs_once and it.wants(SwallowedError)
    for handler in node.handlers:
        names = _exception_names(handler)
        awaited = names & RUN_TIME_ERRORS
        if awaited and is_told and not names & JAX_ERRORS and _is_compiled(it, node.body):
            others = bool(names - RUN_TIME_ERRORS)
            it.emit(SwallowedError(it.frame, handler.at, None, ", ".join(sorted(awaited)), others))
        if names and not names & TRACE_ERRORS:
            continue
        if _always_raises(handler.body):
            return True
        if error is not None and is_told and not names & JAX_ERRORS:
            it.emit(SwallowedError(it.frame, handler.at, error, ", ".join(sorted(names))))
        return False
    return True


def _always_raises(body: ir.Block) -> bool:
    """Whether all paths through a block raise."""
    return any(map(_raises, body)) and not any(map(_leaves, body))


def _raises(statement: ir.Stmt) -> bool:
    match statement:
        case ir.Raise():
            return True
        case ir.If(body=body, orelse=orelse):
            return _always_raises(body) and _always_raises(orelse)
        case ir.With(body=body):
            return _always_raises(body)
        case _:
            return False


def _leaves(statement: ir.Stmt) -> bool:
    """Whether a statement may leave the block around it in another way."""
    if isinstance(statement, ir.For | ir.While):
        return any(isinstance(each, ir.Return) for each in walks.statements((statement,)))
    is_exit = isinstance(statement, ir.Return | ir.Jump)
    return is_exit or any(_leaves(each) for block in blocks(statement) for each in block)


def _is_compiled(it: Interpreter, body: ir.Block) -> bool:
    """Whether code works on traced values and calls nothing but JAX, so that nothing in it fails in Python."""
    nodes = list(walks.nodes(body))
    callees = [it.tables[Callees].by_call.get((it.frame.path, node.at)) for node in nodes if isinstance(node, ir.Call)]
    if not all(isinstance(c, Member) or (isinstance(c, Qualified) and it.api.is_of(c.name, "core")) for c in callees):
        return False
    if any(_may_fail(it, node) for node in nodes):
        return False
    values = (it.frame.state.env.get(node.id) for node in nodes if isinstance(node, ir.Name))
    return any(value is not None and is_traced(value) for value in values)


def _may_fail(it: Interpreter, node: Any) -> bool:
    """Whether Python itself divides here, or raises to a power: `1 / x.shape[0]`."""
    match node:
        case ir.BinaryOperation(op=op, left=left, right=right):
            operands = [left, right]
        case ir.AugmentedAssign(op=op, target=left, value=right):
            operands = [left, right]
        case ir.BinaryChain(first=first, rest=rest):
            op, operands = rest[-1][0], [first, *(operand for _, operand in rest)]
        case _:
            return False
    is_harmless = isinstance(operands[-1], ir.Constant) and operands[-1].value not in (0, None) and op != "**"
    return op in _FAILING and not is_harmless and not any(_is_of_tracer(it, operand) for operand in operands)


#: Operators that raise ArithmeticError for some numbers of Python.
_FAILING: Final = frozenset({"/", "//", "%", "**"})
_STATIC_PARTS: Final = frozenset({"shape", "ndim", "size", "dtype", "itemsize", "nbytes"})


def _is_of_tracer(it: Interpreter, node: ir.Expr) -> bool:
    """Whether an expression computes with a traced value, and not with its shape alone."""
    match node:
        case ir.Name(id=name):
            value = it.frame.state.env.get(name)
            return value is not None and is_traced(value)
        case ir.Attribute(base=base, attr=attr):
            return attr not in _STATIC_PARTS and _is_of_tracer(it, base)
        case ir.Subscript(base=base):
            return _is_of_tracer(it, base)
        case ir.UnaryOperation(operand=operand):
            return _is_of_tracer(it, operand)
        case ir.BinaryOperation(left=left, right=right):
            return _is_of_tracer(it, left) or _is_of_tracer(it, right)
        case ir.Call(func=func, args=args):
            return any(_is_of_tracer(it, part) for part in (func, *args))
        case _:
            return False


def _exception_names(handler: ir.Handler) -> set[str]:
    nodes = handler.type.elements if isinstance(handler.type, ir.SequenceDisplay) else (handler.type,)
    return {
        node.id if isinstance(node, ir.Name) else node.attr
        for node in nodes
        if isinstance(node, ir.Name | ir.Attribute)
    }


#: Names of exceptions whose handlers catch what JAX raises for traced values.
TRACE_ERRORS = frozenset(
    {
        "Exception", "BaseException", "TypeError", "IndexError", "JAXTypeError", "JAXIndexError",
        "ConcretizationTypeError", "TracerBoolConversionError", "TracerArrayConversionError",
        "TracerIntegerConversionError", "NonConcreteBooleanIndexError", "UnexpectedTracerError",
    }
)  # fmt: skip


JAX_ERRORS = frozenset(
    name for name in TRACE_ERRORS if name.startswith(("JAX", "Concretization", "Tracer", "NonConcrete", "Unexpected"))
)


def _expects_trace_error(it: Interpreter, handler: ir.Handler) -> bool:
    if _always_raises(handler.body) and _raises_as_it_came(handler):
        return False
    match handler.type:
        case None:
            return True
        case ir.SequenceDisplay(elements=elements):
            return any(names_trace_error(element) for element in elements)
        case _:
            return names_trace_error(handler.type)


def goes_on(it: Interpreter, handler: ir.Handler) -> bool:
    """Whether a handler catches errors of tracing, and the code behind it runs."""
    return _expects_trace_error(it, handler) and not _always_raises(handler.body)


def _raises_as_it_came(handler: ir.Handler) -> bool:
    """Whether what a handler raises is what it caught."""
    last = handler.body[-1]
    if not isinstance(last, ir.Raise):
        return False
    raised = last.exception
    return raised is None or (isinstance(raised, ir.Name) and raised.id == handler.name)


def names_trace_error(node: ir.Expr) -> bool:
    """Whether an expression names an exception that catches what JAX raises for traced values."""
    return (isinstance(node, ir.Name) and node.id in TRACE_ERRORS) or (
        isinstance(node, ir.Attribute) and node.attr in TRACE_ERRORS
    )
