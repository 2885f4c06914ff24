"""Which documents are open and what is known of each: analysed when asked for or changed, told once per version."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple

from jaxlint.analysis.domain.cancellation import Cancelled
from jaxlint.config import ConfigError
from jaxlint.diagnostics import Diagnostic
from jaxlint.lsp.open_documents import Document
from jaxlint.lsp.projects import Projects
from jaxlint.lsp.worker import Worker

#: Seconds without a change after which whole files are checked.
QUIET: Final = 0.25


class Findings(NamedTuple):
    """What was found in one version of a document."""

    document: Document
    diagnostics: tuple[Diagnostic, ...]


@dataclass(slots=True, eq=False)
class Scheduler:
    """The open documents. `publish` is told what is found; None where the client asks for it.

    A change is looked at at once, for what it can change itself; when nothing else comes for a while, the whole file
    and the other open documents are, and `publish` or `refresh` tell where that makes a difference. `beside` knows
    more of a document: what a check of the whole workspace found in a path with a text, beside some diagnostics.
    """

    projects: Projects
    worker: Worker
    publish: Callable[[Findings], None] | None = None
    refresh: Callable[[], None] = lambda: None
    complain: Callable[[Exception], None] = lambda _: None
    beside: Callable[[str, str, Iterable[Diagnostic]], list[Diagnostic]] = lambda *_: []
    documents: dict[str, Document] = field(default_factory=dict)  # by URI
    found: dict[str, Findings] = field(default_factory=dict)  # by URI
    _running: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _touched: set[str] = field(default_factory=set)
    _completing: asyncio.Task[None] | None = None

    def put(self, document: Document) -> None:
        """A document was opened or changed."""
        self.documents[document.uri] = document
        self._touched.add(document.path)
        if self.publish is not None and document.uri not in self._running:
            self._running[document.uri] = asyncio.ensure_future(self._push(document.uri))
        self._complete_later()

    def close(self, uri: str) -> None:
        """A document was closed."""
        document = self.documents.pop(uri, None)
        self.found.pop(uri, None)
        if document is not None:
            self.worker.post(lambda: self.projects.close(document.path))
            self._complete_later()

    def files_changed(self, paths: Iterable[str]) -> None:
        """Files on disk have changed that open documents may import."""
        self._touched.update(paths)
        self._complete_later()

    def settings_changed(self) -> None:
        """Settings, or files that are not open, are not what they were."""
        self.found.clear()
        self.worker.post(self.projects.forget)
        for document in list(self.documents.values()):
            self.put(document)
        if self.publish is None:
            self.refresh()

    async def findings(self, uri: str) -> Findings | None:
        """What is found in a document as it is now, as far as that is told at once; None where it is not open."""
        document = self.documents.get(uri)
        if document is None:
            return None
        known = self.found.get(uri)
        if known is not None and known.document is document:
            return known

        def work() -> list[Diagnostic]:
            check = self.projects.check(document.path)
            if check is None:
                return []
            return self._all(document, check.update(document.text, lambda: self._is_old(document), document.layout))

        return await self._found(document, work)

    async def fixable(self, uri: str) -> Findings | None:
        """What is found in a document, with the fixes."""
        findings = await self.findings(uri)
        if findings is None:
            return None

        def work() -> list[Diagnostic]:
            check = self.projects.check(findings.document.path)
            if check is None or check.file.text != findings.document.text.code:
                return []
            return self._all(findings.document, check.with_fixes())

        return Findings(findings.document, tuple(await self.worker.run(work)))

    def _all(self, document: Document, own: list[Diagnostic]) -> list[Diagnostic]:
        more = self.beside(document.path, document.text.code, own)
        return sorted([*own, *more], key=lambda found: found.sort_key) if more else own

    async def told_again(self) -> None:
        """What `beside` or a baseline knows is not what it was."""
        before, self.found = self.found, {}
        changed = False
        for document in list(self.documents.values()):
            known = before.get(document.uri)
            try:
                now = await self.findings(document.uri)
            except Exception as error:  # one document must not cost the others
                self.complain(error)
                continue
            if now is None or self._is_old(document) or (known is not None and known.diagnostics == now.diagnostics):
                continue
            changed = True
            if self.publish is not None:
                self.publish(now)
        if changed and self.publish is None:
            self.refresh()

    async def _found(self, document: Document, work: Callable[[], list[Diagnostic]]) -> Findings:
        try:
            result = Findings(document, tuple(await self.worker.run(work)))
        except Cancelled:
            return Findings(document, ())
        while self.projects.warnings:
            self.complain(ConfigError(self.projects.warnings.pop(), key="plugins"))
        if self.documents.get(document.uri) is document:
            self.found[document.uri] = result
        return result

    def _is_old(self, document: Document) -> bool:
        """Whether a document has changed since, or was closed."""
        return self.documents.get(document.uri) is not document

    async def _push(self, uri: str) -> None:
        """Tell what is found in a document, until that is what is found in its newest version."""
        try:
            while (findings := await self.findings(uri)) is not None:
                if not self._is_old(findings.document):
                    if self.publish is not None:
                        self.publish(findings)
                    return
        except Exception as error:
            self.complain(error)
        finally:
            self._running.pop(uri, None)

    # --- the whole of everything, when nothing else is to be done

    def _complete_later(self) -> None:
        if self._completing is not None:
            self._completing.cancel()
        self._completing = asyncio.ensure_future(self._complete_soon())

    async def _complete_soon(self) -> None:
        await asyncio.sleep(QUIET)
        changed = False
        for path in self._touched:
            self.worker.post(partial(self.projects.others_changed, path))
        self._touched.clear()
        for document in list(self.documents.values()):
            changed = await self._complete(document) or changed
        if changed and self.publish is None:
            self.refresh()

    async def _complete(self, document: Document) -> bool:
        """Check the whole of a document; whether that changed what is known of it."""
        try:
            return await self._completed(document)
        except Exception as error:
            self.complain(error)
            return False

    async def _completed(self, document: Document) -> bool:
        before = await self.findings(document.uri)
        if before is None or self._is_old(document):
            return False

        def work() -> list[Diagnostic]:
            check = self.projects.check(document.path)
            return [] if check is None else self._all(document, check.complete(lambda: self._is_old(document)))

        after = await self._found(document, work)
        if self._is_old(document) or after.diagnostics == before.diagnostics:
            return False
        if self.publish is not None:
            self.publish(after)
        return True
