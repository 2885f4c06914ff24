"""The server and its life: what the client opens, changes and closes, and what it is told of that."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence

from lsprotocol import types
from pygls import uris
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from jaxlint.config import ConfigError
from jaxlint.diagnostics import Diagnostic
from jaxlint.lsp import notebook_cells
from jaxlint.lsp.actions import Client
from jaxlint.lsp.capabilities import NAME
from jaxlint.lsp.client_settings import SECTION, ClientSettings, read_settings
from jaxlint.lsp.conversions import diagnostic
from jaxlint.lsp.open_documents import Document, Part, path_of, text_document
from jaxlint.lsp.projects import Options, Projects
from jaxlint.lsp.scheduler import Desk, Findings
from jaxlint.lsp.texts import Text
from jaxlint.lsp.worker import Worker
from jaxlint.text import escape
from jaxlint.version import VERSION

#: Files whose change can change what is found.
_WATCHED = ("**/*.py", "**/pyproject.toml", "**/jaxlint.toml", "**/setup.cfg", "**/.gitignore")


class Server(LanguageServer):
    """A language server with its desk, and what it knows of its client."""

    def __init__(self, options: Options) -> None:
        super().__init__(NAME, VERSION, notebook_document_sync=notebook_cells.SYNC)
        self.worker = Worker()
        self.desk = Desk(Projects(options), self.worker)
        self.desk.complain = self.complain
        self.settings = ClientSettings()
        self.client = Client()
        self.is_related_known = False
        self.is_shut_down = False
        self.notebooks: dict[str, notebook_cells.Notebook] = {}
        self.figures: dict[str, dict[str, str]] = {}  # of verified functions, by path and name
        self._complaints: set[str] = set()

    # --- documents

    def text(self, path: str) -> Text | None:
        """The text of a file, open or not."""
        opened = (document.text for document in self.desk.documents.values() if document.path == path)
        return next(opened, None) or self.desk.projects.text(path)

    def document_of(self, uri: str) -> tuple[Document, Part] | None:
        """The open document that holds what the client means by a URI, and which part that is."""
        own = self.desk.documents.get(uri)
        for document in [own] if own is not None else self.desk.documents.values():
            part = document.part_of(uri)
            if part is not None:
                return document, part
        return None

    # --- what is found

    def converted(self, findings: Findings) -> Iterator[tuple[Part, Diagnostic, types.Diagnostic]]:
        """What was found, in the client's words, with the part of the document that it is in."""
        document = findings.document
        for found in findings.diagnostics if document.parts else ():
            part = document.part_at(found.span.line)
            shown = diagnostic(found, part.range(found.span), self.text, is_related_known=self.is_related_known)
            yield part, found, shown

    def publish(self, findings: Findings) -> None:
        """Tell the client what was found, part by part."""
        by_part: dict[str, list[types.Diagnostic]] = {part.uri: [] for part in findings.document.parts}
        for part, _, shown in self.converted(findings):
            by_part[part.uri].append(shown)
        for part in findings.document.parts:
            parameters = types.PublishDiagnosticsParams(part.uri, by_part[part.uri], part.version)
            self.text_document_publish_diagnostics(parameters)

    def refresh(self) -> None:
        """Have the client ask again."""
        self.workspace_diagnostic_refresh(None)

    def withdraw(self, uris_: Iterable[str]) -> None:
        """Nothing is known any more of what was closed."""
        if self.desk.publish is not None:
            for uri in uris_:
                self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def complain(self, error: Exception) -> None:
        """Tell the person that something could not be done, once."""
        message = str(error) if isinstance(error, ConfigError) else f"{type(error).__name__}: {escape(str(error))}"
        if message not in self._complaints:
            self._complaints.add(message)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"jaxlint: {message}"))

    # --- settings

    def take_settings(self, given: object) -> None:
        """Follow what the client configures; what cannot be followed is told, and what held before holds."""
        try:
            self.settings = read_settings(given)
        except ConfigError as error:
            self.complain(error)
        self.desk.projects.settings = self.settings.settings
        self.settings_changed()

    def settings_changed(self) -> None:
        """Settings, here or in files, are not what they were."""
        self._complaints.clear()
        self.desk.settings_changed()


def make_server(options: Options) -> Server:
    """A server with all its features."""
    from jaxlint.lsp.features import add_features

    server = Server(options)
    _add_life(server)
    _add_texts(server)
    _add_notebooks(server)
    add_features(server)
    return server


# --- life


def _add_life(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        _begin(ls, params)

    @server.feature(types.INITIALIZED)
    async def initialized(ls: Server, _: types.InitializedParams) -> None:
        ls.worker.post(_warm_up)
        await _watch(ls)
        await _ask_for_settings(ls)

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: Server, _: None) -> None:
        ls.is_shut_down = True

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
        if get_capability(ls.client_capabilities, "workspace.configuration", False):
            await _ask_for_settings(ls)
        else:
            ls.take_settings(params.settings)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
        paths = {path_of(change.uri) for change in params.changes}
        if all(path.endswith(".py") for path in paths) and all(
            change.type is types.FileChangeType.Changed for change in params.changes
        ):
            ls.desk.files_changed(paths)
        else:
            ls.settings_changed()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_folders(ls: Server, _: types.DidChangeWorkspaceFoldersParams) -> None:
        ls.desk.projects.folders = [path for uri in ls.workspace.folders if (path := uris.to_fs_path(uri))]
        ls.settings_changed()


