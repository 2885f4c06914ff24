"""A call inside a trace: the trace that a transform starts, and its function, run with lifted arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.application import Application, function_label, short_name, underlying
from jaxlint.analysis.domain.frames import Frame, Trace
from jaxlint.analysis.domain.values import (
    Arguments,
    BoundMethod,
    FunctionValue,
    Level,
    Object,
    Origin,
    Partial,
    Transformed,
    Value,
)
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python import functions, stale_reads
from jaxlint.syntax import ir, walks
from jaxlint.syntax.ir import Parameter, ParameterKind

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import TransformRow


#: The level that the arguments of a transform of each kind get.
LEVELS = {
    "traced": Level.TRACED,
    "mapped": Level.MAPPED,
    "grad": Level.GRAD,
    "refs": Level.TRACED,
    "scope": Level.TRACED,
    "host": Level.HOST,
}


def runs_eagerly(it: Interpreter, row: TransformRow) -> bool:
    """Whether compilation is off, so that what compiles a function runs it as it is."""
    return it.frame.caveats.eager and row.level == "traced" and not row.is_abstract


def new_trace(it: Interpreter, name: str, row: TransformRow, target: Value, frame: Frame, at: int) -> Trace:
    """The trace that a transform starts around its function."""
    outer = it.frame
    level = LEVELS[row.level]
    function = underlying(target)
    label = "a function" if function is None else function_label(function)
    origin = Origin("trace", f"{label} is traced by `{short_name(name)}` here", frame.path, at, None)
    ambient = Level.TRACED if level is Level.TRACED else outer.ambient
    trace = Trace(name, level, ambient, origin, it.fresh(), label, outer.trace)
    trace.is_abstract, trace.is_scope = row.is_abstract, row.level == "scope"
    trace.is_branch = it.api.has(name, "branches")
    trace.kept_by = stale_reads.keeper(it, name, target, None)
    trace.merges_objects = it.api.has(name, "merges-objects")
    return trace


def invoke(it: Interpreter, target: Value, arguments: Arguments, node: ir.Expr, trace: Trace) -> Value:
    """Call the traced function inside its trace."""
    match target:
        case FunctionValue():
            return functions.call(it, target, arguments, node.at, trace)
        case BoundMethod():
            return invoke(it, target.function, arguments.before((target.receiver,), {}), node, trace)
        case Partial():
            return invoke(it, target.function, arguments.before(target.args, target.keywords), node, trace)
        case Object():
            method = it.attribute(target, "__call__", node.at)
            if isinstance(method, BoundMethod):
                return invoke(it, method, arguments, node, trace)
        case _:
            pass
    with Inside(it, trace, node.at):
        return it.call(target, arguments, node)


class Inside:
    """A frame of its own for a trace around something that is no project function."""

    def __init__(self, it: Interpreter, trace: Trace, at: int) -> None:
        self.it, self.outer = it, it.frame
        outer = it.frame
        is_callback = trace.level is Level.HOST
        self.frame = Frame(
            outer.module, outer.scope, it.fresh(), outer.state, closure=outer.closure, caller=outer, call_at=at,
            ambient=Level.CONCRETE if is_callback else trace.ambient, trace=None if is_callback else trace,
            depth=outer.depth + 1, qualname=outer.qualname, cls=outer.cls, function=None, caveats=outer.caveats,
        )  # fmt: skip

    def __enter__(self) -> None:
        self.it.frame = self.frame

    def __exit__(self, *_: object) -> None:
        self.it.frame = self.outer
        self.outer.state = self.frame.state


def parameter_names(it: Interpreter, target: Value) -> list[Parameter]:
    """The parameters that a call of the target still takes, in order."""
    match target:
        case FunctionValue():
            return list(target.function.parameters)
        case BoundMethod():
            return parameter_names(it, target.function)[1:]
        case Partial():
            return _left(parameter_names(it, target.function)[len(target.args) :], target.keywords)
        case Transformed():
            return parameter_names(it, target.application.target)
        case Object():
            method = it.attribute(target, "__call__", -1)
            return parameter_names(it, method) if isinstance(method, BoundMethod) else []
        case _:
            return []


def declared_parameters(it: Interpreter, target: Value) -> list[Parameter] | None:
    """The parameters that `inspect.signature` shows, those of what a wrapper wraps; None where they are not known."""
    match target:
        case FunctionValue():
            if _is_redeclared(it, target):
                return None
            return parameter_names(it, target) if target.wrapped is None else declared_parameters(it, target.wrapped)
        case BoundMethod():
            found = declared_parameters(it, target.function)
            return None if found is None else found[1:]
        case Partial():
            found = declared_parameters(it, target.function)
            return None if found is None else _left(found[len(target.args) :], target.keywords)
        case Transformed():
            return declared_parameters(it, target.application.target)
        case Object():
            method = it.attribute(target, "__call__", -1)
            return declared_parameters(it, method) if isinstance(method, BoundMethod) else None
        case _:
            return None


def _is_redeclared(it: Interpreter, function: FunctionValue) -> bool:
    """Whether the code around a function sets the signature that JAX reads: it may name other parameters."""
    return function.function.name in _redeclared_names(it, function.closure.body)


@memoised
def _redeclared_names(_: Interpreter, body: ir.Block) -> frozenset[str]:
    """The functions of a scope whose `__signature__` or `__wrapped__` an assignment there sets."""
    stores = (node for node in walks.statements(body) if isinstance(node, ir.Assign))
    parts = (walks.dotted(target).rpartition(".") for store in stores for target in store.targets)
    return frozenset(name for name, _, attribute in parts if attribute in ("__signature__", "__wrapped__"))


def _left(parameters: list[Parameter], bound: Mapping[str, Value]) -> list[Parameter]:
    """The parameters that nothing is bound to; those behind one that is bound by name take no positional argument."""
    first = next((n for n, parameter in enumerate(parameters) if parameter.name in bound), len(parameters))
    behind = [p for p in parameters[first:] if p.name not in bound and p.kind is not ParameterKind.VAR_POSITIONAL]
    return parameters[:first] + [p._replace(kind=max(p.kind, ParameterKind.KEYWORD_ONLY)) for p in behind]


def parameter_at(names: list[Parameter], number: int) -> Parameter | None:
    """The parameter that takes the positional argument of this number."""
    if number < len(names) and names[number].kind <= ParameterKind.POSITIONAL:
        return names[number]
    return next((p for p in names if p.kind is ParameterKind.VAR_POSITIONAL), None)


def parameter_origin(application: Application, parameter: Parameter | str | None, trace_origin: Origin) -> Origin:
    """The evidence that a parameter is traced; that of the whole trace where no project function has it."""
    function = underlying(application.target)
    if function is None or not isinstance(parameter, Parameter):
        return trace_origin
    how = {"grad": "differentiated", "mapped": "mapped"}.get(application.row.level, "traced")
    detail = f"`{parameter.name}` is a parameter of {function_label(function)}, {how} by `{application.short_name}`"
    return Origin("default", detail, function.module.path, parameter.at, trace_origin)
