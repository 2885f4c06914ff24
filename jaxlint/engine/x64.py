"""Whether a project turns 64-bit types on somewhere: in its code, or in the files that say how it is run and tested."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from jaxlint.files.discovery import read_bytes
from jaxlint.mentions import bytes_speak_of_width

#: Files at the root of a project in which people set variables of the environment, or configure their tests.
_RUN_BY: Final = (
    "conftest.py", "pyproject.toml", *(f"{tool}.ini" for tool in ("pytest", "tox")), "setup.cfg", "noxfile.py",
    "Makefile", "Dockerfile",
    ".env", "tests/conftest.py", "test/conftest.py",
)  # fmt: skip
#: Modules that are looked at, and folders that are not.
_MOST: Final = 2000
_FOREIGN: Final = frozenset({"venv", "node_modules", "site-packages", "__pycache__", "build", "dist"})
_WORKFLOWS: Final = os.path.join(".github", "workflows")


def is_mentioned_beside(root: str) -> bool:
    """Whether one of the files that tell how a project is run does so."""
    return _is_in(_beside(root))


def is_mentioned_below(root: str) -> bool:
    """Whether a module of a project does: for a file that is checked without the others."""
    return _is_in(islice(_modules(root), _MOST))


def _modules(root: str) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _FOREIGN)
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".py"))


def _beside(root: str) -> Iterator[str]:
    yield from (os.path.join(root, name) for name in _RUN_BY)
    folder = os.path.join(root, _WORKFLOWS)
    if os.path.isdir(folder):
        yield from (os.path.join(folder, name) for name in sorted(os.listdir(folder)))


def _is_in(paths: Iterable[str]) -> bool:
    return any(bytes_speak_of_width(_content(path)) for path in paths)


def _content(path: str) -> bytes:
    try:
        return read_bytes(path)
    except OSError:
        return b""
