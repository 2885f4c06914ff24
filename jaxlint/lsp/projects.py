"""The projects that open documents belong to: their settings, and what is found in a document."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jaxlint.config import Configuration, load_configuration
from jaxlint.diagnostics import Diagnostic
from jaxlint.discovery import FoundFile
from jaxlint.engine import Request, open_session
from jaxlint.lsp.documents import Document
from jaxlint.lsp.files import Files
from jaxlint.lsp.texts import Text
from jaxlint.roots import forget, project_root
from jaxlint.source_text import read_text


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line of the server says of settings."""

    config: tuple[str, ...] = ()
    isolated: bool = False


@dataclass(slots=True, eq=False)
class Projects:
    """Answers for documents of any project; used by the worker alone.

    `folders` are the workspace folders of the client, `settings` what it says should hold, as on a command line.
    """

    options: Options
    encoding: str = "utf-16"
    folders: Sequence[str] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    files: Files = field(default_factory=Files)
    _configurations: dict[str, Configuration] = field(default_factory=dict)

    def check(self, document: Document, open_documents: Mapping[str, Document]) -> tuple[Diagnostic, ...]:
        """What is found in a document, with all open ones as they are. Raises ConfigError."""
        request = self.request(document, open_documents)
        return open_session(request, self.files).check().diagnostics

    def request(self, document: Document, open_documents: Mapping[str, Document]) -> Request:
        """The question for what is found in one document."""
        root = self.root(document.path)
        contents = {path: other.text.code.encode("utf-8", "surrogatepass") for path, other in open_documents.items()}
        return Request([FoundFile(document.path, root, None)], self.configuration(root), contents, jobs=1)

    def root(self, path: str) -> str:
        """The root of the project of a file."""
        holding = [folder for folder in self.folders if path.startswith(os.path.join(folder, ""))]
        return project_root(os.path.dirname(path), max(holding, key=len, default=None))

    def configuration(self, root: str) -> Configuration:
        """The settings of the project at a root. Raises ConfigError."""
        if root not in self._configurations:
            self._configurations[root] = load_configuration(
                command_line=self.settings,
                config=self.options.config,
                environment=os.environ,
                isolated=self.options.isolated,
                working_directory=root,
            )
        return self._configurations[root]

    def text(self, path: str, open_documents: Mapping[str, Document]) -> Text | None:
        """The text of a file, open or on disk."""
        document = open_documents.get(path)
        if document is not None:
            return document.text
        whole = read_text(path, None)
        return None if whole is None else Text(whole, self.encoding)

    def forget(self) -> None:
        """Read settings again when they are next asked for."""
        self._configurations.clear()
        forget()
