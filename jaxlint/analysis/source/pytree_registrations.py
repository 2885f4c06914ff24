"""What the files of a project register as pytrees, as it is written: a file may run though no other one imports it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.machine.project_questions import about_all_files, about_one_file
from jaxlint.analysis.source.file_nodes import nodes_of
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: In the place of a name: whichever classes a loop goes through.
_ANY: Final = "*"


@about_all_files
def may_register(it: Interpreter, name: str) -> bool:
    """Whether a file registers a class of this name as a pytree, or goes through classes that are not written there."""
    return any(not {name, _ANY}.isdisjoint(_registered(it, file.module.body)) for file in it.project.files.values())


@about_one_file
def _registered(it: Interpreter, body: ir.Block) -> frozenset[str]:
    """The names of the classes that calls in a file register."""
    imports = nodes_of(it, body, ir.Import)
    bound = {local: qualified for node in imports for local, qualified in node.bindings}
    calls = [node for node in nodes_of(it, body, ir.Call) if node.args and _registers(it, node.func, bound)]
    if not calls:
        return frozenset()
    loops = {name: tuple(_classes(node.iter)) for node in nodes_of(it, body, ir.For) for name in _targets(node)}
    given = (walks.dotted(call.args[0]).rpartition(".")[2] for call in calls)
    return frozenset(each for name in given for each in loops.get(name, (name,)))


def _registers(it: Interpreter, func: ir.Expr, bound: dict[str, str]) -> bool:
    root, dot, rest = walks.dotted(func).partition(".")
    meaning = it.api.meaning(it.api.canonical(f"{bound.get(root, root)}{dot}{rest}"))
    return meaning is not None and meaning.head == "register_class"


def _targets(loop: ir.For) -> Iterator[str]:
    return walks.target_names(loop.target)


def _classes(looped: ir.Expr) -> Iterator[str]:
    """The classes that are written as elements of what a loop goes through; nobody sees which a call returns."""
    match looped:
        case ir.SequenceDisplay(elements=elements):
            yield from (walks.dotted(element).rpartition(".")[2] or _ANY for element in elements)
        case ir.Call():
            yield _ANY
        case _:
            pass
