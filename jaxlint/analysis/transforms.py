"""Transforms: what jit, grad, vmap, scan ... do with the functions they are given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxlint.analysis import attributes, binding, calls, classes, functions, iteration, scopes, statics
from jaxlint.analysis.events.effects import IteratorUse
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.recompilation import StaticArgument
from jaxlint.analysis.frames import Frame, Trace
from jaxlint.analysis.lattice import join, join_all
from jaxlint.analysis.lifting import Lifting, at_level, settle
from jaxlint.analysis.statics import Statics
from jaxlint.analysis.values import (
    NONE,
    UNKNOWN,
    Arguments,
    Array,
    BoundMethod,
    ClassValue,
    FunctionValue,
    Iterable,
    Key,
    Leaves,
    Level,
    Object,
    Origin,
    Partial,
    Qualified,
    Reason,
    Ref,
    Static,
    Transformed,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    has_no_value,
    is_none,
)
from jaxlint.syntax.ir import Parameter, ParameterKind

if TYPE_CHECKING:
    from jaxlint.analysis.interpreter import Interpreter
    from jaxlint.analysis.state import State
    from jaxlint.jaxapi.rows import TracedFunction, TransformRow
    from jaxlint.jaxapi.terms import Term
    from jaxlint.syntax import ir

_LEVELS = {
    "traced": Level.TRACED,
    "mapped": Level.MAPPED,
    "grad": Level.GRAD,
    "refs": Level.TRACED,
    "host": Level.HOST,
}
#: Transforms that hash their static arguments; jax.checkpoint does not.
HASHING = frozenset({"jax.jit", "jax.pmap", "flax.nnx.jit", "flax.linen.jit"})
#: Operands that are a loop's carry, by name.
_CARRIES = ("init", "init_val", "initial_guess", "y0", "x0", "b", "carry")


@dataclass(slots=True, eq=False)
class Application:
    """One use of a transform: which, on what, with which static parameters, and where."""

    row: TransformRow
    name: str
    target: Value
    arguments: Arguments
    statics: Statics
    frame: Frame
    at: int
    called: bool = field(default=False)
    calls: list[int] = field(default_factory=list)
    reads: list[Any] = field(default_factory=list)
    broken: bool = field(default=False)  # applying it raises, so that nothing is ever traced

    @property
    def short_name(self) -> str:
        """The transform's name as people write it."""
        return short_name(self.name)


