"""What a transform takes apart and puts together as it was: the function gets objects and containers of its own."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import class_fields
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import Atom, DictCell, InstanceCell, ListCell, Object, Tuple, Value, atoms_of

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


@dataclass(slots=True)
class Rebuilding:
    """Makes trees anew that hold the same leaves, for the frame `owner`; objects that are no trees stay."""

    it: Interpreter
    owner: int
    done: dict[int, Value] = field(default_factory=dict)

    def __call__(self, value: Value) -> Value:
        """The value as the function gets it."""
        atoms = atoms_of(value)
        return self._atom(atoms[0]) if len(atoms) == 1 else join_all([self._atom(atom) for atom in atoms])

    def _atom(self, atom: Atom) -> Value:
        match atom:
            case Tuple(elements=elements):
                return Tuple(tuple(map(self, elements)), atom.names, atom.cls)
            case Object(oid=oid):
                if oid not in self.done:
                    self.done[oid] = atom  # it may hold itself
                    self.done[oid] = self._object(atom)
                return self.done[oid]
            case _:
                return atom

    def _object(self, atom: Object) -> Value:
        match cell := self.it.cell(atom):
            case ListCell(elements=elements):
                exact = None if elements is None else tuple(map(self, elements))
                made: ListCell | DictCell | InstanceCell = replace(cell, elements=exact, element=self(cell.element))
            case DictCell(items=items, rest=rest):
                held = {key: self(value) for key, value in items.items()}
                made = replace(cell, items=held, rest=None if rest is None else self(rest))
            case InstanceCell() if cell.cls.kind == "pytree":
                made = replace(cell, attributes=class_fields.rebuilt(cell, self))
            case _:
                return atom
        return self.it.allocate(replace(made, birth=cell.birth._replace(frame=self.owner)))
