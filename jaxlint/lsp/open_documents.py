"""The documents that the client has open, each as the client last said it is; a notebook is one of several parts."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from lsprotocol import types
from pygls import uris

from jaxlint.diagnostics import Span
from jaxlint.lsp.texts import Text
from jaxlint.syntax.documents import read_script
from jaxlint.syntax.layout import Layout


@dataclass(frozen=True, slots=True)
class Part:
    """A text that the client addresses by a URI of its own: a file, or a cell; `first` is its first line, from 0."""

    uri: str
    version: int | None
    text: Text
    first: int

    def range(self, span: Span) -> types.Range:
        """The range of a span of the document that lies in this part."""
        first = self.first
        return self.text.range(Span(span.line - first, span.column, span.end_line - first, span.end_column))


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One open document as of one version: what is checked as one file. Equal to itself alone.

    `layout` is None for a document that is not made of cells.
    """

    uri: str
    path: str
    text: Text
    parts: tuple[Part, ...]
    layout: Layout | None = None

    def part_at(self, line: int) -> Part:
        """The part that holds a line of the document, from 1."""
        return next(part for part in reversed(self.parts) if part.first < line or part is self.parts[0])

    def part_of(self, uri: str) -> Part | None:
        """The part that the client means by a URI."""
        return next((part for part in self.parts if part.uri == uri), None)

    def place(self, part: Part, position: types.Position) -> tuple[int, int]:
        """Line and column in the document, from 1, of a position in a part."""
        line, column = part.text.place(position)
        return line + part.first, column


def text_document(uri: str, version: int | None, text: Text) -> Document:
    """A document that is one text."""
    code, layout = read_script(text.code)
    masked = text if code == text.code else Text(text.whole[: text.shift] + code, text.encoding)
    return Document(uri, path_of(uri), masked, (Part(uri, version, text, 0),), layout)


def path_of(uri: str) -> str:
    """The file that a URI means; for what is no file, a path that stands for it in the current folder."""
    if urlsplit(uri).scheme == "file":
        path = uris.to_fs_path(uri)
        if path:
            return os.path.normpath(path)
    name = os.path.basename(urlsplit(uri).path) or "untitled"
    return os.path.join(os.getcwd(), name if name.endswith(".py") else f"{name}.py")


def uri_of(path: str) -> str:
    """The URI of a file."""
    return uris.from_fs_path(path) or ""


def overlaps(a: types.Range, b: types.Range) -> bool:
    """Whether two ranges touch."""
    return not (_before(a.end, b.start) or _before(b.end, a.start))


def _before(a: types.Position, b: types.Position) -> bool:
    return (a.line, a.character) < (b.line, b.character)
