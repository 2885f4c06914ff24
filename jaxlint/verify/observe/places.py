"""Lines of the user's files: where a function that Python places at its first decorator is defined."""

from __future__ import annotations

import re
from functools import cache

from jaxlint.verify.notebooks import module_lines

_DEF = re.compile(r"\s*(?:async\s+)?def\s+(\w+)")
_MAX_DECORATOR_LINES = 60


def definition_line(path: str, first_line: int, qualified_name: str) -> int:
    """The line of the `def`; `first_line` for a lambda, or where the file cannot be read or says something else."""
    name = qualified_name.rpartition(".")[2]
    for number, line in enumerate(
        source_lines(path)[first_line - 1 : first_line - 1 + _MAX_DECORATOR_LINES], first_line
    ):
        found = _DEF.match(line)
        if found:
            return number if found[1] == name else first_line
    return first_line


def source_lines(path: str) -> tuple[str, ...]:
    """The lines of a file, or of the module in a notebook; none where it cannot be read."""
    found = module_lines(path)
    return _file_lines(path) if found is None else found


@cache
def _file_lines(path: str) -> tuple[str, ...]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return tuple(file.read().splitlines())
    except (OSError, ValueError):
        return ()
