"""Host functions that JAX may run any number of times, or never, because the callback was declared pure.

As measured, JAX drops a pure callback whose result nobody uses, runs one out of a loop once where its operands stay the
same, and runs it once per row under `vmap`.

Under-approximates: effects that the body of the function has itself. A cache that it keeps for its results is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jaxlint.analysis.domain.application import underlying
from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.values import CONTAINERS, Arguments, FunctionValue, Object, Tuple, Value, is_none
from jaxlint.analysis.events.effects import ImpureCallback
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.jax import traced_calls
from jaxlint.analysis.python import iteration
from jaxlint.analysis.python.library_names import named_in
from jaxlint.syntax import ir, walks
from jaxlint.syntax.ir import ParameterKind
from jaxlint.syntax.walks import assignment_targets

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: What effects of library functions do, by their kinds.
_DOES: Final = {
    "host-rng": "draws random numbers", "io": "reads or writes", "clock": "reads the clock", "print": "prints",
    "network": "uses the network", "process": "starts or queries a process", "experiment-logger": "logs",
}  # fmt: skip
#: Methods that change a container.
_CHANGES: Final = frozenset(
    {"append", "extend", "insert", "add", "update", "pop", "popleft", "appendleft", "remove", "discard", "clear"}
)
#: Those of them that take entries out.
_FORGETS: Final = frozenset({"pop", "clear"})


class _Effect(NamedTuple):
    """What a function does beside giving a result, as a clause, and where."""

    does: str
    at: int


def tell(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> None:
    """Tell the rules of a pure callback that has effects, or no result that JAX would run it for."""
    if not it.wants(ImpureCallback) or not it.api.has(name, "assumes-pure"):
        return
    target = arguments.first
    function = underlying(target)
    operand = Operand(target, it.frame, arguments.at(0, "callback"))
    if arguments.at(0, "callback") < 0:
        return
    lacking = _lacks_shape(it, target, arguments)
    if lacking:
        it.emit(ImpureCallback(it.frame, node.at, operand, "no shape", lacking, None))
        return
    if _gives_nothing(it, arguments):
        it.emit(ImpureCallback(it.frame, node.at, operand, "no result", "", None))
        return
    effect = None if function is None else next(_effects(it, function), None)
    if effect is not None and function is not None:
        place = Place(function.module.path, effect.at)
        it.emit(ImpureCallback(it.frame, node.at, operand, "effect", effect.does, place))


def _lacks_shape(it: Interpreter, target: Value, arguments: Arguments) -> str:
    """The parameter of the function that is given nothing where the first operand stands for the result's shape."""
    if arguments.extra or len(arguments.positional) < 2 or not isinstance(target, FunctionValue):
        return ""
    if "result_shape_dtypes" in arguments.keywords:
        return ""
    parameters = traced_calls.parameter_names(it, target)
    wanted = [p.name for p in parameters if p.default is None and p.kind <= ParameterKind.POSITIONAL]
    given = len(arguments.positional) - 2
    missing = [name for name in wanted[given:] if name not in arguments.keywords]
    return missing[0] if missing else ""


def _gives_nothing(it: Interpreter, arguments: Arguments) -> bool:
    """Whether the declared result has no arrays: None, or an empty tuple."""
    declared = arguments.get(1, "result_shape_dtypes")
    if declared is None:
        return False
    if isinstance(declared, Tuple | Object):
        return iteration.exact_elements(it, declared) == ()
    return is_none(declared)  # type: ignore[arg-type]


def _effects(it: Interpreter, function: FunctionValue) -> Iterator[_Effect]:
    """The effects of the function's own code, those of functions inside aside."""
    scope = function.function.scope
    body = function.function.body
    declared = {n for s in walks.nodes(body) if isinstance(s, ir.ScopeDeclaration) for n in s.names}
    for part in walks.nodes(body):
        match part:
            case ir.Assign() | ir.AugmentedAssign():
                for target in assignment_targets(part):
                    effect = _store(it, function, target, declared)
                    if effect:
                        yield _Effect(effect, part.at)
            case ir.Call(func=ir.Attribute(base=ir.Name(id=owner), attr=attr)) if attr in _CHANGES:
                if attr in _FORGETS and _is_looked_up(function, owner):
                    continue  # a cache with room for so many results
                if owner not in scope.bound and _is_container(it, function, owner):
                    yield _Effect(f"changes `{owner}`", part.at)
                elif owner not in scope.bound:
                    yield from _library_effect(it, function, part)
            case ir.Call():
                yield from _library_effect(it, function, part)


def _store(it: Interpreter, function: FunctionValue, target: Any, declared: set[str]) -> str:
    """What a store outside of the function changes; empty for its own names, and for items of a cache."""
    bound = function.function.scope.bound
    match target:
        case ir.Name(id=name) if name in declared:
            return f"assigns `{name}`"
        case ir.Attribute(base=ir.Name(id=owner), attr=attr):
            receiver = function.function.parameters[0].name if function.cls and function.function.parameters else ""
            is_outside = owner not in bound or (owner == receiver and function.cls is not None)
            return f"assigns `{owner}.{attr}`" if is_outside else ""
        case ir.Subscript(base=ir.Name(id=owner)):
            if owner in bound or not _is_container(it, function, owner) or _is_looked_up(function, owner):
                return ""
            return f"assigns an item of `{owner}`"
        case _:
            return ""


def _is_container(it: Interpreter, function: FunctionValue, name: str) -> bool:
    """Whether a name from outside of a function is a list, a dict or a set there."""
    held = (scope.state.env.get(name) for scope in function.closure.scopes())
    value = next((value for value in held if value is not None), None)
    return isinstance(value, Object) and isinstance(it.cell(value), CONTAINERS)


def _is_looked_up(function: FunctionValue, name: str) -> bool:
    """Whether the function asks a container what it holds: `if key in cache`, `cache.get(key)`, `cache[key]`."""
    for part in walks.nodes(function.function.body):
        match part:
            case ir.Comparison(rest=rest) if any(
                op in ("in", "not in") and isinstance(other, ir.Name) and other.id == name for op, other in rest
            ):
                return True
            case ir.Attribute(base=ir.Name(id=owner), attr="get" | "setdefault") if owner == name:
                return True
            case ir.Return(value=ir.Subscript(base=ir.Name(id=owner))) if owner == name:
                return True
    return False


def _library_effect(it: Interpreter, function: FunctionValue, call: ir.Call) -> Iterator[_Effect]:
    name = named_in(it, function, call.func)
    if not name and isinstance(call.func, ir.Name) and call.func.id not in function.function.scope.bound:
        name = f"builtins.{call.func.id}"
    row = it.api.effect(name) if name else None
    if row is not None and row.kind in _DOES:
        yield _Effect(_DOES[row.kind], call.at)
        return
    match call.func:
        case ir.Attribute(base=ir.Name(id=owner)) if _is_generator(it, function, owner):
            yield _Effect(_DOES["host-rng"], call.at)


def _is_generator(it: Interpreter, function: FunctionValue, name: str) -> bool:
    """Whether a name from outside of the function is a random generator of the host."""
    if name in function.function.scope.bound:
        return False
    for scope in function.closure.scopes():
        for statement in walks.statements(scope.body):
            match statement:
                case ir.Assign(targets=(ir.Name(id=bound),), value=ir.Call(func=made)) if bound == name:
                    outer = named_in(it, function, made)
                    return it.api.has(outer, "random-generator")
    return False
