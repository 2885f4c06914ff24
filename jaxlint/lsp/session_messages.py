"""The messages of a session: its begin and end, settings, folders and files that change, and questions for findings."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from lsprotocol import types
from pygls import uris
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcException

from jaxlint.config import ConfigError
from jaxlint.lsp.actions import Client
from jaxlint.lsp.capabilities import NAME
from jaxlint.lsp.client_settings import SECTION
from jaxlint.lsp.open_documents import path_of
from jaxlint.lsp.server import Server

#: Files whose change can change what is found.
_WATCHED = ("**/*.py", "**/pyproject.toml", "**/jaxlint.toml", "**/setup.cfg", "**/.gitignore")


def add_lifecycle(server: Server) -> None:
    """Add what begins and ends a session, and what changes around it."""

    @server.feature(types.INITIALIZE)
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        _begin(ls, params)

    @server.feature(types.INITIALIZED)
    async def initialized(ls: Server, _: types.InitializedParams) -> None:
        ls.worker.post(_warm_up)
        ls.checks.later()
        ls.later(ls.follow_baselines())
        await _watch(ls)
        await _ask_for_settings(ls)

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: Server, _: None) -> None:
        ls.is_shut_down = True
        ls.checks.stop()

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
            ls.scheduler.files_changed(paths)
            ls.checks.later()
        else:
            ls.settings_changed()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_folders(ls: Server, _: types.DidChangeWorkspaceFoldersParams) -> None:
        ls.scheduler.projects.folders = [path for uri in ls.workspace.folders if (path := uris.to_fs_path(uri))]
        ls.settings_changed()


def _begin(ls: Server, params: types.InitializeParams) -> None:
    """Take what the client can do and where it works; offer what it can use."""
    capabilities = params.capabilities
    projects = ls.scheduler.projects
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
            ls.scheduler.refresh = ls.refresh
    else:
        ls.scheduler.publish = ls.publish
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
    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier=NAME)

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def pull(ls: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        found = ls.document_of(params.text_document.uri)
        if found is None:
            return types.RelatedFullDocumentDiagnosticReport(items=[])
        document, part = found
        try:
            findings = await ls.scheduler.findings(document.uri)
        except ConfigError as error:
            ls.complain(error)
            return types.RelatedFullDocumentDiagnosticReport(items=[])
        if findings is None or ls.scheduler.documents.get(document.uri) is not findings.document:
            raise _Superseded
        items = [shown for each, _, shown in ls.converted(findings) if each.uri == part.uri]
        return types.RelatedFullDocumentDiagnosticReport(items=items)

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def pull_all(ls: Server, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        return await ls.closed.pull(params)


class _Superseded(JsonRpcException):
    """The document changed while it was analysed: its newer version is what the client wants to know of."""

    CODE = types.LSPErrorCodes.ServerCancelled.value
    MESSAGE = "the document has changed"

    def __init__(self) -> None:
        super().__init__(data={"retriggerRequest": True})
