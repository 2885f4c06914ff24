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
    given, keywords = len(arguments.positional), arguments.keywords
    places = [p for p in parameters if p.kind <= ParameterKind.POSITIONAL]
    others = [p for p in parameters if p.kind > ParameterKind.POSITIONAL]
    kinds = [p.kind for p in others]
    if given > len(places) and ParameterKind.VAR_POSITIONAL not in kinds:
        return False
    left = places[given:] + others
    if keywords and ParameterKind.VAR_KEYWORD not in kinds:
        named = {p.name for p in left if p.kind in (ParameterKind.POSITIONAL, ParameterKind.KEYWORD_ONLY)}
        if not named >= keywords.keys():
            return False
    return arguments.extra or not any(
        p.default is None and p.kind not in _COLLECTING and p.name not in keywords for p in left
    )


_COLLECTING = frozenset({ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD})
