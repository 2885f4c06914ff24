"""Functions of a script or notebook that nothing calls: no file imports it, and none of its code names them.

Under-approximates: a function that a decorator may register, a test runner may collect, or a string may name counts as
used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.machine.project_questions import about_all_files
from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.values import FunctionValue
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax.source import SourceFile

#: Functions by which code comes to any name of its module.
_BY_NAME: Final = frozenset({"eval", "exec", "globals", "locals"})


def is_unused(it: Interpreter, function: FunctionValue) -> bool:
    """Whether a function, or the class of a method, stands in a script or notebook in which nothing uses it.

    One that stands in a function is not used if nothing else there names it.
    """
    definition = function.function if function.cls is None else function.cls.cls
    if definition.decorators:
        return False
    around = function.closure.function
    if around is not None:
        named = _named(it, around.body)
        return not function.function.is_lambda and definition.name not in named and named.isdisjoint(_BY_NAME)
    if definition.name != definition.qualname or definition.name.startswith(("test", "Test")):
        return False
    source = function.module.source
    return _is_script(source) and definition.name not in _named(it, source.module.body) and is_closed(it, source)


def is_closed(it: Interpreter, source: SourceFile) -> bool:
    """Whether a file is a script, or has cells, and nothing else can use its code."""
    if not _is_script(source) or _is_open(it, source.module.body):
        return False
    return not is_imported(it, source)


def is_imported(it: Interpreter, source: SourceFile) -> bool:
    """Whether a file imports this one, or another of its name."""
    return _is_imported(it, source.module.name.rpartition(".")[2])


def _is_script(source: SourceFile) -> bool:
    """Whether a file has cells, or does something only when it is run; most do not, so that this is asked first."""
    return source.layout is not None or any(True for _ in _calls(source.module.body))


@about_all_files
def _is_imported(it: Interpreter, name: str) -> bool:
    """Whether a file imports a module of this name, of whatever package."""
    modules = (source.module for source in it.project.files.values())
    others = (module for module in modules if module.name.rpartition(".")[2] != name)
    return any(name in full and name in full.split(".") for module in others for full in module.imports)


@memoised
def _is_open(it: Interpreter, body: ir.Block) -> bool:
    """Whether any function of the code may be called by its name."""
    bindings = (statement.bindings for statement in body if isinstance(statement, ir.Import))
    imported = {name: full for each in bindings for name, full in each}
    called = {_full_name(call.func, imported) for call in _calls(body)}
    return any(it.api.has(name, "runs-any-function") for name in called) or not walks.names(body).isdisjoint(_BY_NAME)


def _full_name(function: ir.Expr, imported: Mapping[str, str]) -> str:
    root, dot, rest = walks.dotted(function).partition(".")
    return f"{imported.get(root, root)}{dot}{rest}"


def _calls(body: ir.Block) -> Iterator[ir.Call]:
    """The calls behind `if __name__ == "__main__":`, which make a file a script."""
    for statement in body:
        if isinstance(statement, ir.If) and "__name__" in walks.names(statement.test):
            yield from (node for node in walks.nodes(statement.body) if isinstance(node, ir.Call))


@memoised
def _named(_: Interpreter, body: ir.Block) -> frozenset[str]:
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
