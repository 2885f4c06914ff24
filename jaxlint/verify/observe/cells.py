"""Places in the cells of notebooks: kernels call the code of a cell by files that do not exist."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

from jaxlint.diagnostics import Diagnostic
from jaxlint.syntax.documents import NOTEBOOK_SUFFIX
from jaxlint.verify.notebooks import cell_of, cells_of, remember

_Record: TypeAlias = "dict[str, Any]"
#: Options behind which a notebook stands that is written.
_OUTPUT: Final = ("-o", "--output")
_PLACED: Final = re.compile(r"(?P<file>[^\s:]+|<timed \w+>):(?P<line>\d+)")


class _Cell(NamedTuple):
    """What a kernel's file name stands for: lines of `path` below the first `above`."""

    path: str
    above: int


def named_notebooks(command: Sequence[str], directory: str) -> list[str]:
    """The notebooks that a command is given, not those that it is to write; absolute."""
    words = [word for before, word in pairwise(command) if not before.startswith(_OUTPUT)]
    paths = [os.path.realpath(os.path.join(directory, word)) for word in words if word.endswith(NOTEBOOK_SUFFIX)]
    return [path for path in dict.fromkeys(paths) if os.path.isfile(path)]


def notebooks_of(command: Sequence[str], findings: Iterable[Diagnostic]) -> list[str]:
    """The notebooks that a command is given, and those with findings."""
    found = [finding.path for finding in findings if finding.path.endswith(NOTEBOOK_SUFFIX)]
    return list(dict.fromkeys([*named_notebooks(command, os.getcwd()), *found]))


def write_cells(notebooks: Iterable[str], folder: str) -> None:
    """Put the cells of the notebooks where the observer looks for them."""
    with open(os.path.join(folder, "notebooks.json"), "w", encoding="utf-8") as file:
        json.dump({path: cells_of(path) for path in notebooks}, file)


def in_cells(logs: Sequence[list[_Record]]) -> Sequence[list[_Record]]:
    """The records of processes, those of kernels with places in notebooks.

    A cell that is in no notebook is told by its number in the session. Processes that a kernel forked tell no cells of
    their own.
    """
    known = {record["file"]: _cell(record) for records in logs for record in records if record["e"] == "cell"}
    if not known:
        return logs
    return [_moved_all(records, dict(known)) for records in logs]


def _moved_all(records: Iterable[_Record], now: dict[str, _Cell]) -> list[_Record]:
    return [_moved(record, now) for record in records]


def _cell(record: _Record) -> _Cell:
    if record["path"] is not None:
        return _Cell(record["path"], record["line"] - 1)
    # The name that IPython without a kernel gives, which reports read as "cell [4]".
    digest = blake2b(str(record["text"]).encode("utf-8", "replace"), digest_size=6).hexdigest()
    path = f"<ipython-input-{record['number']}-{digest}>"
    remember({path: record["text"]})
    return _Cell(path, record["line"] - 1)


def _moved(record: _Record, now: dict[str, _Cell]) -> _Record:
    """A record with its places moved. Code of one name can be of one cell now and of another later."""
    if record["e"] == "cell":
        now[record["file"]] = _cell(record)
        return record
    cell = now.get(record["path"]) if isinstance(record.get("path"), str) else None
    moved = {name: _in_value(value, now) for name, value in record.items()}
    if cell is not None and isinstance(record.get("line"), int):
        moved["path"], moved["line"] = cell.path, record["line"] + cell.above
        if record.get("span"):
            line, column, end_line, end_column = record["span"]
            moved["span"] = [line + cell.above, column, end_line + cell.above, end_column]
    return moved


def _in_value(value: Any, now: dict[str, _Cell]) -> Any:  # noqa: ANN401 - what JSON can hold
    if isinstance(value, str):
        return _PLACED.sub(lambda match: _in_words(match, now), value) if ":" in value else value
    if isinstance(value, dict):
        return {name: _in_value(entry, now) for name, entry in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) >= 2 and isinstance(value[0], str) and isinstance(value[1], int) and value[0] in now:
        cell = now[value[0]]
        return [cell.path, value[1] + cell.above, *(_in_value(entry, now) for entry in value[2:])]
    return [_in_value(entry, now) for entry in value]


def _in_words(match: re.Match[str], now: dict[str, _Cell]) -> str:
    """A place that is part of a text, as a person is told it."""
    cell = now.get(match["file"])
    if cell is None:
        return match[0]
    number, line = cell_of(cell.path, int(match["line"]) + cell.above)
    if number is None:
        session = re.match(r"<ipython-input-(\d+)", cell.path)
        return f"cell [{session[1]}]:{line}" if session else f"{cell.path}:{line}"
    return f"cell {number}:{line}"
