"""The inner nodes of trees: containers whose kind is known, and their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain import class_fields
from jaxlint.analysis.domain.values import Atom, DictCell, InstanceCell, Iterable, ListCell, Object, Tuple, Value
from jaxlint.analysis.machine.run_facts import OrderedMappings

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


class Node(NamedTuple):
    """One container: its kind, and its parts by the text that leads there: `[0]`, `['key']`, `.name`.

    `is_whole`: there are no parts but these. `identity` tells classes of one name apart.
    """

    kind: str
    parts: dict[str, Value]
    is_whole: bool = True
    identity: int = 0

    @property
    def what(self) -> str:
        """The kind as a message says it, with its article."""
        return self.kind if self.identity else f"a {self.kind}"

    def is_like(self, other: Node) -> bool:
        """Whether both are containers of one kind, whatever they hold."""
        return (self.kind, self.identity) == (other.kind, other.identity)


def node_of(it: Interpreter, atom: Atom) -> Node | None:
    """The container that a value is; None for leaves, and for what may be either."""
    match atom:
        case Tuple(cls=None, names=(_, *_)):
            return None  # a record of a library
        case Tuple(cls=None, elements=elements):
            return Node("tuple", _numbered(elements))
        case Tuple(cls=cls, names=names, elements=elements) if cls is not None:
            parts = dict(zip((f".{name}" for name in names), elements)) if names else _numbered(elements)
            return Node(f"`{cls.name}`", parts, identity=id(cls.cls))
        case Iterable(kind="tuple"):
            return Node("tuple", {}, is_whole=False)
        case Object():
            return _of_cell(it, it.cell(atom))
        case _:
            return None


def _of_cell(it: Interpreter, cell: Any) -> Node | None:
    match cell:
        case ListCell(elements=elements):
            return Node("list", _numbered(elements or ()), is_whole=elements is not None)
        case DictCell(items=items, rest=rest):
            is_plain = (cell.birth.path, cell.birth.at) not in it.tables[OrderedMappings].made_at
            parts = {f"[{key!r}]": part for key, part in items.items()}
            return Node("dict", parts, is_whole=rest is None) if is_plain else None
        case InstanceCell(cls=cls, attributes=attributes) if cls.kind == "pytree" and not cell.open:
            static, known = (
                class_fields.statics(cls),
                dict.fromkeys(class_fields.fields(cls) or sorted(class_fields.leaves(cls))),
            )
            parts = {f".{name}": attributes[name] for name in known if name in attributes and name not in static}
            is_whole = bool(known) and len(parts) == len(known.keys() - static)
            return Node(f"`{cls.name}`", parts, is_whole, id(cls.cls))
        case _:
            return None


def _numbered(elements: tuple[Value, ...]) -> dict[str, Value]:
    return {f"[{number}]": element for number, element in enumerate(elements)}
