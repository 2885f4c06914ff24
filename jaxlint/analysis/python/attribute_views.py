"""`vars(obj)` and `obj.__dict__`: the attributes of an object as a dict, whose changes are changes of the object."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import DictCell, InstanceCell, Object, Value
from jaxlint.analysis.machine.tables import Table

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


@dataclass(slots=True)
class _Views(Table):
    """The objects whose attributes dicts are, by the number of the dict."""

    viewed: dict[int, Object] = field(default_factory=dict)


def of_object(it: Interpreter, reference: Object, cell: InstanceCell) -> Value:
    """The attributes of an object as they are now; of one from outside there may be more."""
    rest = it.unknown("an attribute of an object from outside", cell.birth.at) if cell.open else None
    view = it.allocate(DictCell(cell.birth, dict(cell.attributes), rest))
    it.tables[_Views].viewed[view.oid] = reference
    return view


def written(it: Interpreter, view: Object) -> None:
    """A dict was changed: if it is the attributes of an object, so was that."""
    reference = it.tables[_Views].viewed.get(view.oid)
    cell, changed = (None, None) if reference is None else (it.cell(reference), it.cell(view))
    if reference is None or not isinstance(cell, InstanceCell) or not isinstance(changed, DictCell):
        return
    attributes = {name: value for name, value in changed.items.items() if isinstance(name, str)}
    was_closed = not cell.open and changed.rest is None
    it.update(reference, replace(cell, attributes=attributes, open=not was_closed))
