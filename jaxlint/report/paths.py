"""Paths as reports print them: relative to the working directory where below it, POSIX, and safe to print."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from jaxlint.text import escape, unicode_path


@dataclass(slots=True)
class PathPrinter:
    """Prints absolute paths from one working directory; remembers what it printed."""

    working_directory: str
    _known: dict[str, str] = field(default_factory=dict)

    def relative(self, path: str) -> str:
        """The path relative to the working directory with `/` between its parts; absolute outside it."""
        if path not in self._known:
            self._known[path] = self._relative(path)
        return self._known[path]

    def __call__(self, path: str) -> str:
        """The relative path with control characters escaped."""
        return escape(self.relative(path))

    def of(self, path: str, cell: int | None) -> str:
        """The path as printed, and the cell of a notebook."""
        return self(path) if cell is None else f"{self(path)}:cell {cell}"

    def _relative(self, path: str) -> str:
        prefix = os.path.join(self.working_directory, "")
        own = path.removeprefix(prefix) if path.startswith(prefix) else path
        return unicode_path(own).replace(os.sep, "/")
