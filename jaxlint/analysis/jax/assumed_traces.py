"""Modules of frameworks that nothing in view traces: models run compiled, so that is how their `__call__` is looked at.

What is found then rests on that assumption, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.class_fields import library_bases
from jaxlint.analysis.domain.frames import Trace
from jaxlint.analysis.domain.state import State
from jaxlint.analysis.domain.values import (
    Array,
    Birth,
    ClassValue,
    FunctionValue,
    InstanceCell,
    Level,
    Made,
    Object,
    Origin,
    Qualified,
    Reason,
    Unknown,
    Value,
)
from jaxlint.analysis.jax.returned_places import returns_of
from jaxlint.analysis.machine.interpreter import MAX_WORK_OF_FUNCTION
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python import binding, classes, functions, open_instances, type_hints
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter

#: What runs before any trace of what the module is called in.
_BEFORE = frozenset({"__init__", "__post_init__", "setup"})


def run(it: Interpreter, frame: Frame, wanted: Callable[[FunctionValue], bool] | None = None) -> None:
    """Run the modules that a file defines as their users do; where `wanted` is given, those whose code it wants."""
    final = frame.state
    for cls in list(final.env.values()):
        if isinstance(cls, ClassValue) and cls.module is frame.module and _is_run_compiled(it, cls):
            for method in _methods(it, cls, wanted):
                frame.state = State(final.env.copy(), final.heap, {})
                with it.within(MAX_WORK_OF_FUNCTION):
                    _run(it, cls, method)
    frame.state = final


def _is_run_compiled(it: Interpreter, cls: ClassValue) -> bool:
    return any(it.api.has(base, "run-compiled") for base in library_bases(cls))


def _methods(
    it: Interpreter, cls: ClassValue, wanted: Callable[[FunctionValue], bool] | None
) -> Iterator[FunctionValue]:
    """What users run of a class and no trace came to: `__call__`, then other methods that give layers an argument."""
    functions_of_cls = (value for value in cls.namespace.values() if isinstance(value, FunctionValue))
    own = [f for f in functions_of_cls if f.function.name not in _BEFORE and not _gives_text(it, f.function)]
    call = classes.find(it, cls, "__call__")
    if isinstance(call, FunctionValue) and not _runs_eagerly(it, cls, call) and not _gives_text(it, call.function):
        inside = [call] if call.cls is cls else own  # of a base's, what it calls of this class
        if _is_wanted(own, wanted) and not all(_is_traced(it, method) for method in inside):
            yield call
    for method in own:
        is_plain = method.binding == "function" and not method.function.name.startswith("__")
        is_new = not _is_traced(it, method) and not _runs_eagerly(it, cls, method)
        if is_plain and is_new and _is_wanted([method], wanted) and _uses_layers(it, cls, method):
            yield method


@memoised
def _gives_text(_: Interpreter, function: ir.Function) -> bool:
    """Whether a function returns a text, or something with one in it: nothing compiled can."""
    return any(_holds_text(each.value) for each in returns_of(function.body) if each.value is not None)


def _holds_text(node: ir.Expr) -> bool:
    match node:
        case ir.Constant(value=value):
            return isinstance(value, str)
        case ir.FormattedString():
            return True
        case ir.Conditional(body=body, orelse=orelse):
            return _holds_text(body) or _holds_text(orelse)
        case ir.SequenceDisplay(elements=elements):
            return any(map(_holds_text, elements))
        case ir.DictDisplay(items=items):
            return any(_holds_text(value) for _, value in items)
        case _:
            return False


def _is_wanted(methods: Sequence[FunctionValue], wanted: Callable[[FunctionValue], bool] | None) -> bool:
    return wanted is None or any(map(wanted, methods))


def _is_traced(it: Interpreter, method: FunctionValue) -> bool:
    return id(method.function) in it.facts.compiled


def _runs_eagerly(it: Interpreter, cls: ClassValue, method: FunctionValue) -> bool:
    """Whether all that is known of is the file itself, which runs a method as it is."""
    return (id(method.function), cls.module.path) in it.facts.run_eagerly and not _is_traced(it, method)


def _uses_layers(it: Interpreter, cls: ClassValue, method: FunctionValue) -> bool:
    names = {parameter.name for parameter in method.function.parameters[1:]}
    if not names:
        return False
    receiver = open_instances.of_self(it, cls, method.function.parameters[0])
    return not names.isdisjoint(_given_to(method.function, lambda called: _is_call_of_layer(it, called, receiver)))


def _run(it: Interpreter, cls: ClassValue, method: FunctionValue) -> None:
    at, parameters = method.function.at, method.function.parameters
    if not parameters:
        return
    what = f"`{cls.name}` is a module: `{method.function.name}` is assumed to be traced by `{it.api.compiler}`"
    origin = Origin("trace", what, method.module.path, at, None)
    trace = Trace(it.api.compiler, Level.TRACED, Level.TRACED, origin, it.fresh(), f"`{cls.name}`")
    trace.merges_objects = any(it.api.has(base, "merges-objects") for base in library_bases(cls))
    env = binding.open_parameters(it, method)
    receiver = env[parameters[0].name] = open_instances.of_self(it, cls, parameters[0])
    if any(it.api.has(base, "made-per-call") for base in library_bases(cls)):
        type_hints.reborn(it, receiver, Birth(it.fresh(), method.module.path, at))
    arrays = _given_to(method.function, lambda called: _takes_array(it, called, receiver))
    for parameter in parameters[1:]:
        if parameter.default is None and parameter.kind <= ir.ParameterKind.POSITIONAL:
            env[parameter.name] = _given(it, env[parameter.name], method, parameter, origin, parameter.name in arrays)
        # Other modules call this one inside of one trace: what they pass was made there, and they see it change.
        type_hints.reborn(it, env[parameter.name], Birth(it.fresh(), method.module.path, parameter.at))
    functions.run_assumed(it, method, env, trace)


def _given(
    it: Interpreter, value: Value, method: FunctionValue, parameter: ir.Parameter, trace: Origin, is_array: bool
) -> Value:
    """What users pass: a traced array, where something is computed of it that takes one.

    Where an annotation alone says that it is an array, that would be an assumption too many.
    """
    path = method.module.path
    if is_array:
        detail = f"`{parameter.name}` is an array, a parameter of `{method.function.name}`"
        return Array(Level.TRACED, origin=Origin("default", detail, path, parameter.at, trace))
    reason = Reason(f"parameter `{parameter.name}`", path, parameter.at)
    return Unknown(it.ident(parameter.at), reason) if isinstance(value, Array) else value


def _given_to(function: ir.Function, takes: Callable[[ir.Expr], bool]) -> frozenset[str]:
    """The names that stand as first arguments of certain calls in a function."""
    calls = (node for node in walks.nodes(function.body) if isinstance(node, ir.Call) and node.args)
    given = ((call.func, call.args[0]) for call in calls)
    return frozenset(first.id for called, first in given if isinstance(first, ir.Name) and takes(called))


def _takes_array(it: Interpreter, called: ir.Expr, receiver: Value) -> bool:
    """Whether the first argument of a call is an array, by the tables: of a layer, or of an operation."""
    name = _library_name(it, called)
    row = it.api.function(it.api.canonical(name)) if name else None
    if row is not None:
        return row.returns.head == "array" and row.shape.head in ("elementwise", "reduce")
    return _is_call_of_layer(it, called, receiver)


def _is_call_of_layer(it: Interpreter, called: ir.Expr, receiver: Value) -> bool:
    """Whether a layer of a library is called: one that is made right there, or that the module holds."""
    match called:
        case ir.Call(func=maker):
            return _is_layer(it, _library_name(it, maker))
        case ir.Attribute(base=ir.Name(id="self"), attr=name):
            cell = it.cell(receiver) if isinstance(receiver, Object) else None
            layer = cell.attributes.get(name) if isinstance(cell, InstanceCell) else None
            return isinstance(layer, Made) and _is_layer(it, layer.cls)
        case _:
            return False


def _is_layer(it: Interpreter, name: str) -> bool:
    row = it.api.object_member(name, "__call__") if name else None
    return row is not None and row.call.returns.head == "array"


def _library_name(it: Interpreter, node: ir.Expr) -> str:
    """The full name of what an expression names of a library that the file imports; empty where it names none."""
    if isinstance(node, ir.Attribute):
        base = _library_name(it, node.base)
        return f"{base}.{node.attr}" if base else ""
    value = it.peek(node.id) if isinstance(node, ir.Name) else None
    return value.name if isinstance(value, Qualified) else ""
