"""How the attribute of an object can be given another value: by assignment, or by a copy of the object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import ClassValue, InstanceCell, Object, Qualified, Tuple, Value, atoms_of
from jaxlint.analysis.python import class_hashes
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def how_to_replace(it: Interpreter, node: ir.Attribute) -> str:
    """How to replace an attribute of an object; empty where that is not known.

    "assign" means `owner.a = v`, "_replace" and "replace" are methods, "dataclasses.replace" a function; "never" that
    the object refuses all of these.
    """
    found = it.find_binding(node.base.id) if isinstance(node.base, ir.Name) else None
    if found is None:
        return ""
    ways = {_way(it, atom, node.attr) for atom in atoms_of(found[1])}
    return ways.pop() if len(ways) == 1 else ""


def _way(it: Interpreter, atom: Value, attr: str) -> str:
    if isinstance(atom, Tuple) and atom.names:
        return "_replace"
    if not isinstance(atom, Object):
        return "assign" if isinstance(atom, ClassValue) else ""
    cell = it.cell(atom)
    return _way_of_class(it, cell.cls, attr) if isinstance(cell, InstanceCell) else ""


def _way_of_class(it: Interpreter, cls: ClassValue, attr: str) -> str:
    makers = [d.name for d in cls.decorators if isinstance(d, Qualified)]
    ways = {_way_of_library(it, base.name) for base in cls.bases if isinstance(base, Qualified)}
    if ways:
        return ways.pop() if len(ways) == 1 else ""
    if cls.kind == "dataclass" and "dataclasses.dataclass" in makers:
        return "dataclasses.replace" if class_hashes.is_option_set(cls, "frozen") else "assign"
    registrations = {_way_of_library(it, maker) for maker in makers}
    if "replace" in registrations:
        return "replace"
    is_plain = cls.kind in ("", "pytree") and len(makers) == len(cls.decorators)
    known = all(isinstance(base, ClassValue) and _way_of_class(it, base, attr) == "assign" for base in cls.bases)
    is_registered = registrations <= {"assign"}
    is_own = not cls.namespace.keys() & {"__setattr__", attr}  # no property, and no value that all instances share
    return "assign" if is_plain and known and is_registered and is_own else ""


def _way_of_library(it: Interpreter, name: str) -> str:
    row = it.api.library_class(name)
    return "" if row is None else row.assignment
