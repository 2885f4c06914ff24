"""What calls in view, as they are written, give the parameters of a function of a module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.machine.project_questions import about_all_files, about_one_file
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.file_nodes import nodes_of
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.values import FunctionValue
    from jaxlint.analysis.machine.interpreter import Interpreter


def gives_number(it: Interpreter, function: FunctionValue, parameter: ir.Parameter) -> bool:
    """Whether some call gives a parameter a number that is written there."""
    return any(map(_is_number, _all_given(it, function, parameter)))


def gives_attribute(it: Interpreter, function: FunctionValue, parameter: ir.Parameter) -> bool:
    """Whether some call gives a parameter what an object has: settings, say."""
    return any(isinstance(given, ir.Attribute) for given in _all_given(it, function, parameter))


def _all_given(it: Interpreter, function: FunctionValue, parameter: ir.Parameter) -> list[ir.Expr | None]:
    """What the calls of a function in its own module give a parameter; None where one leaves it out."""
    if function.cls is not None or function.closure.kind != "module":
        return []
    calls = _calls(it, function.module.source.module.body).get(function.function.name, ())
    number = function.function.parameters.index(parameter)
    return [_given(call, number, parameter.name) for call in calls]


def _given(call: ir.Call, number: int, name: str) -> ir.Expr | None:
    before = call.args[: number + 1]
    if len(before) > number and not any(isinstance(argument, ir.Starred) for argument in before):
        return before[number]
    return next((value for keyword, value in call.keywords if keyword == name), None)


def _is_number(node: ir.Expr | None) -> bool:
    return isinstance(node, ir.Constant) and type(node.value) in (int, float)


@memoised
def _calls(_: Interpreter, body: ir.Block) -> Mapping[str, Sequence[ir.Call]]:
    """The calls in a module, by the name that they call."""
    found: dict[str, list[ir.Call]] = {}
    for node in walks.nodes(body):
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Name):
            found.setdefault(node.func.id, []).append(node)
    return found


def is_left_out(it: Interpreter, module: str, function: ir.Function, parameter: ir.Parameter) -> bool:
    """Whether no call of a function in the project, and none that binds arguments to it, gives it this parameter.

    A mapping, `f(**settings)`, may give it where the name of the parameter is written as text in some file.
    """
    number = function.parameters.index(parameter)
    return _is_left_out(it, module, function.name, parameter.name, str(number))


@about_all_files
def _is_left_out(it: Interpreter, module: str, function: str, parameter: str, number: str) -> bool:
    """Whether no file gives a function of a module the parameter."""
    for source in it.project.files.values():
        used = _used(it, source.module.body)
        if parameter in used.texts:
            return False
        if source.name != module and not any(_may_be(module, each) for each in used.imported):
            continue
        given = (call for call in used.calls if call.function in (function, "dict"))
        if any(call.gives(parameter, int(number)) for call in given):
            return False
    return True


class _Call(NamedTuple):
    """A call of a function, or one that binds arguments to it: by keyword, and how many by position at most."""

    function: str
    keywords: frozenset[str]
    positions: int | None

    def gives(self, parameter: str, number: int) -> bool:
        """Whether it may give this parameter."""
        by_position = self.function != "dict" and (self.positions is None or self.positions > number)
        return parameter in self.keywords or by_position


class _Used(NamedTuple):
    """The modules and names that a file imports, the calls in it, and its texts."""

    imported: frozenset[str]
    calls: tuple[_Call, ...]
    texts: frozenset[str]


def _may_be(module: str, imported: str) -> bool:
    """Whether what is imported is a module, as named from a folder that it lies in, or a name of that."""
    names = (imported, imported.rpartition(".")[0])
    return any(name and f".{module}".endswith(f".{name}") for name in names)


@about_one_file
def _used(it: Interpreter, body: ir.Block) -> _Used:
    imported: set[str] = set()
    calls: list[_Call] = []
    texts: set[str] = set()
    for node in nodes_of(it, body, ir.Import, ir.Call, ir.Constant):
        match node:
            case ir.Import(bindings=bindings, modules=modules):
                imported.update(modules, (qualified for _, qualified in bindings))
            case ir.Call(func=func, args=args):
                calls.append(_call(func, args, node))
                if args and isinstance(args[0], ir.Name | ir.Attribute):
                    calls.append(_call(args[0], args[1:], node))  # functools.partial(f, ...), and the like
            case ir.Constant(value=str(text)):
                texts.add(text)
    return _Used(frozenset(imported), tuple(calls), frozenset(texts))


def _call(func: ir.Expr, args: tuple[ir.Expr, ...], node: ir.Call) -> _Call:
    name = func.attr if isinstance(func, ir.Attribute) else func.id if isinstance(func, ir.Name) else ""
    positions = None if any(isinstance(argument, ir.Starred) for argument in args) else len(args)
    return _Call(name, frozenset(keyword for keyword, _ in node.keywords if keyword), positions)
