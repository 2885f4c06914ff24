"""The documents that the client has open, by URI, each as the client last said it is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from pygls import uris

from jaxlint.lsp.texts import Text


@dataclass(frozen=True, slots=True)
class Document:
    """One open document as of one version."""

    uri: str
    path: str
    version: int | None
    text: Text


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
