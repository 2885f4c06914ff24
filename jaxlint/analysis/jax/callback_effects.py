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
from jaxlint.analysis.domain.values import (
    CONTAINERS,
    Arguments,
    BoundMethod,
    DictCell,
    FunctionValue,
    InstanceCell,
    Object,
    Partial,
    Transformed,
    Tuple,
    Value,
    is_none,
)
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


class _Host(NamedTuple):
    """The function that runs on the host, and the object whose method it is."""

    value: FunctionValue
    receiver: Value | None

    @property
    def function(self) -> ir.Function:
        """Its source."""
        return self.value.function

    @property
    def self_name(self) -> str:
        """What the method calls its object; empty where it is no method of a known one."""
        return "" if self.receiver is None else next((p.name for p in self.function.parameters), "")


def _receiver(target: Value) -> Value | None:
    while isinstance(target, Partial | Transformed):
        target = target.function if isinstance(target, Partial) else target.application.target
    return target.receiver if isinstance(target, BoundMethod) else None


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
    effect = None if function is None else next(_effects(it, _Host(function, _receiver(target))), None)
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
    return is_none(declared)


def _effects(it: Interpreter, host: _Host) -> Iterator[_Effect]:
    """The effects of the function's own code, those of functions inside aside."""
    body = host.function.body
    declared = {n for s in walks.nodes(body) if isinstance(s, ir.ScopeDeclaration) for n in s.names}
    for part in walks.nodes(body):
        match part:
            case ir.Assign() | ir.AugmentedAssign():
                for target in assignment_targets(part):
                    effect = _store(it, host, target, declared)
                    if effect:
                        yield _Effect(effect, part.at)
            case ir.Call(func=ir.Attribute(base=owner, attr=attr)) if attr in _CHANGES:
                if attr in _FORGETS and _is_looked_up(host, owner):
                    continue  # a cache with room for so many results
                if _is_container(it, host, owner):
                    yield _Effect(f"changes `{_text(owner)}`", part.at)
                else:
                    yield from _library_effect(it, host.value, part)
            case ir.Call():
                yield from _library_effect(it, host.value, part)


def _store(it: Interpreter, host: _Host, target: Any, declared: set[str]) -> str:
    """What a store outside of the function changes; empty for its own names, and for items of a cache."""
    function, bound = host.value, host.function.scope.bound
    match target:
        case ir.Name(id=name) if name in declared:
            return f"assigns `{name}`"
        case ir.Attribute(base=ir.Name(id=owner), attr=attr):
            receiver = function.function.parameters[0].name if function.cls and function.function.parameters else ""
            is_outside = owner not in bound or (owner == receiver and function.cls is not None)
            return f"assigns `{owner}.{attr}`" if is_outside else ""
        case ir.Subscript(base=owner):
            if not _is_container(it, host, owner) or _is_looked_up(host, owner):
                return ""
            return f"assigns an item of `{_text(owner)}`"
        case _:
            return ""


def _is_container(it: Interpreter, host: _Host, node: ir.Expr) -> bool:
    """Whether what is written is a list, a dict or a set from outside of the function."""
    value = _outside(it, host, node)
    return isinstance(value, Object) and isinstance(it.cell(value), CONTAINERS)


def _outside(it: Interpreter, host: _Host, node: ir.Expr) -> Value | None:
    """What a name from outside of the function holds, the function's own object, or an attribute or item of these."""
    match node:
        case ir.Name(id=name) if name == host.self_name:
            return host.receiver
        case ir.Name(id=name) if name not in host.function.scope.bound:
            held = (scope.state.env.get(name) for scope in host.value.closure.scopes())
            return next((value for value in held if value is not None), None)
        case ir.Attribute(base=base, attr=attr):
            owner = _outside(it, host, base)
            cell = it.cell(owner) if isinstance(owner, Object) else None
            return cell.attributes.get(attr) if isinstance(cell, InstanceCell) else None
        case ir.Subscript(base=base, index=(ir.Constant(value=str() as key),)):
            owner = _outside(it, host, base)
            cell = it.cell(owner) if isinstance(owner, Object) else None
            return cell.items.get(key) if isinstance(cell, DictCell) else None
        case _:
            return None


def _text(node: ir.Expr) -> str:
    return _text(node.base) + "[...]" if isinstance(node, ir.Subscript) else walks.dotted(node)


def _is_looked_up(host: _Host, container: ir.Expr) -> bool:
    """Whether the function asks a container what it holds: `if key in cache`, `cache.get(key)`, `cache[key]`."""
    text = _text(container)
    for part in walks.nodes(host.function.body):
        match part:
            case ir.Comparison(rest=rest) if any(op in ("in", "not in") and _text(other) == text for op, other in rest):
                return True
            case ir.Attribute(base=owner, attr="get" | "setdefault") if _text(owner) == text:
                return True
            case ir.Return(value=ir.Subscript(base=owner)) if _text(owner) == text:
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
