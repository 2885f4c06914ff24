"""What was found in files that are not open: told to a client that asks for it, published to any other."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.capabilities import get_capability

from jaxlint.lsp.conversions import diagnostic
from jaxlint.lsp.open_documents import uri_of
from jaxlint.lsp.texts import Text

if TYPE_CHECKING:
    from jaxlint.lsp.server import Server


class ClosedFiles:
    """Follows the checks of the workspace, and what is open.

    A client that can pull the diagnostics of a document may yet never pull those of the workspace, and does not say so
    in advance: it is published to until it has asked.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._published: dict[str, list[types.Diagnostic]] = {}  # by path
        self._is_asked = False
        self._answered = -1  # the revision that the client has
        self._news = asyncio.Event()

    async def tell(self) -> None:
        """Publish what is known of closed files, where that is not what the client has."""
        self._news.set()
        self._news = asyncio.Event()
        capabilities = self._server.client_capabilities
        if get_capability(capabilities, "text_document.publish_diagnostics") is None:
            return
        found = {} if self._is_asked else await self._found()
        for path in sorted({*found, *self._published}):
            shown = found.get(path, [])
            if shown != self._published.pop(path, []) and (shown or not self._is_open(path)):
                self._publish(path, shown)
            if shown:
                self._published[path] = shown

    def opened(self, path: str) -> None:
        """A file is open now: its document is told of alone."""
        if self._published.pop(path, None) and self._server.scheduler.publish is None:
            self._publish(path, [])

    async def pull(self, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        """What is found in closed files; once the client knows all of it, the answer waits until there is more."""
        if not self._is_asked:
            self._is_asked = True
            await self.tell()  # withdraws what was published
        known = {each.uri: each.value for each in params.previous_result_ids}
        checks = self._server.checks
        while True:
            news = self._news
            if checks.is_settled:
                items = list(self._report(await self._found(), known))
                is_new = any(isinstance(item, types.WorkspaceFullDocumentDiagnosticReport) for item in items)
                if is_new or self._answered != checks.revision:
                    self._answered = checks.revision
                    return types.WorkspaceDiagnosticReport(items)
            await news.wait()

    def _report(
        self, found: dict[str, list[types.Diagnostic]], known: dict[str, str]
    ) -> Iterator[types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport]:
        by_uri = {uri_of(path): shown for path, shown in found.items()}
        for uri in sorted({*by_uri, *known}):
            shown = by_uri.get(uri, [])
            identity = str(hash(repr(shown)))
            if known.get(uri) == identity:
                yield types.WorkspaceUnchangedDocumentDiagnosticReport(uri, identity)
            else:
                yield types.WorkspaceFullDocumentDiagnosticReport(uri, shown, result_id=identity)

    async def _found(self) -> dict[str, list[types.Diagnostic]]:
        """What is found in closed files, in the client's words, by path."""
        found = self._server.checks.found
        texts: dict[str, Text | None] = {}

        def text_of(path: str) -> Text | None:
            if path not in texts:
                texts[path] = self._server.scheduler.projects.text(path)
            return texts[path]

        def work() -> dict[str, list[types.Diagnostic]]:
            shown: dict[str, list[types.Diagnostic]] = {}
            for path, diagnostics in found.items():
                text = None if self._is_open(path) else text_of(path)
                if text is not None:
                    shown[path] = [
                        diagnostic(each, text.range(each.span), text_of, is_related_known=is_related_known)
                        for each in diagnostics
                    ]
            return shown

        is_related_known = self._server.is_related_known
        return await self._server.worker.run(work)

    def _is_open(self, path: str) -> bool:
        return any(document.path == path for document in list(self._server.scheduler.documents.values()))

    def _publish(self, path: str, shown: list[types.Diagnostic]) -> None:
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri_of(path), shown))
