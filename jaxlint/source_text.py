"""The text of a file for reports, decoded as the front end decodes it."""

from __future__ import annotations

from jaxlint.discovery import read_bytes


def read_text(path: str, data: bytes | None = None) -> str | None:
    """The text of the file at `path` (or of its content `data`), without byte order mark; None where it has none."""
    from jaxlint.syntax.decode import Undecodable, decode

    try:
        return decode(read_bytes(path) if data is None else data).text
    except (OSError, Undecodable):
        return None
