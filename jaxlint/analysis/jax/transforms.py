"""Transforms: what jit, grad, vmap, scan ... do with the functions they are given."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.application import Application, may_be_class, underlying
from jaxlint.analysis.domain.frames import Outside, Trace
from jaxlint.analysis.domain.values import (
    UNKNOWN,
    Arguments,
    Leaves,
    Level,
    Object,
    Partial,
    Qualified,
    Shape,
    Static,
    Transformed,
    Tuple,
    Value,
    atoms_of,
    level_of,
    origin_of,
)
from jaxlint.analysis.events.compilation import StaticArgument, VaryingStatic
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.jax import (
    argument_types,
    array_places,
    axis_names,
    bound_methods,
    call_forms,
    callback_effects,
    complex_gradients,
    control_flow,
    derivative_rules,
    differentiation,
    donation,
    eager_loops,
    function_arguments,
    leaf_types,
    loop_variance,
    mapped_axes,
    meant_variations,
    module_apply,
    optimizers,
    processes,
    recompilation,
    replicas,
    served_calls,
    shardings,
    stated_shapes,
    statics,
    traced_arguments,
    traced_calls,
    unpacked_derivatives,
    varying_shapes,
)
from jaxlint.analysis.machine.ended_paths import failure, is_failure
from jaxlint.analysis.machine.levels import Destination, Lifting, at_level, settle, with_derivative, without_derivative
from jaxlint.analysis.machine.path_conditions import lasting
from jaxlint.analysis.python import calls, failures, loop_costs, stale_reads
from jaxlint.analysis.source import replaced_names
from jaxlint.analysis.typestate import async_dispatch, start_up
from jaxlint.syntax import ir, walks
from jaxlint.syntax.ir import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import TransformRow
    from jaxlint.jaxapi.terms import Term


def apply(it: Interpreter, row: TransformRow, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """The value of calling a transform."""
    function_arguments.tell_values(it, row, name, arguments, node)
    callback_effects.tell(it, name, arguments, node)
    if row.form == "call":
        return control_flow.run_now(it, row, name, arguments, node)
    spec = row.functions[0] if row.functions else None
    target = None if spec is None else arguments.get(spec.position, spec.keyword)
    if target is None:
        # `jax.jit(static_argnums=0)` used as a decorator: the function comes with the next call.
        return Partial(Qualified(name), (), dict(arguments.keywords)) if arguments.keywords else UNKNOWN
    parameters = traced_calls.declared_parameters(it, target)
    marked = statics.parse(it, row, name, arguments).of_signature(parameters)
    application = Application(row, name, target, arguments, marked, it.frame, node.at, it.fresh())
    application.passes = tuple(this.start for this in it.frame.passes)
    application.conditions = it.frame.conditions
    shardings.applied(it, application)
    axis_names.applied(it, application)
    mapped_axes.applied(it, application, node)
    if underlying(target) is not None and row.level != "inherit":
        it.frame.pending.deferred.append((target, application))
        _mark_entered(it, target)
    if row.form == "make":
        return module_apply.made_with(it, name, target, arguments, node)
    return Transformed(application)


def _mark_entered(it: Interpreter, target: Value) -> None:
    """A nested function that is going to be traced is not looked at as if it ran eagerly."""
    function = underlying(target)
    if function is None:
        return
    if function.closure.kind != "module" or function.cls is not None or function.function.decorators:
        it.facts.entered.add((id(function.function), id(function.closure)))


def call_transformed(it: Interpreter, callee: Transformed, arguments: Arguments, node: ir.Expr) -> Value:
    """A call of what jit, grad, vmap ... returned."""
    application = callee.application
    application.called = True
    _note_place(it, callee, node)
    if _is_replaced(it, application):
        return calls.call_unknown(it, UNKNOWN, arguments, node, "a call of what is put in the place of a function")
    if traced_calls.runs_eagerly(it, application.row):  # nothing is compiled, donated or kept for another call
        return call_application(it, application, arguments, node)
    recompilation.called(it, application, node)
    bound_methods.called(it, application, node)
    call_forms.called(it, application, arguments, node)
    argument_types.called(it, application, arguments, node)
    varying_shapes.called(it, application, arguments, node)
    if it.frame.state.donated:
        donation.use_arguments(it, application, arguments, node)
    before = loop_costs.begin(it)
    result = call_application(it, application, arguments, node)
    if is_failure(result):
        return result
    eager_loops.called(it, application, arguments, node, before)
    if it.frame.trace is None:
        start_up.computed(it, arguments, result, node.at)
    shardings.called(it, application, arguments, node)
    array_places.called(it, application, arguments, result, node)
    if it.frame.caveats.divided is not None:
        processes.called(it, application, arguments, node)
    return donation.give(it, application, arguments, result, node)


def _is_replaced(it: Interpreter, application: Application) -> bool:
    """Whether code that leads here puts something else in the place of a function of a module, as tests do."""
    function = underlying(application.target)
    if function is None:
        return False
    return replaced_names.is_own_replaced(it, function.module.source.name, function.function.qualname)


def _note_place(it: Interpreter, callee: Transformed, node: ir.Expr) -> None:
    """Note of `jit(f)(x)` and `jit(grad(f))(x)` that no name keeps what is called."""
    if not isinstance(node, ir.Call) or not isinstance(node.func, ir.Call):
        return
    places = {part.at for part in walks.nodes(node.func) if isinstance(part, ir.Call)}
    applied: Value = callee
    while isinstance(applied, Transformed) and applied.application.at in places:
        if applied.application.frame.path != it.frame.path:
            break
        applied.application.in_place = True
        applied = applied.application.target


def call_application(
    it: Interpreter,
    application: Application,
    arguments: Arguments,
    node: ir.Expr,
    unlifted: frozenset[str] = frozenset(),
    start: int | None = None,
) -> Value:
    """Trace the target with these arguments, under the tests that chose the transform.

    Parameters in `unlifted` are passed as they are.

    `start` is the serial number of a hypothetical call, whose arguments are nobody's.
    """
    frame = it.frame
    outer = frame.conditions
    if application.conditions:
        path = frame.all_conditions()
        frame.conditions = (*outer, *(c for c in lasting(application.conditions) if c not in path))
    try:
        return _call_application(it, application, arguments, node, unlifted, start)
    finally:
        frame.conditions = outer


def _call_application(
    it: Interpreter,
    application: Application,
    arguments: Arguments,
    node: ir.Expr,
    unlifted: frozenset[str],
    start: int | None,
) -> Value:
    row = application.row
    target = application.target
    before = async_dispatch.counts(it)
    if application.broken:
        return it.unknown(f"result of `{application.short_name}`", node.at)
    if row.lifts_classes and may_be_class(target):
        made = it.call(target, arguments, node)  # a lifted class: its fields are as they are given
        return it.unknown("an object whose methods are mapped", node.at) if row.level == "mapped" else made
    if it.api.has(application.name, "own-derivative"):
        derivative_rules.called(it, application, node)
        return with_derivative(it, _call_with_primals(it, application, arguments, node))
    if row.level == "inherit" or traced_calls.runs_eagerly(it, row):
        return it.call(target, arguments, node)
    trace = traced_calls.new_trace(it, application.name, row, target, application.frame, application.at)
    trace.axes = axis_names.bound(it, application)
    trace.is_stored = application.frame.kind == "module" or application.frame.qualname.endswith("__init__")
    if start is not None:
        trace.entry, trace.is_uncalled = start, True
    trace.hypothetical = bool(unlifted) if start is not None else _may_name_options(arguments)
    names = traced_calls.parameter_names(it, target)
    if start is None:
        _check_given(it, application, arguments, trace, node)
        trace.given_functions = stale_reads.functions_in(arguments.all())
    is_real = row.level != "grad" or differentiation.check_arguments(
        it, application, arguments, node, is_call=start is None
    )
    lifting = traced_arguments.ArgumentLifting(it, application, trace, names, unlifted, node.at)
    lifted = lifting.lift(arguments)
    trace.unmapped = traced_arguments.unmapped_idents(arguments, lifted) | traced_arguments.bound_idents(target)
    trace.application = application
    trace.kept_by = stale_reads.keeper(it, application.name, target, application)
    collectives = it.facts.collectives
    if start is None:
        result = _invoke(it, application, lifted, node, trace)
    else:
        result = _invoke_uncalled(it, target, lifted, node, unlifted, trace)
    if is_failure(result):
        return result
    if row.level == "grad" and is_real:
        differentiation.check_result(it, application, result, node)
        differentiation.check_loops(it, application, trace, result)
    if start is None:
        unpacked_derivatives.check(it, application, arguments, result, node)
        stale_reads.called(it, trace, node.at)
        async_dispatch.transformed(it, application, node.at, before)
    outcome = _outcome(it, row.result, result, arguments, application, trace)
    if row.level == "grad":
        replicas.differentiated(it, application, collectives, outcome)
    optimizers.finished(it, trace, result)
    replicas.finished(it, trace, collectives, result, outcome)
    return outcome


def _may_name_options(arguments: Arguments) -> bool:
    """Whether `**mapping` may give parameters with defaults what nobody sees."""
    return arguments.extra and arguments.spread is None


def _check_given(it: Interpreter, application: Application, arguments: Arguments, trace: Trace, node: ir.Expr) -> None:
    """Tell the rules of static and of mapped arguments that do not suit the transform."""
    if application.statics.any and it.api.has(application.name, "hashes-statics"):
        names = traced_calls.parameter_names(it, application.target)
        given = list(_static_arguments(application, arguments, names))
        trace.static_objects = {value.oid: name for name, value, _ in given if isinstance(value, Object)}
        _check_statics(it, application, given, node)
    mapped_axes.check(it, application, arguments, node)


def _invoke(it: Interpreter, application: Application, lifted: Arguments, node: ir.Expr, trace: Trace) -> Value:
    """Call the function inside its trace, unless it surely does not take these arguments."""
    if failures.refuses(it, Transformed(application), lifted):
        return failure(it, failures.REFUSED, node.at)
    return traced_calls.invoke(it, application.target, lifted, node, trace)


def _invoke_uncalled(
    it: Interpreter, target: Value, lifted: Arguments, node: ir.Expr, unlifted: frozenset[str], trace: Trace
) -> Value:
    """Call the function with nobody's arguments, which are nobody's for what is composed, too."""
    if not isinstance(target, Transformed):
        return traced_calls.invoke(it, target, lifted, node, trace)
    with traced_calls.Inside(it, trace, node.at):
        return call_application(it, target.application, lifted, node, unlifted, trace.entry)


def _call_with_primals(it: Interpreter, application: Application, arguments: Arguments, node: ir.Expr) -> Value:
    """A function with derivatives of its own: under `grad` its body sees plain values, and what it gives is lifted."""
    if not it.api.has(application.name, "sees-primals"):
        return it.call(application.target, arguments, node)
    spread = None if arguments.spread is None else without_derivative(it, arguments.spread)
    given = replace(
        arguments,
        positional=[without_derivative(it, value) for value in arguments.positional],
        keywords={name: without_derivative(it, value) for name, value in arguments.keywords.items()},
        spread=spread,
    )
    result = it.call(application.target, given, node)
    if it.api.has(application.name, "gives-first"):
        result = result.elements[0] if isinstance(result, Tuple) and result.elements else UNKNOWN
    lifted = next((v for v in arguments.all() for a in atoms_of(v) if level_of(a) is Level.GRAD), None)
    origin = None if lifted is None else origin_of(lifted)
    if origin is None:
        return result
    return Lifting(it, Destination(Level.GRAD, origin, node.at, it.frame.serial), arrays_only=True)(result)


def _static_arguments(
    application: Application, arguments: Arguments, names: list[Parameter]
) -> Iterator[tuple[str, Value, int]]:
    """What reaches the static parameters: their names, the values, and where these are written."""
    for number, value in enumerate(arguments.positional):
        parameter = traced_calls.parameter_at(names, number)
        name = None if parameter is None else parameter.name
        if application.statics.holds(number, name):
            yield name or f"argument {number}", value, arguments.positional_at[number]
    for name, value in arguments.keywords.items():
        if application.statics.holds(traced_arguments.index_of(names, name), name):
            yield name, value, arguments.keyword_at.get(name, -1)


def _check_statics(
    it: Interpreter, application: Application, given: list[tuple[str, Value, int]], node: ir.Expr
) -> None:
    """Tell the rules what reaches the static parameters."""
    served = served_calls.served(it, node)
    for name, value, at in given:
        operand = Operand(value, it.frame, at if at >= 0 else node.at)
        if it.wants(StaticArgument):
            it.emit(StaticArgument(it.frame, operand.at, operand, name, application, False, it.held))
        if it.wants(VaryingStatic) and it.frame.trace is None:
            _check_variation(it, operand, name, application, node, served)


def _check_variation(
    it: Interpreter, operand: Operand, name: str, application: Application, call: ir.Expr, served: served_calls.Served
) -> None:
    """Tell the rules where a static argument is another value at each pass of a loop around the call."""
    written = walks.expression_at(call, operand.at)
    changing = None if written is None else loop_variance.varies(it, operand.value, written)
    if written is not None and changing is not None and not served.covers(it.frame, changing.loop):
        given = Operand(operand.value, it.frame, written.at)  # of a method, the object; else where `operand` is
        traceable = leaf_types.are_traceable(it, operand.value)
        meant_variations.tell(it, VaryingStatic(it.frame, operand.at, given, name, application, changing, traceable))


def _outcome(  # noqa: PLR0911 - dispatches on the terms
    it: Interpreter, term: Term, result: Value, arguments: Arguments, application: Application, trace: Trace
) -> Value:
    """What a call of the transformed function returns."""
    row = application.row
    arrays = row.functions[0].traced[0].head != "arrays" and row.level != "grad"
    match term.head:
        case "result":
            return settle(it, result, trace, arrays=arrays)
        case "batched":
            return settle(it, result, trace, axes=_new_axes(application))
        case "stacked":
            return settle(it, result, trace, axes=None)
        case "gradient":
            return _gradient(it, application, arguments, result, trace)
        case "tuple":
            terms = [part.head for part in term.args]
            if terms == ["carry", "stacked"]:
                return _of_scan(it, result, application, trace)
            return Tuple(tuple(_outcome(it, part, result, arguments, application, trace) for part in term.args))
        case "jacobian":
            return Leaves(*_highest(it, trace), it.ident(-1))
        case "abstract":
            return stated_shapes.types_of(it, result, application.at)
        case _:
            return it.unknown(f"result of `{application.short_name}`", application.at)


def _of_scan(it: Interpreter, result: Value, application: Application, trace: Trace) -> Value:
    """The last carry, and what each step returns beside it; the axes may say that these come in another order."""
    if not isinstance(result, Tuple) or len(result.elements) != 2:
        return it.unknown(f"result of `{application.short_name}`", application.at)
    carry, beside = result.elements
    takes = application.row.functions[0].traced[0].head
    is_usual = takes != "scanned" or application.arguments.get(None, "out_axes") is None
    return Tuple((settle(it, carry, trace, axes=() if is_usual else None), settle(it, beside, trace, axes=None)))


def _new_axes(application: Application) -> Shape:
    """The axes that the results of `vmap` gain: one in front, unless another place is named, or may be."""
    if "out_axes" not in dict(application.row.axes):
        return None
    place = application.arguments.get(2, "out_axes")
    is_first = place is None or (isinstance(place, Static) and place.value == 0 and place.known)
    return (None,) if is_first else None


def _gradient(it: Interpreter, application: Application, arguments: Arguments, result: Value, trace: Trace) -> Value:
    """The gradient has the structure of the differentiated arguments; with has_aux it comes with the extras."""
    value = application.arguments.get(1, "argnums")
    numbers = None if value is None else statics.numbers(it, value)
    level, origin = _highest(it, trace)
    wanted = [arguments.get(n, None) for n in sorted(numbers or (0,))]
    parts = [Leaves(level, origin, it.ident(-1)) if w is None else at_level(it, w, level, origin) for w in wanted]
    complex_gradients.taken(it, application, wanted, parts)
    single = value is None or isinstance(value, Static)
    gradient: Value = parts[0] if single else Tuple(tuple(parts))
    has_aux = application.arguments.get(None, application.row.aux) if application.row.aux else None
    if has_aux is None or application.row.result.head == "tuple":
        return gradient
    aux = result.elements[1] if isinstance(result, Tuple) and len(result.elements) == 2 else UNKNOWN
    return Tuple((gradient, settle(it, aux, trace, arrays=False)))


def _highest(it: Interpreter, trace: Trace) -> Outside:
    """What a derivative is: traced where one of the arguments was."""
    ambient = Outside(it.frame.ambient, None)
    return max((ambient, *trace.outside.values()), key=lambda each: each.level)
