"""A notebook in memory: its Python cells, in order, are one module, as those of a notebook on disk are."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from lsprotocol import types

from jaxlint.lsp.capabilities import NOTEBOOKS
from jaxlint.lsp.open_documents import Document, Part, path_of
from jaxlint.lsp.texts import Text
from jaxlint.syntax.documents import join_cells

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
        known = [cell.document for cell in self.cells if cell.kind is types.NotebookCellKind.Code]
        known = [uri for uri in known if uri in self.texts]
        module = join_cells([(number, self.texts[uri][1].whole) for number, uri in enumerate(known, start=1)])
        parts = [
            Part(uri, *self.texts[uri], first=cell.line - 1)
            for uri, cell in zip(known, module.layout.cells, strict=True)
        ]
        path = path_of(self.uri)
        stem, extension = os.path.splitext(path)
        return Document(
            self.uri,
            path if extension == ".py" else f"{stem}.ipynb",
            Text(module.text, self.encoding),
            tuple(parts),
            module.layout,
        )
