"""The features of the server, each a few lines that hand the client's words to those who know."""

from __future__ import annotations

from lsprotocol import types
from pygls import uris
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from jaxlint.config import ConfigError
from jaxlint.lsp.conversions import SOURCE, diagnostic
from jaxlint.lsp.desk import Desk, Findings
from jaxlint.lsp.documents import Document, path_of
from jaxlint.lsp.projects import Options, Projects
from jaxlint.lsp.texts import Text
from jaxlint.lsp.worker import Worker
from jaxlint.text import escape
from jaxlint.version import VERSION


class Server(LanguageServer):
    """A language server with its desk."""

    def __init__(self, options: Options) -> None:
        super().__init__("jaxlint", VERSION)
        self.worker = Worker()
        self.desk = Desk(Projects(options), self.worker)
        self.desk.complain = self.complain
        self.is_related_known = False

    def text(self, path: str) -> Text | None:
        """The text of a file, open or not."""
        opened = (document.text for document in self.desk.documents.values() if document.path == path)
        return next(opened, None) or self.desk.projects.text(path)

    def converted(self, findings: Findings) -> list[types.Diagnostic]:
        """What was found, in the client's words."""
        text = findings.document.text
        return [
            diagnostic(found, text, self.text, is_related_known=self.is_related_known) for found in findings.diagnostics
        ]

    def publish(self, findings: Findings) -> None:
        """Tell the client what was found."""
        document = findings.document
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(document.uri, self.converted(findings), document.version)
        )

    def complain(self, error: Exception) -> None:
        """Tell the person that something could not be done."""
        message = str(error) if isinstance(error, ConfigError) else f"{type(error).__name__}: {escape(str(error))}"
        self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"jaxlint: {message}"))


def make_server(options: Options) -> Server:
    """A server with all its features."""
    server = Server(options)

    @server.feature(types.INITIALIZE)
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        _begin(ls, params)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        text = Text(document.text, ls.desk.projects.encoding)
        ls.desk.put(Document(document.uri, path_of(document.uri), document.version, text))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        known = ls.desk.documents.get(uri)
        if known is not None:
            text = known.text.changed(list(params.content_changes))
            ls.desk.put(Document(uri, known.path, params.text_document.version, text))

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        ls.desk.close(uri)
        if ls.desk.publish is not None:
            ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    return server


def _begin(ls: Server, params: types.InitializeParams) -> None:
    """Take what the client can do and where it works; offer what it can use."""
    capabilities = params.capabilities
    projects = ls.desk.projects
    projects.encoding = str(ls.workspace.position_encoding)
    projects.folders = [path for uri in _folders(params) if (path := uris.to_fs_path(uri))]
    pulls = get_capability(capabilities, "text_document.diagnostic") is not None
    related = "diagnostic" if pulls else "publish_diagnostics"
    ls.is_related_known = bool(get_capability(capabilities, f"text_document.{related}.related_information", False))
    if pulls:
        _add_pull(ls)
    else:
        ls.desk.publish = ls.publish
    ls.worker.start()


def _folders(params: types.InitializeParams) -> list[str]:
    if params.workspace_folders:
        return [folder.uri for folder in params.workspace_folders]
    return [params.root_uri] if params.root_uri else []


def _add_pull(server: Server) -> None:
    """Answer a client that asks for diagnostics."""
    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=SOURCE)

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def pull(ls: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        uri = params.text_document.uri
        findings = await ls.desk.findings(uri)
        if findings is None:
            return types.RelatedFullDocumentDiagnosticReport(items=[])
        if findings.document is not ls.desk.documents.get(uri):
            raise _Superseded
        return types.RelatedFullDocumentDiagnosticReport(items=ls.converted(findings))


class _Superseded(JsonRpcException):
    """The document changed while it was analysed: its newer version is what the client wants to know of."""

    CODE = types.LSPErrorCodes.ServerCancelled.value
    MESSAGE = "the document has changed"
