"""Whether a project turns 64-bit types on somewhere: in its code, or in the files that say how it is run and tested."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from jaxlint.files.discovery import FoundFile, read_bytes
from jaxlint.jaxapi.x64 import MENTION_IN_BYTES

#: Files at the root of a project in which people set variables of the environment, or configure their tests.
_RUN_BY: Final = (
    "conftest.py", "pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini", "noxfile.py", "Makefile", "Dockerfile",
    ".env", "tests/conftest.py", "test/conftest.py",
)  # fmt: skip
_WORKFLOWS: Final = os.path.join(".github", "workflows")


def is_mentioned(files: Iterable[FoundFile], contents: Mapping[str, bytes]) -> bool:
    """Whether a file that is checked speaks of 64-bit types; `contents` stand in for what is on disk."""
    on_disk = (file.path for file in files if file.path not in contents)
    return any(map(MENTION_IN_BYTES.search, contents.values())) or _is_in(on_disk)


def is_mentioned_beside(root: str) -> bool:
    """Whether one of the files that tell how a project is run does so."""
    return _is_in(_beside(root))


def _beside(root: str) -> Iterator[str]:
    yield from (os.path.join(root, name) for name in _RUN_BY)
    folder = os.path.join(root, _WORKFLOWS)
    if os.path.isdir(folder):
        yield from (os.path.join(folder, name) for name in sorted(os.listdir(folder)))


def _is_in(paths: Iterable[str]) -> bool:
    return any(MENTION_IN_BYTES.search(_content(path)) for path in paths)


def _content(path: str) -> bytes:
    try:
        return read_bytes(path)
    except OSError:
        return b""
