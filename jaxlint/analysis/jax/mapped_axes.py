"""The axes that `vmap` maps its arguments along, and whether the arguments have them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.application import function_label, underlying
from jaxlint.analysis.domain.values import (
    Arguments,
    Array,
    DictCell,
    Key,
    Level,
    Object,
    Shape,
    Static,
    Tuple,
    Value,
    atoms_of,
)
from jaxlint.analysis.events.contracts import AxesMismatch
from jaxlint.analysis.jax.loop_contracts import accepted, is_unpacked
from jaxlint.analysis.jax.traced_calls import parameter_names
from jaxlint.analysis.jax.tree_nodes import node_of
from jaxlint.analysis.jax.tree_types import dims
from jaxlint.analysis.machine.levels import NUMBERS
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING
from jaxlint.analysis.python import iteration
from jaxlint.syntax.ir import Call, Name, ParameterKind, Starred
from jaxlint.text import plural

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax import ir


class _Given(NamedTuple):
    """An argument, or the part of it at a `path`: where it is written, or the call, with the name of its parameter."""

    at: int
    name: str = ""
    path: str = ""

    def text(self, it: Interpreter) -> str:
        """What a message calls it; of a file whose spans may have to be computed first."""
        return (self.name or it.frame.module.text(self.at)) + self.path


def axis_of(it: Interpreter, application: Application, number: int | None) -> int | None:
    """The one axis that an argument is mapped along; None where it is not known, or differs between its leaves."""
    value = application.arguments.get(1, "in_axes")
    if value is None or number is None:
        return 0
    exact = iteration.exact_elements(it, value)
    if exact is not None:
        value = exact[number] if number < len(exact) else None
    return _number(value)


def _number(value: Value | None) -> int | None:
    return value.value if isinstance(value, Static) and type(value.value) is int else None


def applied(it: Interpreter, application: Application, node: ir.Expr) -> None:
    """A function is mapped: tell the rules of axes that are given by the names of parameters, which `vmap` refuses."""
    value = application.arguments.get(1, "in_axes")
    if not isinstance(value, Object) or not it.wants(AxesMismatch) or not it.api.has(application.name, "checks-axes"):
        return
    if isinstance(it.cell(value), DictCell):
        fault = "`in_axes` is a dict, but must be an integer, None, or a tuple with an entry for each argument"
        at = application.arguments.at(1, "in_axes")
        it.emit(AxesMismatch(it.frame, at if at >= 0 else node.at, application, fault, node.at))
        application.broken = True


def check(it: Interpreter, application: Application, arguments: Arguments, node: ir.Expr) -> None:
    """Tell the rules of arguments that do not have the axes that they are to be mapped along."""
    if application.broken or not it.wants(AxesMismatch) or not it.api.has(application.name, "checks-axes"):
        return
    is_whole = not is_unpacked(node)
    if arguments.extra or application.arguments.extra or not (is_whole or _is_unpacked_here(it, node)):
        return
    refusal = _refusal(it, application, arguments)
    fault = _count_fault(it, application, arguments) or refusal
    at = node.at
    if fault is None:
        if not is_whole:
            return
        found = next(_faults(it, application, arguments, node), None)
        if found is None:
            return
        fault, at = found
    named = _named(it, application, arguments) if at == node.at else ()
    numbers = tuple(i for i, value in enumerate(arguments.positional) if _is_number(value) and refusal is None)
    it.emit(AxesMismatch(it.frame, at, application, fault, node.at, named, numbers))


def _is_unpacked_here(it: Interpreter, node: ir.Expr) -> bool:
    """Whether a call unpacks only tuples that the code around makes, so that their lengths are those of a run."""
    arguments = node.args if isinstance(node, Call) else ()
    starred = (argument.value for argument in arguments if isinstance(argument, Starred))
    return all(isinstance(each, Name) and _is_tuple_made_here(it, each.id) for each in starred)


def _is_tuple_made_here(it: Interpreter, name: str) -> bool:
    function, found = it.frame.function, it.find_binding(name)
    if found is None or found[0] is not it.frame or not isinstance(found[1], Tuple):
        return False
    return function is None or all(parameter.name != name for parameter in function.parameters)


def _refusal(it: Interpreter, application: Application, arguments: Arguments) -> str | None:
    """What is wrong with the number of arguments that the function itself gets, all of them by position."""
    function, accepts = underlying(application.target), accepted(it, application.target)
    given = len(arguments.positional)
    if function is None or accepts is None or arguments.keywords or accepts[0] <= given <= accepts[1]:
        return None
    least, most = accepts
    takes = plural(most, "argument") if least == most else f"{least} to {most} arguments"
    return f"{function_label(function)} takes {takes}, but is called with {given}"


def _is_number(value: Value) -> bool:
    return len(atoms_of(value)) == 1 and _shape(value) == ()


def _named(it: Interpreter, application: Application, arguments: Arguments) -> tuple[str, ...]:
    """Keywords that might as well be given by position, if then there were as many arguments as axes."""
    value = application.arguments.get(1, "in_axes")
    axes = None if value is None else iteration.exact_elements(it, value)
    first, given = len(arguments.positional), tuple(arguments.keywords)
    if axes is None or not given or len(axes) != first + len(given):
        return ()
    taken = [p.name for p in parameter_names(it, application.target) if p.kind is ParameterKind.POSITIONAL]
    return given if tuple(taken[first : first + len(given)]) == given else ()


def _count_fault(it: Interpreter, application: Application, arguments: Arguments) -> str | None:
    """What is wrong with the number of axes."""
    value = application.arguments.get(1, "in_axes")
    exact = None if value is None else iteration.exact_elements(it, value)
    if exact is None or len(exact) == len(arguments.positional):
        return None
    given = plural(len(arguments.positional), "positional argument")
    fault = f"`in_axes` has {len(exact)} {'entry' if len(exact) == 1 else 'entries'}, but the call has {given}"
    if arguments.keywords:
        fault += f"; `{next(iter(arguments.keywords))}` is passed by keyword, and so mapped along axis 0"
    return fault


def _faults(
    it: Interpreter, application: Application, arguments: Arguments, node: ir.Expr
) -> Iterator[tuple[str, int]]:
    """What is wrong with one argument, or with the lengths of two of them, and where it is written."""
    seen: list[tuple[_Given, int]] = []
    for number, value in enumerate(arguments.positional):
        axis = axis_of(it, application, number)
        at = arguments.positional_at[number]
        name = "" if at >= 0 else _parameter(it, application, number)
        yield from _of_argument(it, value, axis, _Given(at if at >= 0 else node.at, name), seen)
    for name, value in arguments.keywords.items():
        yield from _of_argument(it, value, 0, _Given(arguments.keyword_at.get(name, node.at)), seen)


def _parameter(it: Interpreter, application: Application, number: int) -> str:
    """The parameter that gets an argument which is written nowhere."""
    names = parameter_names(it, application.target)
    return names[number].name if number < len(names) else ""


def _of_argument(
    it: Interpreter, value: Value, axis: int | None, argument: _Given, seen: list[tuple[_Given, int]]
) -> Iterator[tuple[str, int]]:
    """What is wrong with one argument, or with its length beside those that were `seen`; it is among them then."""
    for path, leaf in _leaves(it, value) if axis is not None else ():
        yield from _of_leaf(it, leaf, axis or 0, argument._replace(path=path), seen)


def _leaves(it: Interpreter, value: Value, path: str = "", depth: int = 0) -> Iterator[tuple[str, Value]]:
    """The leaves of an argument, each with how to get there."""
    atoms = atoms_of(value)
    node = node_of(it, atoms[0]) if len(atoms) == 1 and depth < MAX_NESTING else None
    if node is None:
        yield path, value
    for step, part in node.parts.items() if node is not None else ():
        yield from _leaves(it, part, f"{path}{step}", depth + 1)


def _of_leaf(
    it: Interpreter, value: Value, axis: int, argument: _Given, seen: list[tuple[_Given, int]]
) -> Iterator[tuple[str, int]]:
    shape = _shape(value) if len(atoms_of(value)) == 1 else None
    if shape is None:
        return
    if not -len(shape) <= axis < len(shape):
        what = f"has shape {dims(shape)}" if shape else "has no axes"
        yield f"`{argument.text(it)}` {what}, but is mapped along axis {axis}", argument.at
        return
    length = shape[axis]
    if not isinstance(length, int):
        return
    other = next((each for each in seen if each[1] != length), None)
    if other is not None:
        first = f"`{other[0].text(it)}` has mapped length {other[1]}"
        yield f"`{argument.text(it)}` has mapped length {length}, but {first}", argument.at
    seen.append((argument, length))


def _shape(value: Value) -> Shape:
    """The shape of a single array or number; None where it is not known."""
    match value:
        case Array() if not value.assumed:
            return value.shape
        case Key() if value.typed and (value.shape or value.level < Level.MAPPED):  # a row of keys counts as one key
            return value.shape
        case Static() if value.type in NUMBERS and value.known:  # an annotation may call an array a number
            return ()
        case _:
            return None
