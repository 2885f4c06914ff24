"""Where a report says that something is: in a cell of a notebook for people, in lines of the file for its hosts.

Until here a notebook is one module, and its lines are that module's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jaxlint.diagnostics import Diagnostic, Edit, Fix, Note, Span
from jaxlint.engine.result import Result
from jaxlint.syntax.positions import LineIndex

if TYPE_CHECKING:
    from jaxlint.syntax.documents import Document

_SUFFIX = ".ipynb"


@dataclass(slots=True)
class Places:
    """Moves diagnostics from the lines of a module to where they are shown; a notebook is read once.

    `read` gives what a file holds, or None where it cannot be read.
    """

    read: Callable[[str], Document | None]
    _known: dict[str, Document | None] = field(default_factory=dict)
    _lines: dict[str, tuple[LineIndex, LineIndex]] = field(default_factory=dict)

    def by_cell(self, result: Result) -> Result:
        """The result with lines counted in the cells of notebooks, whose numbers are told."""
        return self._moved(result, self.in_cell)

    def by_file(self, result: Result) -> Result:
        """The result with lines of the files of notebooks, and without fixes of them, which are no edits of lines."""
        return self._moved(result, self.in_file)

    def _moved(self, result: Result, move: Callable[[Diagnostic], Diagnostic]) -> Result:
        if not any(_is_notebook(d) for d in result.diagnostics):
            return result
        return replace(result, diagnostics=tuple(map(move, result.diagnostics)))

    def document(self, path: str) -> Document | None:
        """The notebook in a file; None for any other file, and for one that cannot be read."""
        if path not in self._known:
            self._known[path] = self.read(path) if path.endswith(_SUFFIX) else None
        return self._known[path]

    def written(self, path: str, cell: int | None) -> str | None:
        """The code of a cell as a person wrote it; None where there is no such cell."""
        found = self.document(path)
        if found is None or found.layout is None:
            return None
        return next((found.written[c.start : c.end] for c in found.layout.cells if c.number == cell), None)

    def in_cell(self, diagnostic: Diagnostic) -> Diagnostic:
        """A diagnostic with its lines, and those of its notes and edits, counted in their cells."""
        cell, span = self._cell(diagnostic.path, diagnostic.span)
        notes = tuple(self.note_in_cell(note) for note in diagnostic.notes)
        fix = diagnostic.fix and self._fix_in_cells(diagnostic.fix)
        return replace(diagnostic, span=span, cell=cell, notes=notes, fix=fix)

    def note_in_cell(self, note: Note) -> Note:
        """A note with its lines counted in its cell."""
        if note.path is None or note.span is None:
            return note
        cell, span = self._cell(note.path, note.span)
        return replace(note, span=span, cell=cell)

    def _fix_in_cells(self, fix: Fix) -> Fix:
        return replace(fix, edits=tuple(self._edit_in_cell(edit) for edit in fix.edits))

    def _edit_in_cell(self, edit: Edit) -> Edit:
        cell, span = self._cell(edit.path, edit.span)
        return replace(edit, span=span, cell=cell)

    def _cell(self, path: str, span: Span) -> tuple[int | None, Span]:
        found = self.document(path)
        cell = None if found is None or found.layout is None else found.layout.cell_of_line(span.line)
        if cell is None:
            return None, span
        above = cell.line - 1
        return cell.number, Span(span.line - above, span.column, span.end_line - above, span.end_column)

    def in_file(self, diagnostic: Diagnostic) -> Diagnostic:
        """A diagnostic at the lines of its file; for a notebook, the message says which cell that is."""
        notes = tuple(
            note if note.path is None or note.span is None else replace(note, span=self.file_span(note.path, note.span))
            for note in diagnostic.notes
        )
        cell, span = self._cell(diagnostic.path, diagnostic.span)
        if cell is None:
            return replace(diagnostic, notes=notes)
        message = f"cell {cell}, line {span.line}: {diagnostic.message}"
        place = self.file_span(diagnostic.path, diagnostic.span)
        return replace(diagnostic, span=place, notes=notes, fix=None, message=message)

    def file_span(self, path: str, span: Span) -> Span:
        """Where in its file a span of the module stands."""
        found = self.document(path)
        if found is None or found.notebook is None or not found.notebook.cells:
            return span
        if path not in self._lines:
            self._lines[path] = LineIndex(found.written), LineIndex(found.notebook.raw)
        module, raw = self._lines[path]
        start = found.file_offset(module.starts[span.line - 1] + span.column - 1)
        end = found.file_offset(module.starts[span.end_line - 1] + span.end_column - 1)
        return raw.span(start, max(start, end))


def _is_notebook(diagnostic: Diagnostic) -> bool:
    return diagnostic.path.endswith(_SUFFIX) or any((n.path or "").endswith(_SUFFIX) for n in diagnostic.notes)
