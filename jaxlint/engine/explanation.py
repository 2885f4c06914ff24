"""A place that somebody asks about, and what there is to say of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jaxlint.diagnostics import Diagnostic, Note, Span


class AskedPlace(NamedTuple):
    """A line of a file, from 1, or a column of it."""

    path: str
    line: int
    column: int | None

    def is_at(self, span: Span) -> bool:
        """Whether the code between these places is meant: it begins on the line, or stands around the column."""
        if self.column is None:
            return span.line == self.line
        return (span.line, span.column) <= (self.line, self.column) < (span.end_line, span.end_column)


class Explanation(NamedTuple):
    """The findings at a place, and what is known of the values there."""

    findings: Sequence[Diagnostic]
    notes: Sequence[Note]
