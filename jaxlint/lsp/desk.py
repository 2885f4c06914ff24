"""Which documents are open and what is known of each: analysed when asked for or changed, told once per version."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from jaxlint.diagnostics import Diagnostic
from jaxlint.lsp.documents import Document
from jaxlint.lsp.projects import Projects
from jaxlint.lsp.worker import Worker


class Findings(NamedTuple):
    """What was found in one version of a document."""

    document: Document
    diagnostics: tuple[Diagnostic, ...]


@dataclass(slots=True, eq=False)
class Desk:
    """The open documents. `publish` is told what is found; None where the client asks for it."""

    projects: Projects
    worker: Worker
    publish: Callable[[Findings], None] | None = None
    complain: Callable[[Exception], None] = lambda _: None
    documents: dict[str, Document] = field(default_factory=dict)  # by URI
    found: dict[str, Findings] = field(default_factory=dict)  # by URI
    _running: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    def put(self, document: Document) -> None:
        """A document was opened or changed."""
        self.documents[document.uri] = document
        if self.publish is not None and document.uri not in self._running:
            self._running[document.uri] = asyncio.ensure_future(self._push(document.uri))

    def close(self, uri: str) -> None:
        """A document was closed."""
        self.documents.pop(uri, None)
        self.found.pop(uri, None)

    async def findings(self, uri: str) -> Findings | None:
        """What is found in a document as it is now; None where it is not open."""
        document = self.documents.get(uri)
        if document is None:
            return None
        known = self.found.get(uri)
        if known is not None and known.document is document:
            return known
        by_path = {other.path: other for other in self.documents.values()}
        diagnostics = await self.worker.run(lambda: self.projects.check(document, by_path))
        result = Findings(document, diagnostics)
        if self.documents.get(uri) is document:
            self.found[uri] = result
        return result

    async def _push(self, uri: str) -> None:
        """Tell what is found in a document, until that is what is found in its newest version."""
        try:
            while (findings := await self.findings(uri)) is not None:
                if findings.document is self.documents.get(uri):
                    if self.publish is not None:
                        self.publish(findings)
                    return
        except Exception as error:
            self.complain(error)
        finally:
            self._running.pop(uri, None)
