"""Method calls on strings: what they are while tracing is known where the string and the arguments are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.values import (
    STATIC_STR,
    Arguments,
    Iterable,
    ListCell,
    Static,
    Tuple,
    Value,
    constant,
    is_none,
)
from jaxlint.analysis.python import text_and_hash
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

_ASKING = frozenset({"startswith", "endswith", "isdigit", "isalpha", "isidentifier", "islower", "isupper"})
_CUTTING = frozenset({"split", "rsplit", "splitlines"})
_PARTING = frozenset({"partition", "rpartition"})
_CHANGING = frozenset(
    {"lower", "upper", "casefold", "capitalize", "title", "strip", "lstrip", "rstrip", "replace", "removeprefix"}
)
#: Methods whose result is worked out; none of them makes a text much longer, `replace` is bounded below.
_WORKED_OUT = _ASKING | _CUTTING | _PARTING | _CHANGING | {"removesuffix"}
#: Texts longer than this, and lists of more parts, are not worked out.
_LONGEST = 200
_MOST_PARTS = 8


def method(it: Interpreter, receiver: Static, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A method of a str; traced values that it formats are told to the rules."""
    if name == "format":
        return _format(it, receiver, arguments, node)
    found = _worked_out(receiver, name, arguments)
    if isinstance(found, list):
        parts = tuple(map(constant, found))
        return it.allocate(ListCell(it.birth(node.at), parts, STATIC_STR))
    if isinstance(found, tuple):
        return Tuple(tuple(map(constant, found)))
    if found is not None:
        return constant(found)
    if name in _CUTTING:
        return it.allocate(ListCell(it.birth(node.at), None, STATIC_STR))
    if name in _PARTING:
        return Iterable("tuple", STATIC_STR)
    return Static(type="bool") if name in _ASKING else STATIC_STR


def _format(it: Interpreter, receiver: Static, arguments: Arguments, node: ir.Expr) -> Value:
    spec = text_and_hash.wants_numbers(receiver)
    for value, at in zip(arguments.positional, arguments.positional_at):
        text_and_hash.formatted(it, value, ir.Constant(None, at if at >= 0 else node.at), "str.format", spec)
    for key, value in arguments.keywords.items():
        at = arguments.keyword_at.get(key, node.at)
        text_and_hash.formatted(it, value, ir.Constant(None, at), "str.format", spec)
    return STATIC_STR


def _worked_out(receiver: Static, name: str, arguments: Arguments) -> Any:
    """What the method gives of known strings; None where that is not known."""
    if name not in _WORKED_OUT or not _is_short(receiver) or arguments.keywords or arguments.extra:
        return None
    given = [_plain(value) for value in arguments.positional]
    if ... in given:
        return None
    try:
        found = getattr(receiver.value, name)(*given)
    except (TypeError, ValueError):
        return None
    fits = len(found) <= (_MOST_PARTS if isinstance(found, list) else _LONGEST) if not isinstance(found, bool) else True
    return found if fits else None


def _plain(value: Value) -> Any:
    """The string, number or tuple of strings that an argument is; Ellipsis where it is something else."""
    if isinstance(value, Tuple):
        parts = tuple(_plain(part) for part in value.elements)
        return ... if ... in parts else parts
    if not isinstance(value, Static):
        return ...
    return value.value if is_none(value) or isinstance(value.value, int) or _is_short(value) else ...


def _is_short(value: Static) -> bool:
    return isinstance(value.value, str) and len(value.value) <= _LONGEST
