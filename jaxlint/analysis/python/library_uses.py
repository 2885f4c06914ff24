"""Tell the rules which names of libraries code needs, where a release took one away or a later one brings it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import Arguments, BoundMethod, FunctionValue, Partial, Qualified, Value
from jaxlint.analysis.events.libraries import LibraryImport, LibraryUse
from jaxlint.analysis.machine.tables import Table, memoised
from jaxlint.analysis.source import release_tests
from jaxlint.jaxapi.lifetimes import Lifetimes
from jaxlint.jaxapi.scripts import script_releases
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


@dataclass(slots=True)
class _Told(Table):
    """For each name that was asked for, whether the tables of added and removed names speak of it.

    A name that the oldest release lacks is told of once in each file, at the place that comes first: one new bound
    mends them all. `lifetimes` are those of each file, which may be a script with dependencies of its own.
    """

    concerning: dict[tuple[Lifetimes, str], bool] = field(default_factory=dict)
    lacking: dict[tuple[str, str], int] = field(default_factory=dict)
    lifetimes: dict[str, Lifetimes] = field(default_factory=dict)


def attribute_read(it: Interpreter, owner: Qualified, node: ir.Attribute) -> None:
    """Code reads an attribute of something in a library."""
    if not it.wants(LibraryUse):
        return
    name = f"{owner.name}.{node.attr}"
    if _concerns(it, name) and not release_tests.replaces(it, walks.dotted(node)):
        _tell(it, node.at, [name])


def keywords_given(it: Interpreter, callee: Qualified, node: ir.Call) -> None:
    """Code calls a function of a library with arguments by keyword."""
    if it.wants(LibraryUse):
        names = [f"{callee.name}({keyword})" for keyword, _ in node.keywords if keyword is not None]
        _tell(it, node.at, [name for name in names if _concerns(it, name)])


def positions_given(it: Interpreter, callee: Qualified, arguments: Arguments, node: ir.Call) -> None:
    """Code calls a function of a library whose arguments stood otherwise in older releases."""
    if not it.wants(LibraryUse) or not arguments.positional or arguments.extra:
        return
    count = len(arguments.positional)
    if count > 1 and isinstance(arguments.first, _FUNCTIONS) and it.api.has(callee.name, "takes-shape-first"):
        _tell(it, node.at, [f"{it.api.canonical(callee.name)}(index_map, block_shape)"])
    elif count > _MOST_OF_CALL and it.api.has(callee.name, "takes-operands-later"):
        _tell(it, node.at, [f"{it.api.canonical(callee.name)}(*)"])
    elif count <= _MODEL_AND_OPTIMIZER and "wrt" not in arguments.keywords and it.api.has(callee.name, "needs-filter"):
        at = node.func.at if isinstance(node.func, ir.Attribute) else node.at
        _tell(it, at, [name for name in (f"{it.api.canonical(callee.name)}(-wrt)",) if _concerns(it, name)])


#: What an index map is.
_FUNCTIONS = (FunctionValue, BoundMethod, Partial)
#: The name of what is called, and what its result looks like.
_MOST_OF_CALL = 2
#: What comes before the filter.
_MODEL_AND_OPTIMIZER = 2


def imported(it: Interpreter, node: ir.Import) -> None:
    """Code imports modules, or names of modules."""
    if not it.wants(LibraryImport):
        return
    bound = [qualified for _, qualified in node.bindings]
    loaded = [each for each in node.modules if not any(f"{name}.".startswith(f"{each}.") for name in bound)]
    names = [name for name in dict.fromkeys((*bound, *loaded)) if _is_foreign(it, name)]
    lifetimes = _lifetimes(it)
    concerning = [name for name in names if lifetimes.concerns(name)]
    if concerning and not release_tests.is_behind_release_test(it, node.at):
        it.emit(LibraryImport(it.frame, node.at, tuple(concerning), lifetimes))


def annotations_made(it: Interpreter, function: ir.Function) -> None:
    """The annotations of a function are evaluated as it is made, unless the file postpones them."""
    if not it.wants(LibraryUse) or _postpones(it, it.frame.module.source.module.body):
        return
    for annotation in (function.returns, *(parameter.annotation for parameter in function.parameters)):
        if annotation is not None:
            annotation_made(it, annotation)


def annotation_made(it: Interpreter, annotation: ir.Expr) -> None:
    """An annotation that is evaluated reads what it names."""
    if not it.wants(LibraryUse) or _postpones(it, it.frame.module.source.module.body):
        return
    for node in walks.nodes(annotation):
        owner = _named(it, node.base) if isinstance(node, ir.Attribute) else None
        if isinstance(owner, Qualified):
            attribute_read(it, owner, node)


@memoised
def _postpones(_: Interpreter, body: ir.Block) -> bool:
    imports = (statement for statement in body if isinstance(statement, ir.Import))
    return any(qualified == "__future__.annotations" for each in imports for _, qualified in each.bindings)


def _named(it: Interpreter, node: ir.Expr) -> Value | None:
    """What a dotted name stands for, without events."""
    if isinstance(node, ir.Name):
        return it.peek(node.id)
    if not isinstance(node, ir.Attribute):
        return None
    owner = _named(it, node.base)
    return it.resolve(f"{owner.name}.{node.attr}") if isinstance(owner, Qualified) else None


def _concerns(it: Interpreter, name: str) -> bool:
    """Whether the releases that the project is for differ in a library's name, or it is private."""
    known, lifetimes = it.tables[_Told].concerning, _lifetimes(it)
    found = known.get((lifetimes, name))
    if found is None:
        found = known[lifetimes, name] = lifetimes.is_told(name) and _is_foreign(it, name)
    return found


def _lifetimes(it: Interpreter) -> Lifetimes:
    """Those of the releases that the file at hand is for."""
    known, path = it.tables[_Told].lifetimes, it.frame.path
    if path not in known:
        releases = script_releases(it.frame.module.source.text)
        known[path] = it.api.lifetimes.of_script(releases) if releases else it.api.lifetimes
    return known[path]


def _tell(it: Interpreter, at: int, names: list[str]) -> None:
    if not names or release_tests.is_behind_release_test(it, at):
        return
    told, lifetimes = it.tables[_Told].lacking, _lifetimes(it)
    lacking = [(it.frame.path, name) for name in names if lifetimes.unavailable(name) is not None]
    if len(lacking) < len(names) or any(told.setdefault(key, at) == at for key in lacking):
        it.emit(LibraryUse(it.frame, at, tuple(names), lifetimes))


def _is_foreign(it: Interpreter, name: str) -> bool:
    """Whether a name belongs to a library of the ecosystem that is not the project itself."""
    root = name.partition(".")[0]
    return it.api.library(root) is not None and it.project.find_module(root) is None