def _begin(ls: Server, params: types.InitializeParams) -> None:
    """Take what the client can do and where it works; offer what it can use."""
    capabilities = params.capabilities
    projects = ls.desk.projects
    projects.encoding = str(getattr(ls.workspace.position_encoding, "value", ls.workspace.position_encoding))
    projects.folders = [path for uri in _folders(params) if (path := uris.to_fs_path(uri))]
    ls.client = Client(
        takes_versions=bool(get_capability(capabilities, "workspace.workspace_edit.document_changes", False)),
        shows_documents=bool(get_capability(capabilities, "window.show_document.support", False)),
    )
    pulls = get_capability(capabilities, "text_document.diagnostic") is not None
    related = "diagnostic" if pulls else "publish_diagnostics"
    ls.is_related_known = bool(get_capability(capabilities, f"text_document.{related}.related_information", False))
    if pulls:
        _add_pull(ls)
        if get_capability(capabilities, "workspace.diagnostics.refresh_support", False):
            ls.desk.refresh = ls.refresh
    else:
        ls.desk.publish = ls.publish
    ls.worker.start()
    if params.initialization_options is not None:
        ls.take_settings(params.initialization_options)


def _warm_up() -> None:
    """Import what the first document will need, while the client reads what the server can do."""
    import jaxlint.lsp.checks
    import jaxlint.rules.rule
    import jaxlint.syntax.lower
    import jaxlint.syntax.token_extents

    jaxlint.rules.rule.registry()


def _folders(params: types.InitializeParams) -> list[str]:
    if params.workspace_folders:
        return [folder.uri for folder in params.workspace_folders]
    return [params.root_uri] if params.root_uri else []


async def _watch(ls: Server) -> None:
    """Ask to be told of changes on disk, where the client can."""
    if not get_capability(ls.client_capabilities, "workspace.did_change_watched_files.dynamic_registration", False):
        return
    watchers = [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    registration = types.Registration("jaxlint-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    with contextlib.suppress(JsonRpcException):  # it said that it could
        await ls.client_register_capability_async(types.RegistrationParams([registration]))


async def _ask_for_settings(ls: Server) -> None:
    """Ask for the client's settings, where it can tell them."""
    if not get_capability(ls.client_capabilities, "workspace.configuration", False):
        return
    item = types.ConfigurationItem(section=SECTION)
    answers: Sequence[object] = ()
    with contextlib.suppress(JsonRpcException):
        answers = await ls.workspace_configuration_async(types.ConfigurationParams([item]))
    if answers and answers[0] is not None:
        ls.take_settings(answers[0])


def _add_pull(server: Server) -> None:
    """Answer a client that asks for diagnostics."""
    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=NAME)

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def pull(ls: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        found = ls.document_of(params.text_document.uri)
        if found is None:
            return types.RelatedFullDocumentDiagnosticReport(items=[])
        document, part = found
        try:
            findings = await ls.desk.findings(document.uri)
        except ConfigError as error:
            ls.complain(error)
            return types.RelatedFullDocumentDiagnosticReport(items=[])
        if findings is None or ls.desk.documents.get(document.uri) is not findings.document:
            raise _Superseded
        items = [shown for each, _, shown in ls.converted(findings) if each.uri == part.uri]
        return types.RelatedFullDocumentDiagnosticReport(items=items)


class _Superseded(JsonRpcException):
    """The document changed while it was analysed: its newer version is what the client wants to know of."""

    CODE = types.LSPErrorCodes.ServerCancelled.value
    MESSAGE = "the document has changed"

    def __init__(self) -> None:
        super().__init__(data={"retriggerRequest": True})


# --- texts and notebooks


def _add_texts(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        text = Text(document.text, ls.desk.projects.encoding)
        ls.desk.put(text_document(document.uri, document.version, text))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        known = ls.desk.documents.get(uri)
        if known is not None:
            text = known.text.changed(list(params.content_changes))
            ls.desk.put(text_document(uri, params.text_document.version, text))

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        ls.desk.close(params.text_document.uri)
        ls.withdraw([params.text_document.uri])

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if not path.endswith((".py", ".ipynb")):
            ls.settings_changed()


def _add_notebooks(server: Server) -> None:
    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def did_open(ls: Server, params: types.DidOpenNotebookDocumentParams) -> None:
        given = params.notebook_document
        notebook = notebook_cells.Notebook(given.uri, ls.desk.projects.encoding, list(given.cells))
        notebook.open_cells(params.cell_text_documents)
        ls.notebooks[given.uri] = notebook
        ls.desk.put(notebook.document())

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def did_change(ls: Server, params: types.DidChangeNotebookDocumentParams) -> None:
        notebook = ls.notebooks.get(params.notebook_document.uri)
        if notebook is None:
            return
        before = set(notebook.texts)
        notebook.change(params.change)
        ls.withdraw(before.difference(notebook.texts))
        ls.desk.put(notebook.document())

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def did_close(ls: Server, params: types.DidCloseNotebookDocumentParams) -> None:
        notebook = ls.notebooks.pop(params.notebook_document.uri, None)
        if notebook is not None:
            ls.desk.close(notebook.uri)
            ls.withdraw(notebook.texts)
