"""Figures and places as the reports for people write them."""

from __future__ import annotations

import re
from typing import Final

from jaxlint.report.paths import PathPrinter
from jaxlint.text import plural
from jaxlint.verify.model import Observation
from jaxlint.verify.notebooks import cell_of

#: How IPython names the code of a cell; the number is the one in brackets beside it.
_CELL: Final = re.compile(r"<ipython-input-(\d+)-\w+>")
_INSTALLED: Final = "/site-packages/"
_UNITS: Final = ("bytes", "KiB", "MiB", "GiB", "TiB")


def seconds_text(seconds: float) -> str:
    """`2.31 s`, `12 ms`; `1 h 02 min` where seconds say little."""
    if seconds >= 3600:
        return f"{int(seconds // 3600)} h {int(seconds % 3600 // 60):02} min"
    if seconds >= 600:
        return f"{int(seconds // 60)} min {int(seconds % 60):02} s"
    return f"{seconds:.2f} s" if seconds >= 0.9995 else f"{seconds * 1000:.0f} ms"


def bytes_text(count: float) -> str:
    """`12 bytes`, `1.5 KiB`."""
    size = float(count)
    for unit in _UNITS[:-1]:
        if abs(size) < 1024:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} {_UNITS[-1]}"


def place_text(path: str, paths: PathPrinter) -> str:
    """A file's path, not yet escaped: relative to the working directory; in installed packages, from the package on."""
    cell = _CELL.fullmatch(path)
    if cell:
        return f"cell [{cell[1]}]"
    shown = paths.relative(path)
    return shown.rpartition(_INSTALLED)[2]


def line_text(path: str, line: int, paths: PathPrinter, column: int | None = None) -> str:
    """`train.py:31`, `train.ipynb:cell 3:2`, not yet escaped."""
    cell, shown = cell_of(path, line)
    inside = "" if cell is None else f"cell {cell}:"
    return f"{place_text(path, paths)}:{inside}{shown}{'' if column is None else f':{column}'}"


def near_text(path: str, line: int, beside: tuple[str, int], paths: PathPrinter) -> str:
    """A line as it is told beside another: without what the two have in common."""
    if path != beside[0]:
        return line_text(path, line, paths)
    cell, shown = cell_of(path, line)
    return f"line {shown}" if cell == cell_of(*beside)[0] else f"cell {cell}:{shown}"


def announced_text(observation: Observation) -> str:
    """What the report's own count comes to beside JAX's."""
    announced, counted = observation.announced, observation.counted
    told = "all of them are counted" if counted == announced else f"{counted:,} are counted"
    return f"JAX announced {plural(announced, 'compilation')}: {told}"


def headline(recompilations: int, functions: int, lost: float, traced: int) -> str:
    """What a run comes to, in one sentence without its end."""
    if recompilations:
        return f"{plural(recompilations, 'recompilation')} of {plural(functions, 'function')} cost {seconds_text(lost)}"
    return f"No recompilations: {plural(traced, 'function')} traced" if traced else "None of your functions was traced"