def apply(it: Interpreter, row: TransformRow, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """The value of calling a transform."""
    if row.form == "call":
        return _run_now(it, row, name, arguments, node)
    spec = row.functions[0] if row.functions else None
    target = None if spec is None else arguments.get(spec.position, spec.keyword)
    if target is None:
        # `jax.jit(static_argnums=0)` used as a decorator: the function comes with the next call.
        return Partial(Qualified(name), (), dict(arguments.keywords)) if arguments.keywords else UNKNOWN
    marked = statics.parse(it, row, name, arguments).counted_from_the_end(len(parameter_names(it, target)))
    application = Application(row, name, target, arguments, marked, it.frame, node.at)
    if underlying(target) is not None and row.level != "inherit":
        it.frame.deferred.append((target, application))
        _mark_entered(it, target)
    if row.form == "make":
        return it.unknown(f"an object of `{name}`", node.at)
    return Transformed(application)


def underlying(target: Value) -> FunctionValue | None:
    """The project function that a callable ends in, through partials, bound methods and other transforms."""
    while True:
        match target:
            case FunctionValue():
                return target
            case BoundMethod() | Partial():
                target = target.function
            case Transformed():
                target = target.application.target
            case _:
                return None


def _mark_entered(it: Interpreter, target: Value) -> None:
    """A nested function that is going to be traced is not looked at as if it ran eagerly."""
    function = underlying(target)
    if function is not None and (
        function.closure.kind != "module" or function.cls is not None or _is_decorated(function)
    ):
        it.entered.add((id(function.function), id(function.closure)))


def _is_decorated(function: FunctionValue) -> bool:
    return bool(function.function.decorators)


# --- calls of transformed functions


def call_transformed(it: Interpreter, callee: Transformed, arguments: Arguments, node: ir.Expr) -> Value:
    """A call of what jit, grad, vmap ... returned."""
    application = callee.application
    application.called = True
    return call_application(it, application, arguments, node)


def call_application(
    it: Interpreter,
    application: Application,
    arguments: Arguments,
    node: ir.Expr,
    unlifted: frozenset[str] = frozenset(),
    start: int | None = None,
) -> Value:
    """Trace the target with these arguments; parameters in `unlifted` are passed as they are.

    `start` is the serial number of a hypothetical call, whose arguments are nobody's.
    """
    row = application.row
    target = application.target
    if application.broken:
        return it.unknown(f"result of `{application.short_name}`", node.at)
    if isinstance(_unbound(target), ClassValue):
        return calls.dispatch(it, target, arguments, node)  # a lifted class: its fields are as they are given
    if row.level == "inherit":
        return calls.dispatch(it, target, arguments, node)
    trace = new_trace(it, application.name, _LEVELS[row.level], target, application.frame, application.at)
    trace.is_stored = application.frame.kind == "module" or application.frame.qualname.endswith("__init__")
    if start is not None:
        trace.entry = start
        trace.hypothetical = bool(unlifted)
    names = parameter_names(it, target)
    if start is None:
        _check_statics(it, application, arguments, names, node)
    lifted = _lift_arguments(it, application, arguments, names, unlifted, trace, node.at)
    trace.unmapped = _unmapped_idents(arguments, lifted) | _bound_idents(target)
    trace.application = application
    result = invoke(it, target, lifted, node, trace)
    if start is None:
        scopes.tell_stale_reads(it, application, node.at)
    return _outcome(it, row.result, result, row, arguments, application)


def _unbound(target: Value) -> Value:
    """What a partial application was made of."""
    while isinstance(target, Partial):
        target = target.function
    return target


def new_trace(it: Interpreter, name: str, level: Level, target: Value, frame: Frame, at: int) -> Trace:
    """The trace that a transform starts around its function."""
    outer = it.frame
    function = underlying(target)
    label = "a function" if function is None else _function_label(function)
    origin = Origin("trace", f"{label} is traced by `{short_name(name)}` here", frame.path, at, None)
    ambient = Level.TRACED if level is Level.TRACED else outer.ambient
    return Trace(name, level, ambient, origin, it.fresh(), label, outer.trace)


def _function_label(function: FunctionValue) -> str:
    return "this lambda" if function.function.is_lambda else f"`{function.function.name}`"


def short_name(name: str) -> str:
    """`jax.jit` for `jax.jit`, `lax.scan` for `jax.lax.scan`: as people write it."""
    parts = name.split(".")
    return name if len(parts) <= 2 else ".".join(parts[-2:])


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
            method = attributes.attribute(it, target, "__call__", node.at)
            if isinstance(method, BoundMethod):
                return invoke(it, method, arguments, node, trace)
        case _:
            pass
    with _inside(it, trace, node.at):
        return calls.dispatch(it, target, arguments, node)


class _inside:  # noqa: N801 - a context manager, used like a function
    """A frame of its own for a trace around something that is no project function."""

    def __init__(self, it: Interpreter, trace: Trace, at: int) -> None:
        self.it, self.outer = it, it.frame
        outer = it.frame
        self.frame = Frame(
            outer.module, outer.scope, it.fresh(), outer.state, closure=outer.closure, caller=outer, call_at=at,
            ambient=trace.ambient, trace=trace, depth=outer.depth + 1, qualname=outer.qualname, cls=outer.cls,
            function=None, guarded=outer.guarded,
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
            rest = parameter_names(it, target.function)[len(target.args) :]
            return [parameter for parameter in rest if parameter.name not in target.keywords]
        case Transformed():
            return parameter_names(it, target.application.target)
        case Object():
            method = attributes.attribute(it, target, "__call__", -1)
            return parameter_names(it, method) if isinstance(method, BoundMethod) else []
        case _:
            return []


def _check_statics(
    it: Interpreter, application: Application, arguments: Arguments, names: list[Parameter], node: ir.Expr
) -> None:
    """Tell the rules what reaches the static parameters."""
    if application.name not in HASHING or not application.statics.any or not it.wants(StaticArgument):
        return
    given: list[tuple[str, Value, int]] = [
        (names[i].name if i < len(names) else "", value, arguments.positional_at[i])
        for i, value in enumerate(arguments.positional)
        if application.statics.holds(i, names[i].name if i < len(names) else None)
    ]
    given += [
        (name, value, arguments.keyword_at.get(name, -1))
        for name, value in arguments.keywords.items()
        if application.statics.holds(_index_of(names, name), name)
    ]
    for name, value, at in given:
        operand = Operand(value, it.frame, at if at >= 0 else node.at)
        it.emit(StaticArgument(it.frame, operand.at, operand, name, application, is_default=False))


def _index_of(names: list[Parameter], name: str) -> int | None:
    return next((i for i, parameter in enumerate(names) if parameter.name == name), None)


def _lift_arguments(
    it: Interpreter,
    application: Application,
    arguments: Arguments,
    names: list[Parameter],
    unlifted: frozenset[str],
    trace: Trace,
    at: int,
) -> Arguments:
    """The arguments as the traced function sees them."""
    lifted = Arguments([], {}, list(arguments.positional_at), dict(arguments.keyword_at), arguments.extra)
    for number, value in enumerate(arguments.positional):
        parameter = _parameter_at(names, number)
        lifted.positional.append(_lift(it, application, number, parameter, value, unlifted, trace, at))
    for name, value in arguments.keywords.items():
        number_of = _index_of(names, name)
        parameter = None if number_of is None else names[number_of]
        lifted.keywords[name] = _lift(
            it, application, number_of, parameter or name, value, unlifted, trace, at, by_keyword=True
        )
    return lifted


def _parameter_at(names: list[Parameter], number: int) -> Parameter | None:
    if number < len(names) and names[number].kind <= ParameterKind.POSITIONAL:
        return names[number]
    return next((p for p in names if p.kind is ParameterKind.VAR_POSITIONAL), None)


def _lift(
    it: Interpreter,
    application: Application,
    number: int | None,
    parameter: Parameter | str | None,
    value: Value,
    unlifted: frozenset[str],
    trace: Trace,
    at: int,
    *,
    by_keyword: bool = False,
) -> Value:
    name = parameter.name if isinstance(parameter, Parameter) else parameter
    at, owner = _birth_at(parameter, at), trace.entry
    trace_origin = trace.origin
    if application.statics.holds(number, name) and any(map(has_no_value, atoms_of(value))):
        return it.unknown(f"`{name}`, static and traced at once", at)  # which raises
    if name in unlifted or application.statics.holds(number, name):
        return value
    level = _LEVELS[application.row.level]
    origin = _parameter_origin(it, application, parameter, trace_origin)
    match application.row.functions[0].traced[0]:
        case term if term.head == "arrays":
            if term.args and number not in (0, None):
                return value
            return Lifting(it, level, origin, at, owner, arrays_only=True, mapped=_maps(application))(value)
        case term if term.head == "argnums":
            wanted = _argnums(it, application)
            return Lifting(it, level, origin, at, owner)(value) if number in wanted and not by_keyword else value
        case term if term.head == "mapped":
            axis = _axis(it, application, number)
            return (
                value if axis is None and not by_keyword else Lifting(it, level, origin, at, owner, mapped=True)(value)
            )
        case term if term.head == "refs":
            return Ref(level, origin)
        case term if term.head == "none":
            return value
        case _:
            return Lifting(it, level, origin, at, owner, mapped=_maps(application))(value)


def _maps(application: Application) -> bool:
    """Whether every array argument loses its leading axis."""
    return application.name.endswith(("pmap", "filter_vmap", "vectorize"))


def _birth_at(parameter: Parameter | str | None, at: int) -> int:
    return parameter.at if isinstance(parameter, Parameter) else at


def _parameter_origin(
    it: Interpreter, application: Application, parameter: Parameter | str | None, trace_origin: Origin
) -> Origin:
    function = underlying(application.target)
    if function is None or not isinstance(parameter, Parameter):
        return trace_origin
    name = "this lambda" if function.function.is_lambda else f"`{function.function.name}`"
    how = {"grad": "differentiated", "mapped": "mapped"}.get(application.row.level, "traced")
    detail = f"`{parameter.name}` is a parameter of {name}, {how} by `{application.short_name}`"
    return Origin("default", detail, function.module.path, parameter.at, trace_origin)


def _argnums(it: Interpreter, application: Application) -> frozenset[int]:
    value = application.arguments.get(1, "argnums")
    if value is None:
        return frozenset((0,))
    numbers = statics.numbers(it, value)
    return frozenset((0,)) if numbers is None else numbers


def _axis(it: Interpreter, application: Application, number: int | None) -> Any:
    """The mapped axis of an argument; None where it is passed through."""
    value = application.arguments.get(1, "in_axes")
    if value is None or number is None:
        return 0
    exact = iteration.exact_elements(it, value)
    if exact is not None:
        if number >= len(exact):
            return None  # the call would raise: nobody passes it
        value = exact[number]
    return None if isinstance(value, Static) and is_none(value) else 0


def _unmapped_idents(arguments: Arguments, lifted: Arguments) -> frozenset[Any]:
    """The identities of arguments that every row gets as they are."""
    found = set()
    for before, after in zip(arguments.positional, lifted.positional):
        for atom in atoms_of(after):
            ident = getattr(atom, "ident", None)
            if ident is not None and any(getattr(a, "ident", None) == ident for a in atoms_of(before)):
                found.add(ident)
    return frozenset(found)


def _bound_idents(target: Value) -> frozenset[Any]:
    """The identities of arguments that a partial application bound beforehand."""
    found: set[Any] = set()
    while isinstance(target, Partial):
        bound = (*target.args, *target.keywords.values())
        found.update(
            atom.ident for value in bound for atom in atoms_of(value) if isinstance(atom, Key | Unknown | Leaves)
        )
        target = target.function
    return frozenset(found - {None})


def _outcome(
    it: Interpreter, term: Term, result: Value, row: TransformRow, arguments: Arguments, application: Application
) -> Value:
    """What a call of the transformed function returns."""
    arrays = row.functions[0].traced[0].head != "arrays" and row.level != "grad"
    match term.head:
        case "result":
            return settle(it, result, arrays=arrays)
        case "batched" | "stacked":
            return settle(it, result, batched=True)
        case "gradient":
            return _gradient(it, application, arguments, result)
        case "tuple":
            parts = [_outcome(it, part, result, row, arguments, application) for part in term.args]
            return Tuple(tuple(parts))
        case "jacobian":
            return Leaves(it.frame.ambient, None, it.ident(-1))
        case "abstract":
            return Static(type="ShapeDtypeStruct")
        case "carry":
            return settle(it, result)
        case _:
            return it.unknown(f"result of `{application.short_name}`", application.at)


def _gradient(it: Interpreter, application: Application, arguments: Arguments, result: Value) -> Value:
    """The gradient has the structure of the differentiated arguments; with has_aux it comes with the extras."""
    value = application.arguments.get(1, "argnums")
    numbers = None if value is None else statics.numbers(it, value)
    level = it.frame.ambient
    wanted = [arguments.get(n, None) for n in sorted(numbers or (0,))]
    parts = [Leaves(level, None, it.ident(-1)) if w is None else at_level(it, w, level, None) for w in wanted]
    single = value is None or isinstance(value, Static)
    gradient: Value = parts[0] if single else Tuple(tuple(parts))
    has_aux = application.arguments.get(None, application.row.aux) if application.row.aux else None
    if has_aux is None or application.row.result.head == "tuple":
        return gradient
    aux = result.elements[1] if isinstance(result, Tuple) and len(result.elements) == 2 else UNKNOWN
    return Tuple((gradient, settle(it, aux, arrays=False)))


# --- functions of which no call is known


def run_generic(it: Interpreter, target: Value, application: Application) -> None:
    """Trace a transformed function with whatever any caller must pass."""
    function = underlying(target)
    if function is None or application.broken or (application.called and function.closure.kind != "module"):
        return
    start = it.fresh()
    arguments, unlifted = _generic_arguments(it, application, function)
    from jaxlint.syntax import ir

    node = ir.Constant(None, application.at)
    call_application(it, application, arguments, node, unlifted, start)


def _generic_arguments(
    it: Interpreter, application: Application, function: FunctionValue
) -> tuple[Arguments, frozenset[str]]:
    """Arguments that any caller must pass, and those that are passed as they are.

    A parameter with a default may stay at it, so nothing is claimed of it: whether it is traced is decided at calls.
    """
    arguments = Arguments()
    unlifted: set[str] = set()
    positional = True
    for number, parameter in enumerate(parameter_names(it, application.target)):
        if parameter.kind in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD):
            positional = False
            continue
        value = _generic_value(it, application, function, number, parameter, unlifted)
        if positional and parameter.kind is not ParameterKind.KEYWORD_ONLY:
            arguments.positional.append(value)
            arguments.positional_at.append(-1)
        else:
            arguments.keywords[parameter.name] = value
    return arguments, frozenset(unlifted)


def _generic_value(
    it: Interpreter,
    application: Application,
    function: FunctionValue,
    number: int,
    parameter: Parameter,
    unlifted: set[str],
) -> Value:
    what = f"parameter `{parameter.name}` of `{function.function.name}`"
    value: Value = Unknown(("parameter", it.fresh(), parameter.name), Reason(what, function.module.path, parameter.at))
    if parameter.annotation is not None and isinstance(value, Unknown):
        value = binding.in_scope_of(it, function, parameter, value)
    is_method = number == 0 and function.cls is not None and function.function.parameters[0].at == parameter.at
    if is_method and function.cls is not None:
        if application.statics.holds(0, parameter.name) or function.cls.kind not in ("pytree", "module"):
            unlifted.add(parameter.name)
        return classes.open_instance(it, function.cls, parameter)
    if not application.statics.known:
        unlifted.add(parameter.name)
        return it.unknown(what, parameter.at) if not isinstance(value, Unknown) else value
    default = function.defaults.get(parameter.name)
    if default is None:
        return value
    if isinstance(default, Static) and is_none(default):
        return join(NONE, value)
    unlifted.add(parameter.name)
    if isinstance(default, Static) and default.type in ("bool", "str"):
        return Static(type=default.type)
    return value if isinstance(value, Unknown) else it.unknown(what, parameter.at)


# --- transforms that run their functions at once


def _run_now(it: Interpreter, row: TransformRow, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """scan, cond, while_loop, vjp ...: trace every function given with what it gets."""
    application = Application(row, name, UNKNOWN, arguments, Statics(), it.frame, node.at)
    operands = _operands(row, arguments)
    _tell_iterators(it, row, operands, arguments, node)
    results: list[Value] = []
    ends: list[State | None] = []
    for spec in row.functions:
        for target in _targets(it, spec, arguments):
            application.target = target
            trace = (
                None if row.level == "inherit" else new_trace(it, name, _LEVELS[row.level], target, it.frame, node.at)
            )
            given = _given(it, row, spec, operands, arguments, application, trace, node)
            if trace is None:
                results.append(calls.dispatch(it, target, given, node))
            elif underlying(target) is not None or isinstance(target, Qualified | Transformed | Object):
                results.append(_branch(it, target, given, node, trace, ends))
    drawn = it.frame.state.keys
    it.resume(*(ends or [it.frame.state]))
    if row.result.head == "abstract":
        it.frame.state.keys = drawn  # only shapes were asked for: no number was drawn
    return _call_outcome(it, row.result, row, operands, results, node, name)


def _branch(
    it: Interpreter, target: Value, given: Arguments, node: ir.Expr, trace: Trace, ends: list[State | None]
) -> Value:
    """Run one function of cond, switch, scan ...: key uses of one branch do not meet those of another."""
    before = it.frame.state
    it.frame.state = before.fork()
    result = invoke(it, target, given, node, trace)
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
    level = Level.GRAD if trace is None else _LEVELS[row.level]
    names = parameter_names(it, application.target)
    given = Arguments()
    origin = Origin("default", "", it.frame.path, node.at, None) if trace is None else trace.origin
    owner = it.frame.serial if trace is None else trace.entry
    for number, term in enumerate(spec.traced):
        parameter = _parameter_at(names, number)
        lift_origin = origin if trace is None else _parameter_origin(it, application, parameter, origin)
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
