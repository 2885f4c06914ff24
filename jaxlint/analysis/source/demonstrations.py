"""Code behind `if __name__ == "__main__":` of a module that others import: it shows or tries out what the module has.

Functions that only such code names belong to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.machine.project_questions import about_all_files, about_one_file
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter

_SHOWN: Final = "the code runs only when this module, which others import, is run by itself; it may be a demonstration"


def main_guards(body: ir.Block) -> Iterator[ir.If]:
    """The statements of a module that run a block where the module is run by itself."""
    return (s for s in body if isinstance(s, ir.If) and "__name__" in walks.names(s.test))


def demonstration(it: Interpreter, frame: Frame, at: int) -> str:
    """Why equal numbers and wrong times may not matter at a node of a frame: it is part of a demonstration."""
    source, place = frame.module.source, at
    shown = _shown(it, source.module.body)
    for each in frame.callers() if shown else ():
        around = shown.get(place) if each.path == source.path else None
        if around is None or (around and _is_named_elsewhere(it, around, source.module.name)):
            return ""
        place = each.call_at
    return _SHOWN if shown and _is_imported(it, source.module.name) else ""


@about_one_file
def _shown(_: Interpreter, body: ir.Block) -> Mapping[int, str]:
    """What stands behind the guards of a file, by ordinal, and in functions that else nothing there names, by name."""
    guarded = [guard.body for guard in main_guards(body)]
    if not guarded:
        return {}
    named = {name for block in guarded for name in walks.names(block)}
    others = [s for s in body if not (isinstance(s, ir.If) and s.body in guarded)]
    parts = {s.function.name: s for s in others if isinstance(s, ir.FunctionDefinition) and s.function.name in named}
    for statement in others:
        own = statement.function.name if isinstance(statement, ir.FunctionDefinition) else ""
        for name in walks.names(statement) & parts.keys() - {own}:
            del parts[name]
    found = dict.fromkeys((at for block in guarded for at in walks.ordinals(block)), "")
    return found | {at: name for name, part in parts.items() for at in walks.ordinals(part)}


@about_all_files
def _is_named_elsewhere(it: Interpreter, function: str, module: str) -> bool:
    """Whether another file has the name of a function: by an import, or as an attribute of the module."""
    others = (source.module for source in it.project.files.values() if source.module.name != module)
    return any(function in _words(it, other.body) for other in others)


@about_one_file
def _words(_: Interpreter, body: ir.Block) -> frozenset[str]:
    """The attributes and the imported names in a file."""
    found: set[str] = set()
    for node in walks.nodes(body):
        if isinstance(node, ir.Attribute):
            found.add(node.attr)
        elif isinstance(node, ir.Import):
            found.update(full.rpartition(".")[2] for _, full in node.bindings)
    return frozenset(found)


@about_all_files
def _is_imported(it: Interpreter, name: str) -> bool:
    """Whether another file imports the module, or a name of it: by its full name, or from where its packages are."""
    package, _, last = name.rpartition(".")
    for source in it.project.files.values():
        if source.module.name == name or last not in {w for part in source.module.imports for w in part.split(".")}:
            continue
        beside = source.module.name.rpartition(".")[0] == package
        for part in source.module.imports:
            for dotted in (part, part.rpartition(".")[0]):
                if dotted == name or (f".{name}".endswith(f".{dotted}") and ("." in dotted or (beside and dotted))):
                    return True
    return False
