"""Functions of a script or notebook that nothing calls: no file imports it, and none of its code names them.

Under-approximates: a function that a decorator may register, a test runner may collect, or a string may name counts as
used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.machine.project_questions import about_all_files
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.demonstrations import main_guards
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.values import FunctionValue
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax.source import SourceFile

#: Functions by which code comes to any name of its module.
_BY_NAME: Final = frozenset({"eval", "exec", "globals", "locals"})


class _Script(NamedTuple):
    """What the code of a file does when it is run, and which of its own definitions it names."""

    runs: bool
    named: frozenset[str]
    is_open: bool  # any of its functions may be called by its name


def is_unused(it: Interpreter, function: FunctionValue) -> bool:
    """Whether a function, or the class of a method, stands in a script or notebook in which nothing uses it."""
    definition = function.function if function.cls is None else function.cls.cls
    if definition.decorators or definition.name != definition.qualname or definition.name.startswith(("test", "Test")):
        return False
    source = function.module.source
    return definition.name not in _script(it, source.module.body).named and is_closed(it, source)


def is_closed(it: Interpreter, source: SourceFile) -> bool:
    """Whether a file is a script, or has cells, and nothing else can use its code."""
    script = _script(it, source.module.body)
    if script.is_open or not (script.runs or source.layout is not None):
        return False
    return not _is_imported(it, source.module.name.rpartition(".")[2])


@about_all_files
def _is_imported(it: Interpreter, name: str) -> bool:
    """Whether a file imports a module of this name, of whatever package."""
    return any(
        name in part.split(".")
        for source in it.project.files.values()
        for part in source.module.imports
        if source.module.name.rpartition(".")[2] != name
    )


@memoised
def _script(it: Interpreter, body: ir.Block) -> _Script:
    calls = list(_calls(body))
    bindings = (statement.bindings for statement in body if isinstance(statement, ir.Import))
    imported = {name: full for each in bindings for name, full in each}
    called = {_full_name(call.func, imported) for call in calls}
    names = {node.id for node in walks.nodes(body) if isinstance(node, ir.Name)}
    is_open = any(it.api.has(name, "runs-any-function") for name in called) or not names.isdisjoint(_BY_NAME)
    return _Script(bool(calls), _named(body), is_open)


def _full_name(function: ir.Expr, imported: Mapping[str, str]) -> str:
    root, dot, rest = walks.dotted(function).partition(".")
    return f"{imported.get(root, root)}{dot}{rest}"


def _calls(body: ir.Block) -> Iterator[ir.Call]:
    """The calls behind `if __name__ == "__main__":`, which make a file a script."""
    for guard in main_guards(body):
        yield from (node for node in walks.nodes(guard.body) if isinstance(node, ir.Call))


def _named(body: ir.Block) -> frozenset[str]:
    """The names and texts in the code, those of each definition outside of itself."""
    found: set[str] = set()
    for statement in body:
        own = _defined(statement)
        found |= {word for node in walks.nodes(statement) if (word := _word(node)) and word != own}
    return frozenset(found)


def _defined(statement: ir.Stmt) -> str:
    match statement:
        case ir.FunctionDefinition(function=function):
            return function.name
        case ir.ClassDefinition(cls=cls):
            return cls.name
        case _:
            return ""


def _word(node: object) -> str:
    match node:
        case ir.Name(id=name):
            return name
        case ir.Constant(value=str() as text):
            return text
        case _:
            return ""
