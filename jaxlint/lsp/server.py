"""The server: what it knows of its client and of open documents, and what it tells."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Iterator
from typing import Any, Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from jaxlint.config import ConfigError
from jaxlint.diagnostics import Diagnostic
from jaxlint.lsp import notebook_cells
from jaxlint.lsp.actions import Client
from jaxlint.lsp.capabilities import NAME
from jaxlint.lsp.client_settings import ClientSettings, read_settings
from jaxlint.lsp.closed_files import ClosedFiles
from jaxlint.lsp.conversions import diagnostic
from jaxlint.lsp.open_documents import Document, Part
from jaxlint.lsp.projects import Projects, ServerOptions
from jaxlint.lsp.scheduler import Findings, Scheduler
from jaxlint.lsp.texts import Text
from jaxlint.lsp.worker import Worker
from jaxlint.lsp.workspace_checks import WorkspaceChecks
from jaxlint.text import escape
from jaxlint.version import VERSION

#: Seconds between two looks at baselines.
BASELINE_SECONDS: Final = 1.0


class Server(LanguageServer):
    """A language server with its scheduler, and what it knows of its client."""

    def __init__(self, options: ServerOptions) -> None:
        super().__init__(NAME, VERSION, notebook_document_sync=notebook_cells.SYNC)
        self.worker = Worker()
        self.scheduler = Scheduler(Projects(options), self.worker)
        self.scheduler.complain = self.complain
        self.checks = WorkspaceChecks(
            self.scheduler.projects, self.worker, lambda: self.settings.workspace_diagnostics, self._workspace_checked
        )
        self.checks.complain = self.complain
        self.scheduler.beside = self.checks.beside
        self.closed = ClosedFiles(self)
        self.settings = ClientSettings()
        self.client = Client()
        self.is_related_known = False
        self.is_shut_down = False
        self.notebooks: dict[str, notebook_cells.Notebook] = {}
        self.figures: dict[str, dict[str, str]] = {}  # of verified functions, by path and name
        self._complaints: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def later(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin what nobody waits for; a reference keeps it alive."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- documents

    def text(self, path: str) -> Text | None:
        """The text of a file, open or not."""
        opened = (document.text for document in list(self.scheduler.documents.values()) if document.path == path)
        return next(opened, None) or self.scheduler.projects.text(path)

    def document_of(self, uri: str) -> tuple[Document, Part] | None:
        """The open document that holds what the client means by a URI, and which part that is."""
        own = self.scheduler.documents.get(uri)
        for document in [own] if own is not None else self.scheduler.documents.values():
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

    def _workspace_checked(self, is_new: bool) -> None:
        self.later(self.closed.tell())
        if is_new or any(document.path in self.checks.found for document in self.scheduler.documents.values()):
            self.later(self.scheduler.told_again())

    def refresh(self) -> None:
        """Have the client ask again."""
        self.workspace_diagnostic_refresh(None)

    def withdraw(self, uris_: Iterable[str]) -> None:
        """Nothing is known any more of what was closed."""
        if self.scheduler.publish is not None:
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
        self.scheduler.projects.settings = self.settings.settings
        self.settings_changed()

    async def follow_baselines(self) -> None:
        """Look again and again whether a baseline has changed: it can have any name, and not every client can watch."""
        while True:
            await asyncio.sleep(BASELINE_SECONDS)
            if await self.worker.run(self.scheduler.projects.forget_changed_baselines):
                self._complaints.clear()
                self.checks.later()
                await self.scheduler.told_again()

    def settings_changed(self) -> None:
        """Settings, here or in files, are not what they were."""
        self._complaints.clear()
        self.scheduler.settings_changed()
        self.checks.later()
