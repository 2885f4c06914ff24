"""The state of a run beside the abstract one: a table for each thing that a module of the analysis must remember."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from jaxlint.analysis.machine.tables import Table

_Table = TypeVar("_Table", bound=Table)


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
