"""Calls of `einsum` and of einops, held against the patterns that they are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain import axis_patterns as patterns
from jaxlint.analysis.domain.values import Arguments, Array, Dim, Shape, Static, Value
from jaxlint.analysis.events.arrays import PatternMismatch
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.python import iteration
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Parameters of einops that are no lengths of axes.
_OTHERS = frozenset({"tensor", "pattern", "reduction"})


def check(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> None:
    """Tell the rules of a call that does not fit its pattern, where that is a constant."""
    call = _read(it, name, arguments) if it.wants(PatternMismatch) else None
    if call is None:
        return
    lengths = {} if call.kind == "einsum" else _lengths(arguments)
    fault = next(patterns.faults(call.pattern, call.shapes, lengths, call.kind), None)
    if fault is not None:
        operands = tuple(Operand.argument(arguments, number, it.frame, node.at) for number in call.numbers)
        it.emit(PatternMismatch(it.frame, node.at, call.text, operands, fault))


def result_shape(it: Interpreter, name: str, arguments: Arguments) -> Shape:
    """The shape of what `einsum` gives; None where the pattern does not tell."""
    call = _read(it, name, arguments)
    is_fitting = call is not None and call.kind == "einsum" and len(call.shapes) == len(call.pattern.operands)
    return patterns.result(call.pattern, call.shapes) if call is not None and is_fitting else None


class _Call(NamedTuple):
    """A call with a constant pattern: the operands' positions and shapes."""

    kind: str
    text: str
    pattern: patterns.Pattern
    numbers: list[int]
    shapes: list[Shape]


def _read(it: Interpreter, name: str, arguments: Arguments) -> _Call | None:
    meaning = it.api.meaning(name)
    if meaning is None or meaning.head != "axis_pattern" or arguments.extra or not arguments.positional:
        return None
    kind, place = meaning.args[0].head, int(meaning.args[1].head)
    text = arguments.positional[place] if -len(arguments.positional) <= place < len(arguments.positional) else None
    text = arguments.keywords.get("pattern", text) if kind != "einsum" else text
    if kind == "einsum" and place == 0 and isinstance(text, Array):
        return _numbered(it, arguments.positional)
    if not isinstance(text, Static) or not isinstance(text.value, str):
        return None
    is_letters = kind == "einsum" and place == 0
    pattern = patterns.parse_einsum(text.value) if is_letters else patterns.parse_einops(text.value)
    numbers = _operands(arguments, kind, text)
    if pattern is None or not numbers:
        return None
    return _Call(kind, text.value, pattern, numbers, [_shape(arguments.positional[number]) for number in numbers])


def _numbered(it: Interpreter, given: list[Value]) -> _Call | None:
    """A call of the form `einsum(x, [0, 1], y, [1, 2], [0, 2])`, where all lists are known."""
    lists = [_elements(it, value) for value in (*given[1::2], *(given[-1:] if len(given) % 2 else ()))]
    known = [axes for axes in lists if axes is not None]
    if len(known) < len(lists) or not known:
        return None
    count = len(given) // 2
    pattern = patterns.parse_numbered(known[:count], known[count] if len(given) % 2 else None)
    if pattern is None:
        return None
    text = ",".join(term.text for term in pattern.operands)
    text = text if pattern.result is None else f"{text}->{pattern.result.text}"
    numbers = list(range(0, 2 * count, 2))
    return _Call("einsum", text, pattern, numbers, [_shape(given[number]) for number in numbers])


def _elements(it: Interpreter, value: Value) -> list[object] | None:
    """The elements of a sequence, where each is known."""
    elements = iteration.exact_elements(it, value)
    if elements is None or not all(isinstance(each, Static) and each.known for each in elements):
        return None
    return [each.value for each in elements if isinstance(each, Static)]


def _operands(arguments: Arguments, kind: str, pattern: Value) -> list[int]:
    """The positions of the arrays: all that are no pattern, or the first."""
    if kind != "einsum":
        return [0]
    return [number for number, value in enumerate(arguments.positional) if value is not pattern]


def _shape(value: Value) -> Shape:
    """The shape of an array; what is stacked first, or is no array, has none that is known."""
    return value.shape if isinstance(value, Array) else None


def _lengths(arguments: Arguments) -> dict[str, Dim]:
    """The lengths of axes that are given by name."""
    named = {name: value for name, value in arguments.keywords.items() if name not in _OTHERS}
    return {
        name: value.value if isinstance(value, Static) and type(value.value) is int else None
        for name, value in named.items()
    }
