"""Functions given to transforms of which no call is known: traced with whatever any caller must pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.application import Application, underlying
from jaxlint.analysis.domain.idents import OfFlag, OfParameter
from jaxlint.analysis.domain.lattice import join
from jaxlint.analysis.domain.values import (
    NONE,
    Arguments,
    ClassValue,
    FunctionValue,
    Partial,
    Reason,
    Static,
    Unknown,
    Value,
    atoms_of,
    is_none,
)
from jaxlint.analysis.jax import traced_calls, transforms
from jaxlint.analysis.machine.class_bases import open_ended
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python import binding, descriptors, open_instances
from jaxlint.analysis.source import class_reads, eager_runs, names_of_time, private_transforms, unused_functions
from jaxlint.analysis.source.unread_names import names_read_nowhere
from jaxlint.syntax import ir, walks
from jaxlint.syntax.ir import Parameter, ParameterKind

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def run_generic(it: Interpreter, target: Value, application: Application, cls: ClassValue | None = None) -> None:
    """Trace a transformed function with whatever any caller must pass; a method also as `cls` inherits it."""
    function = underlying(target)
    if function is None or application.broken:
        return
    if cls is None and application.called and not _is_public(it, application, function):
        return
    module = function.module
    if module.frame and function.function.name in eager_runs.only_eager(it, module.source.module, module.frame):
        return
    if _is_idle(it, application, function):
        return
    start = it.fresh()
    arguments, unlifted = _generic_arguments(it, application, function, cls or function.cls)
    node = ir.Constant(None, application.at)
    transforms.call_application(it, application, arguments, node, unlifted, start)


def _is_idle(it: Interpreter, application: Application, function: FunctionValue) -> bool:
    """Whether nothing reads the name or the attribute that a transform is put into, and calls go without it."""
    attributes = {
        target.attr
        for statement in walks.statements(application.frame.body)
        if isinstance(statement, ir.Assign) and statement.value.at == application.at
        for target in statement.targets
        if isinstance(target, ir.Attribute)
    }
    if attributes:
        is_unread = all(class_reads.is_never_read(it, name) for name in attributes)
    else:
        frame = application.frame
        is_inside = frame.kind == "function" or unused_functions.is_closed(it, frame.module.source)
        is_unread = is_inside and bool(names_read_nowhere(it, frame.body, application.at))
    return is_unread and function.function.name in _called_names(it, function.module.source.module.body)


@memoised
def _called_names(_: Interpreter, body: ir.Block) -> frozenset[str]:
    """The last names of what code calls."""
    calls = (node.func for node in walks.nodes(body) if isinstance(node, ir.Call))
    return frozenset(
        f.attr if isinstance(f, ir.Attribute) else f.id for f in calls if isinstance(f, ir.Attribute | ir.Name)
    )


def _reads_rebound(it: Interpreter, function: FunctionValue) -> bool:
    module = function.module
    return module.frame is not None and names_of_time.reads_rebound(it, function.function, module.frame.body)


def _is_public(it: Interpreter, application: Application, function: FunctionValue) -> bool:
    """Whether calls that are not known may come: a transform inside a function serves those that stand beside it.

    They leave what has a default at it, or not; what is called where it is transformed has no other call that does.
    What a notebook calls in one cell does not see what a later cell binds, and nobody else calls it.
    """
    if function.closure.kind != "module":
        return False
    if function.module.source.layout is not None and _reads_rebound(it, function):
        return False
    is_kept = application.frame.kind == "module" and not application.in_place
    is_kept = is_kept and not private_transforms.is_private(it, application)
    return is_kept or not any(function.defaults)


def _generic_arguments(
    it: Interpreter, application: Application, function: FunctionValue, cls: ClassValue | None
) -> tuple[Arguments, frozenset[str]]:
    """Arguments that any caller must pass, and those that are passed as they are.

    A parameter with a default may stay at it, so nothing is claimed of it: whether it is traced is decided at calls.
    One that may be None is meant to be given, where an annotation says as what, if the function is written for that.
    """
    arguments = Arguments()
    unlifted: set[str] = set()
    positional = True
    receiver = cls if descriptors.takes_receiver(it, function) else None
    for number, parameter in enumerate(traced_calls.parameter_names(it, application.target)):
        if parameter.kind in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD):
            positional = False
            _add_options(it, arguments, parameter)
            unlifted.add(parameter.name)
            continue
        if number == 0 and receiver is not None and function.function.parameters[0].at == parameter.at:
            value: Value = _generic_receiver(it, application, receiver, parameter, unlifted)
        else:
            is_static = application.statics.holds(number, parameter.name)
            value = _generic_value(it, application, function, parameter, unlifted, is_static=is_static)
        if positional and parameter.kind is not ParameterKind.KEYWORD_ONLY:
            arguments.positional.append(value)
            arguments.positional_at.append(-1)
        else:
            arguments.keywords[parameter.name] = value
    return arguments, frozenset(unlifted)


def _add_options(it: Interpreter, arguments: Arguments, parameter: Parameter) -> None:
    """Whatever a caller passes beside: like a parameter with a default, each one is given or not, traced or not."""
    arguments.extra = True
    option = it.unknown(f"parameter `{parameter.name}`", parameter.at)
    if parameter.kind is ParameterKind.VAR_KEYWORD:
        arguments.named = option
    else:
        arguments.spread = option


def _generic_receiver(
    it: Interpreter, application: Application, cls: ClassValue, parameter: Parameter, unlifted: set[str]
) -> Value:
    """The object whose method is traced."""
    may_be_tree = cls.kind in ("pytree", "module") or open_ended(it, cls)
    if application.statics.holds(0, parameter.name) or not may_be_tree:
        unlifted.add(parameter.name)
    return open_instances.of_self(it, cls, parameter)


def _generic_value(
    it: Interpreter,
    application: Application,
    function: FunctionValue,
    parameter: Parameter,
    unlifted: set[str],
    *,
    is_static: bool,
) -> Value:
    what = f"parameter `{parameter.name}` of `{function.function.name}`"
    value: Value = Unknown(OfParameter(it.fresh(), parameter.name), Reason(what, function.module.path, parameter.at))
    if parameter.annotation is not None and isinstance(value, Unknown):
        value = binding.in_scope_of(it, function, parameter, value)
    if not application.statics.known:
        unlifted.add(parameter.name)
        return it.unknown(what, parameter.at) if not isinstance(value, Unknown) else value
    default = function.defaults.get(parameter.name)
    if default is None:
        return value
    is_optional = isinstance(default, Static) and is_none(default)
    is_number = all(isinstance(atom, Static) for atom in atoms_of(value))
    is_option = is_number and _is_of_elsewhere(application, function)
    if not is_optional or is_option or isinstance(value, Unknown) or binding.is_foreign(it, function, parameter):
        unlifted.add(parameter.name)
    if is_optional:
        return join(NONE, value)
    if isinstance(default, Static) and default.type in ("bool", "str"):
        return Static(type=default.type) if is_static else _of_setting(it, application, default)
    return value if isinstance(value, Unknown) else it.unknown(what, parameter.at)


def _is_of_elsewhere(application: Application, function: FunctionValue) -> bool:
    """Whether a function was not written for its transform: another module has it, or some arguments are bound before.

    Its numbers that may be None are options, which who transforms it leaves out.
    """
    return isinstance(application.target, Partial) or application.frame.path != function.module.path


def _of_setting(it: Interpreter, application: Application, default: Static) -> Static:
    """A flag or a text: where all arguments become tracers, no test takes a flag, and no text can be given."""
    terms = [term.head for function in application.row.functions for term in function.traced]
    match default.value:
        case bool() as flag if terms == ["all"]:
            return Static(type="bool", ident=OfFlag(it.fresh(), flag))
        case str() if terms == ["all"]:
            return default
        case _:
            return Static(type=default.type)
