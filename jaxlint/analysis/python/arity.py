"""Whether a callable takes arguments, by their number and names."""

from __future__ import annotations

from jaxlint.analysis.domain.values import (
    UNKNOWN,
    Arguments,
    BoundMethod,
    ClassValue,
    FunctionValue,
    Partial,
    Transformed,
    Value,
)
from jaxlint.syntax.ir import Parameter, ParameterKind


def accepts(callee: Value, arguments: Arguments) -> bool:
    """Whether a callable can take these arguments, by their number and names; True where that is not known."""
    match callee:
        case FunctionValue():
            return _fits(callee.function.parameters, arguments)
        case BoundMethod():
            return accepts(callee.function, arguments.before((callee.receiver,), {}))
        case Partial():
            return accepts(callee.function, arguments.before(callee.args, callee.keywords))
        case Transformed():
            return accepts(callee.application.target, arguments)
        case ClassValue(namespace={"__init__": FunctionValue() as initializer}):
            return accepts(initializer, arguments.before((UNKNOWN,), {}))
        case _:
            return True


def _fits(parameters: tuple[Parameter, ...], arguments: Arguments) -> bool:
    kinds = {parameter.kind for parameter in parameters}
    places = [p for p in parameters if p.kind <= ParameterKind.POSITIONAL]
    if len(arguments.positional) > len(places) and ParameterKind.VAR_POSITIONAL not in kinds:
        return False
    left = [p for p in parameters if p not in places[: len(arguments.positional)]]
    named = {p.name for p in left if p.kind in (ParameterKind.POSITIONAL, ParameterKind.KEYWORD_ONLY)}
    if not named >= arguments.keywords.keys() and ParameterKind.VAR_KEYWORD not in kinds:
        return False
    required = (p for p in left if p.default is None and p.kind not in _COLLECTING)
    return arguments.extra or all(parameter.name in arguments.keywords for parameter in required)


_COLLECTING = frozenset({ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD})
