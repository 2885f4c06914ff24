"""Texts and notebooks as the client opens, changes, saves and closes them."""

from __future__ import annotations

from lsprotocol import types

from jaxlint.lsp import notebook_cells
from jaxlint.lsp.open_documents import path_of, text_document
from jaxlint.lsp.server import Server
from jaxlint.lsp.texts import Text


def add_texts(server: Server) -> None:
    """Follow what the client does with texts."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        text = Text(document.text, ls.scheduler.projects.encoding)
        opened = text_document(document.uri, document.version, text)
        ls.scheduler.put(opened)
        ls.closed.opened(opened.path)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        known = ls.scheduler.documents.get(uri)
        if known is not None:
            text = known.text.changed(list(params.content_changes))
            ls.scheduler.put(text_document(uri, params.text_document.version, text))

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        ls.scheduler.close(params.text_document.uri)
        ls.withdraw([params.text_document.uri])
        ls.later(ls.closed.tell())

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path.endswith((".py", ".ipynb")):
            ls.checks.later()
        else:
            ls.settings_changed()


def add_notebooks(server: Server) -> None:
    """Follow what the client does with notebooks."""

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def did_open(ls: Server, params: types.DidOpenNotebookDocumentParams) -> None:
        given = params.notebook_document
        notebook = notebook_cells.Notebook(given.uri, ls.scheduler.projects.encoding, list(given.cells))
        notebook.open_cells(params.cell_text_documents)
        ls.notebooks[given.uri] = notebook
        ls.scheduler.put(notebook.document())

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def did_change(ls: Server, params: types.DidChangeNotebookDocumentParams) -> None:
        notebook = ls.notebooks.get(params.notebook_document.uri)
        if notebook is None:
            return
        before = set(notebook.texts)
        notebook.change(params.change)
        ls.withdraw(before.difference(notebook.texts))
        ls.scheduler.put(notebook.document())

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def did_close(ls: Server, params: types.DidCloseNotebookDocumentParams) -> None:
        notebook = ls.notebooks.pop(params.notebook_document.uri, None)
        if notebook is not None:
            ls.scheduler.close(notebook.uri)
            ls.withdraw(notebook.texts)
