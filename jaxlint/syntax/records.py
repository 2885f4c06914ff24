"""The parser's nodes as plain records: libcst's classes, fields and defaults, without what else libcst's nodes can do.

libcst's parser makes each node by calling the class of its name in the module `libcst`: a frozen dataclass, whose
fields are set one by one in Python. While it parses for `parse_records`, it finds records of the same names there,
which are made in C: a fifth of the time of parsing. `Rebuilt` makes libcst's own nodes of them where these are needed.
"""

from __future__ import annotations

import dataclasses
import sys
import threading
from collections.abc import Iterable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import libcst
from libcst import native  # type: ignore[attr-defined]

__all__ = ["Rebuilt", "cst", "parse_records"]


class _Record(SimpleNamespace):
    """A node: the fields that the parser gave it; what it did not give is an attribute of the class."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__  # type: ignore[assignment]


def _records() -> SimpleNamespace:
    """The names of libcst, with a record class for each class of nodes."""
    known: dict[type, type] = {}
    names = {name: value for name, value in vars(libcst).items() if not name.startswith("__")}
    for name, value in names.items():
        if isinstance(value, type) and issubclass(value, libcst.CSTNode):
            names[name] = _record_class(value, known)
    # What an import asks of a module that is loaded.
    return SimpleNamespace(__spec__=SimpleNamespace(_initializing=False), **names)


def _record_class(cls: type[libcst.CSTNode], known: dict[type, type]) -> type:
    if cls not in known:
        bases = tuple(_record_class(base, known) for base in cls.__bases__ if issubclass(base, libcst.CSTNode))
        known[cls] = type(cls.__name__, bases or (_Record,), {"__slots__": (), **_defaults(cls)})
    return known[cls]


def _defaults(cls: type[libcst.CSTNode]) -> dict[str, Any]:
    fields: Iterable[dataclasses.Field[Any]] = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
    found = {}
    for field in fields:
        if field.default is not dataclasses.MISSING:
            found[field.name] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            found[field.name] = field.default_factory()
    return found


if TYPE_CHECKING:
    import libcst as cst
else:
    cst = _records()

_lock: Final = threading.Lock()


def parse_records(text: str) -> cst.Module:
    """Parse a module into records. Raises what `libcst.parse_module` raises."""
    with _lock:
        sys.modules["libcst"] = cst
        try:
            tree: cst.Module = native.parse_module(text, encoding="utf-8")
        finally:
            sys.modules["libcst"] = libcst
    return tree


class Rebuilt:
    """libcst's own nodes for a tree of records: `nodes` leads to them by the `id` of the record."""

    def __init__(self, tree: cst.CSTNode) -> None:
        self.nodes: dict[int, libcst.CSTNode] = {}
        self.tree = self._node(tree)

    @property
    def code(self) -> str:
        """The source text of the tree."""
        return libcst.Module(()).code_for_node(self.tree)

    def _node(self, value: Any) -> Any:  # noqa: ANN401 - the value of a field
        if isinstance(value, _Record):
            fields = {name: self._node(part) for name, part in vars(value).items()}
            node = self.nodes[id(value)] = getattr(libcst, type(value).__name__)(**fields)
            return node
        if isinstance(value, (tuple, list)):
            return type(value)(map(self._node, value))
        return value
