"""The text of a file for reports, as the front end reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.files.discovery import read_bytes

if TYPE_CHECKING:
    from jaxlint.syntax.documents import Document


def read_document(path: str, data: bytes | None = None) -> Document | None:
    """What the file at `path` (or its content `data`) holds; None where that cannot be read."""
    from jaxlint.syntax.documents import open_document

    try:
        return open_document(path, read_bytes(path) if data is None else data)
    except (OSError, ValueError):
        return None


def read_text(path: str, data: bytes | None = None) -> str | None:
    """The text of the file at `path` (or of its content `data`), without byte order mark; None where it has none."""
    from jaxlint.syntax.decode import Undecodable, decode

    try:
        return decode(read_bytes(path) if data is None else data).text
    except (OSError, Undecodable):
        return None
