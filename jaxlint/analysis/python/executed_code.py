"""`exec` and `eval`: code that is not read here binds names in the namespaces that it gets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import (
    STATIC,
    Arguments,
    Atom,
    Birth,
    DictCell,
    Object,
    Qualified,
    Static,
    Value,
    atoms_of,
    is_none,
)
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.python import attribute_views, calls
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.machine.semantics import Handler


@dataclass(slots=True)
class _Globals(Table):
    """The dicts that are the names of a module, by their numbers."""

    dicts: set[int] = field(default_factory=set)


def _globals(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """The names of the module as they are now, and others."""
    frame = it.frame.module.frame or it.frame
    rest = it.unknown("a global of a name that is not known", node.at)
    made = it.allocate(DictCell(Birth(frame.serial, it.frame.path, node.at), dict(frame.state.env), rest))
    it.tables[_Globals].dicts.add(made.oid)
    return made


def _locals(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """Outside of functions and classes, the names of the module."""
    return _globals(it, name, arguments, node) if it.frame.kind == "module" else STATIC


def _execute(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """Code binds names in the last of its namespaces, and the names that it declares global in the first."""
    result = calls.call_unknown(it, Qualified(name), arguments, node, f"call of `{name}`")
    given = (arguments.get(1, "globals"), arguments.get(2, "locals"))
    namespaces = [atom for value in given if value is not None for atom in atoms_of(value) if not is_none(atom)]
    for namespace in namespaces:
        _fill(it, namespace, node.at)
    own = it.tables[_Globals].dicts
    if it.frame.kind == "module" and all(isinstance(part, Object) and part.oid in own for part in namespaces):
        _rebind(it, node.at)
    return result


def _fill(it: Interpreter, namespace: Atom, at: int) -> None:
    """A dict may hold any names and values now; so may the object whose attributes it is."""
    cell = it.cell(namespace) if isinstance(namespace, Object) else None
    if isinstance(namespace, Object) and isinstance(cell, DictCell):
        it.update(namespace, DictCell(cell.birth, {}, it.unknown("a name that executed code may bind", at)))
        attribute_views.written(it, namespace)


def _rebind(it: Interpreter, at: int) -> None:
    """A module that executes code in its own names does so to replace its settings, or names without a value yet."""
    env = it.frame.state.env
    for name in [name for name, value in env.items() if any(isinstance(atom, Static) for atom in atoms_of(value))]:
        it.bind(name, it.unknown("a name that executed code may bind", at))


SPECIAL: dict[str, Handler] = {
    "builtins.exec": _execute,
    "builtins.eval": _execute,
    "builtins.globals": _globals,
    "builtins.locals": _locals,
}
