"""Cells of notebooks: of which one IPython compiles what, and the points in it.

A kernel is given the text of a cell, not its place. `notebooks.json` beside the records holds the cells of the
notebooks that the command runs: `{path: [{"number", "line", "text"}]}`, with the line of the notebook's module that
each begins on. A cell whose text is in none of them is told by its number in the session.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import CodeType, ModuleType
from typing import Any

from . import points, records, rewriting

#: The name under which a piece is parsed before it is known what runs it: by `%time` and its like.
_UNNAMED = "<unknown>"
#: Of cells that stand in no notebook the text is told, that a report can quote it; not that of very long ones.
_MAX_TEXT = 100_000


@dataclass
class _Cell:
    """A cell that runs. `path` is None where it stands in no notebook that is known.

    `lines` are as a person wrote them; `before` counts those of the cell above them, and `line` is the module's line
    of the first.
    """

    path: str | None
    number: int
    line: int
    lines: list[str]
    before: int = 0
    names: dict[str, int] = field(default_factory=dict)


_notebooks: dict[str, list[dict[str, Any]]] = {}
_last: dict[str, int] = {}
_now: _Cell | None = None
_parsed: dict[int, tuple[ast.AST, int]] = {}


def install(module: ModuleType) -> None:
    """Listen to what IPython's compiler is given."""
    path = os.path.join(records.folder(), "notebooks.json")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            _notebooks.update(json.load(file))
    compiler = module.CachingCompiler
    cache, parse, call = compiler.cache, compiler.ast_parse, compiler.__call__

    def cached(self: Any, transformed_code: str, number: int = 0, raw_code: str | None = None) -> Any:
        name = cache(self, transformed_code, number, raw_code)
        _begin(transformed_code if raw_code is None else raw_code, number)
        return name

    def parsed(self: Any, source: str, filename: str = _UNNAMED, symbol: str = "exec") -> Any:
        tree = parse(self, source, filename, symbol)
        return _with_points(tree, source, filename) or tree

    def called(self: Any, source: Any, filename: str, symbol: str, **options: Any) -> CodeType:
        _named(source, filename)
        code: CodeType = call(self, source, filename, symbol, **options)
        return code

    compiler.cache, compiler.ast_parse, compiler.__call__ = cached, parsed, called


@records.guarded
def _begin(text: str, number: int) -> None:
    """A cell is about to run. One that a magic of the cell before runs, such as `%%jaxlint`, is the end of that."""
    global _now  # noqa: PLW0603 - a kernel runs one cell at a time
    _parsed.clear()
    lines = text.rstrip().splitlines()
    found = _in_notebook(text)
    if found is None and _now is not None and _now.path is None and _is_body(lines, _now.lines):
        found = _Cell(None, _now.number, 1, lines, _now.before + 1)
    _now = found or _Cell(None, number, 1, lines)


def _is_body(lines: list[str], cell: list[str]) -> bool:
    """Whether a magic runs the rest of its cell."""
    return bool(lines) and cell[0].startswith("%%") and cell[1:] == lines


def _in_notebook(text: str) -> _Cell | None:
    """The cell with that text, or with it below the line of a magic: behind the last one that ran, if it is there."""
    for path, cells in _notebooks.items():
        matching = [(index, above) for index, cell in enumerate(cells) for above in _lines_above(cell["text"], text)]
        if matching:
            behind = [match for match in matching if match[0] > _last.get(path, -1)]
            index, above = (behind or matching)[0]
            _last[path] = index - 1 if above else index
            cell = cells[index]
            lines = str(cell["text"]).rstrip().splitlines()[above:]
            return _Cell(path, cell["number"], cell["line"] + above, lines, above)
    return None


def _lines_above(cell: str, text: str) -> Sequence[int]:
    if cell.rstrip() == text.rstrip():
        return (0,)
    first, _, rest = cell.partition("\n")
    return (1,) if first.startswith("%%") and rest.rstrip() == text.rstrip() else ()


@records.guarded
def _with_points(tree: ast.Module, source: str, name: str) -> ast.AST | None:
    """The tree of a piece of the cell that runs, with the points that lie in it."""
    if _now is None:
        return None
    lines = source.rstrip().splitlines()
    start = _start(_now.lines, lines)
    if start is None:  # what IPython makes of a magic for the whole cell: its first line
        if name != _UNNAMED:
            _tell(_now, name, 0)
        return None
    placed: list[int] = []
    if _now.path is not None:
        wanted = points.watched(_now.path)
        moved = [_moved(point, _now.line + start, _now.lines[start:], lines) for point in wanted]
        placed = rewriting.add_points(tree, lines, [point for point in moved if point is not None])
        ast.fix_missing_locations(tree)
        points.loaded(_now.path, placed, [_now.line, _now.line + len(_now.lines) - 1])
    _parsed[id(tree)] = tree, start
    if name != _UNNAMED:
        _tell(_now, name, start)
    return tree


def _named(tree: Any, name: str) -> None:
    """What was parsed without a name, or is built of that, is compiled by this one."""
    is_magic = name.startswith(("<timed", "<magic"))  # one name for whatever stands behind one
    if _now is None or not isinstance(tree, ast.AST) or (name in _now.names and not is_magic):
        return
    known = _parsed.get(id(tree)) or next(reversed(_parsed.values()), None)
    if known is not None:
        _tell(_now, name, known[1])


@records.guarded
def _tell(cell: _Cell, name: str, start: int) -> None:
    """From now on code of that file name is of this cell, `start` lines below its first."""
    if cell.names.get(name) == start:
        return
    cell.names[name] = start
    text = None if cell.path is not None else "\n" * cell.before + "\n".join(cell.lines)
    if text is not None and len(text) > _MAX_TEXT:
        text = ""
    line = cell.line + start if cell.path is not None else 1 + cell.before + start
    records.emit("cell", file=name, path=cell.path, number=cell.number, line=line, text=text)


def _start(cell: Sequence[str], piece: Sequence[str]) -> int | None:
    """The line of the cell, from 0, on which a piece begins; what IPython runs has as many lines as was written."""
    if len(cell) == len(piece):
        return 0
    return next(
        (
            start
            for start in range(len(cell) - len(piece) + 1)
            if all(line.endswith(own.strip()) for line, own in zip(cell[start:], piece, strict=False))
        ),
        None,
    )


def _moved(point: dict[str, Any], above: int, written: Sequence[str], run: Sequence[str]) -> dict[str, Any] | None:
    """A point of the module as one of the piece; None where the lines of it are not what a person wrote."""
    line, column, end_line, end_column = point["span"]
    first, last = line - above, end_line - above
    if first < 0 or last >= len(run) or last >= len(written):
        return None
    if not all(written[number].endswith(run[number]) for number in range(first, last + 1)):
        return None
    column -= len(written[first]) - len(run[first])
    end_column -= len(written[last]) - len(run[last])
    return {**point, "span": [first + 1, column, last + 1, end_column]} if column > 0 else None
