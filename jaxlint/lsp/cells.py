"""A notebook in memory: its Python cells, in order, are one module whose magics and shell lines are comments."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from lsprotocol import types

from jaxlint.lsp.capabilities import NOTEBOOKS
from jaxlint.lsp.documents import Document, Part, path_of
from jaxlint.lsp.texts import Text

#: What a client is asked to keep in step. Clients that are built on lsprotocol cannot read a selector of cells alone.
SYNC: Final = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithNotebook(
            notebook=types.NotebookDocumentFilterNotebookType(notebook_type=kind),
            cells=[types.NotebookCellLanguage(language="python")],
        )
        for kind in NOTEBOOKS
    ],
    save=True,
)

_OTHER_LANGUAGE: Final = re.compile(r"\s*%%(?!time\b|timeit\b|capture\b|prun\b)")


@dataclass(slots=True, eq=False)
class Notebook:
    """An open notebook: its code cells in order, by URI, and the texts of those that are Python."""

    uri: str
    encoding: str
    cells: list[types.NotebookCell] = field(default_factory=list)
    texts: dict[str, tuple[int, Text]] = field(default_factory=dict)

    def open_cells(self, documents: Iterable[types.TextDocumentItem]) -> None:
        """Take the texts of cells."""
        for document in documents:
            if document.language_id == "python":
                self.texts[document.uri] = (document.version, Text(document.text, self.encoding))

    def change(self, change: types.NotebookDocumentChangeEvent) -> None:
        """Take a change of the cells: which there are, in what order, and what they say."""
        cells = change.cells
        if cells is None:
            return
        if cells.structure is not None:
            array = cells.structure.array
            self.cells[array.start : array.start + array.delete_count] = array.cells or []
            self.open_cells(cells.structure.did_open or ())
            for closed in cells.structure.did_close or ():
                self.texts.pop(closed.uri, None)
        changed = {cell.document: cell for cell in cells.data or ()}
        self.cells = [changed.get(cell.document, cell) for cell in self.cells]
        for content in cells.text_content or ():
            known = self.texts.get(content.document.uri)
            if known is not None:
                text = known[1].changed(list(content.changes))
                self.texts[content.document.uri] = (content.document.version, text)

    def document(self) -> Document:
        """The notebook as one document."""
        parts: list[Part] = []
        pieces: list[str] = []
        first = 0
        for cell in self.cells:
            known = self.texts.get(cell.document)
            if cell.kind is not types.NotebookCellKind.Code or known is None:
                continue
            version, text = known
            parts.append(Part(cell.document, version, first, text))
            pieces.append(masked(text.whole))
            first += len(text.lines.starts)
        whole = Text("\n".join(pieces), self.encoding)
        path = path_of(self.uri)
        stem, extension = os.path.splitext(path)
        return Document(self.uri, path if extension == ".py" else f"{stem}.ipynb", whole, tuple(parts))


def masked(cell: str) -> str:
    """A cell with a comment of equal length in the place of each line that is not Python."""
    if _OTHER_LANGUAGE.match(cell):
        return re.sub(r"^[^\r\n]", "#", cell, flags=re.MULTILINE)
    return "".join(_masked_line(line) for line in cell.splitlines(keepends=True))


def _masked_line(line: str) -> str:
    code = line.lstrip(" \t")
    is_help = code.rstrip().endswith("?") and "#" not in code
    if not code.startswith(("%", "!", "?")) and not is_help:
        return line
    blanks = line[: len(line) - len(code)]
    end = len(code.rstrip("\r\n"))
    filler = "pass" + "#" * (end - 4) if end >= 4 else "#" * end
    return blanks + filler + code[end:]
