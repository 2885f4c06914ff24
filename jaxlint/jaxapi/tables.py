"""Tables are read whole as text, and row by row as they are asked for."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

from jaxlint.jaxapi.versions import Version, is_current

Cells = Mapping[str, str]
Row = TypeVar("Row")


def read_lines(table: str) -> list[str]:
    """The lines of `data/<table>.tsv`, header first; from a folder or a zip file alike."""
    data = pkgutil.get_data("jaxlint.jaxapi", f"data/{table}.tsv")
    if data is None:
        raise FileNotFoundError(f"jaxlint was installed without its table {table}.tsv")
    return data.decode("utf-8").splitlines()


class Table(Generic[Row]):
    """Rows of one table by name, parsed at the first request and kept.

    A name may have several rows, with disjoint lifetimes: the one that the target release holds is given,
    and where none is, the last one: code that uses a removed name still means what it meant.
    """

    __slots__ = ("_columns", "_lines", "_parse", "_rows", "_target")

    def __init__(self, table: str, parse: Callable[[Cells], Row], target: Version) -> None:
        header, *lines = read_lines(table)
        self._columns = header.split("\t")
        self._parse = parse
        self._target = target
        self._rows: dict[str, Row | None] = {}
        self._lines: dict[str, str] = {}
        for line in lines:
            name = line[: line.find("\t")]
            earlier = self._lines.get(name)
            self._lines[name] = line if earlier is None else f"{earlier}\n{line}"

    def get(self, name: str) -> Row | None:
        """The row of exactly this name."""
        try:
            return self._rows[name]
        except KeyError:
            row = self._rows[name] = self._parse(self._cells(name)) if name in self._lines else None
            return row

    def names(self) -> Iterator[str]:
        """All names, in the table's order."""
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def __contains__(self, name: str) -> bool:
        return name in self._lines

    def _cells(self, name: str) -> Cells:
        candidates = [dict(zip(self._columns, line.split("\t"), strict=True)) for line in self._lines[name].split("\n")]
        for cells in candidates:
            if is_current(cells.get("since", ""), cells.get("until", ""), self._target):
                return cells
        return candidates[-1]
