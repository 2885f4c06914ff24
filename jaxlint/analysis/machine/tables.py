"""The state of a run beside the abstract one: a table for each module of the analysis that must remember something."""

from __future__ import annotations

import copy
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

_Table = TypeVar("_Table", bound="Table")


class Table:
    """What one module remembers over a run. Subclasses are dataclasses whose fields all have defaults."""

    __slots__ = ()

    def fork(self: _Table) -> _Table:
        """A table that goes on from here by itself; what its containers hold is shared unless a subclass says more."""
        return type(self)(**{field.name: copy.copy(getattr(self, field.name)) for field in fields(self)})  # type: ignore[arg-type]


class Tables(dict[type[Any], Any]):
    """All tables of a run, each by its class, made when it is first asked for: `it.tables[Readings]`."""

    if TYPE_CHECKING:

        def __getitem__(self, kind: type[_Table]) -> _Table: ...

    def __missing__(self, kind: type[_Table]) -> _Table:
        made = self[kind] = kind()
        return made

    def fork(self) -> Tables:
        """Tables that go on from here by themselves."""
        return Tables({kind: table.fork() for kind, table in self.items()})
