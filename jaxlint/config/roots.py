"""Where a file belongs: its repository, its project, and the settings files that stand in a folder."""

from __future__ import annotations

import os
from functools import cache
from typing import Final

PYPROJECT: Final = "pyproject.toml"
OWN_FILE: Final = "jaxlint.toml"
PROJECT_MARKERS: Final = (PYPROJECT, "setup.py", "setup.cfg")
_REPOSITORY_MARKERS: Final = (".git", ".hg", ".svn", ".jj")
#: What stands at the top of a source tree, and hardly ever in a package.
_TOP_MARKERS: Final = (*PROJECT_MARKERS, *_REPOSITORY_MARKERS, "requirements.txt", "README.md", "README.rst")


@cache
def repository_root(directory: str) -> str | None:
    """The nearest ancestor that is the root of a version-controlled tree, or None."""
    if any(os.path.exists(os.path.join(directory, marker)) for marker in _REPOSITORY_MARKERS):
        return directory
    parent = os.path.dirname(directory)
    return None if parent == directory else repository_root(parent)


@cache
def _nearest(directory: str, markers: tuple[str, ...]) -> str | None:
    """The nearest ancestor that holds one of `markers`, not looking above the repository's root."""
    if any(os.path.isfile(os.path.join(directory, marker)) for marker in markers):
        return directory
    parent = os.path.dirname(directory)
    if parent == directory or repository_root(directory) == directory:
        return None
    return _nearest(parent, markers)


def marked_root(directory: str) -> str | None:
    """The nearest ancestor that says it is a project; without one, the nearest with settings of ours."""
    return _nearest(directory, PROJECT_MARKERS) or _nearest(directory, (OWN_FILE,))


def project_root(directory: str, argument: str | None = None) -> str:
    """The root of the project that files of `directory` belong to; `argument` is the folder the user named."""
    return marked_root(directory) or argument or directory


def is_top(directory: str) -> bool:
    """Whether a folder looks like the top of a source tree, so that an `__init__.py` in it makes no package of it."""
    return any(os.path.exists(os.path.join(directory, marker)) for marker in _TOP_MARKERS)


def forget_roots() -> None:
    """Forget which roots were found: files may have come and gone since."""
    for remembered in (repository_root, _nearest):
        remembered.cache_clear()


def configuration_file(directory: str) -> tuple[str, ...]:
    """The settings files that stand in `directory` itself, the stronger first."""
    return tuple(path for name in (OWN_FILE, PYPROJECT) if os.path.isfile(path := os.path.join(directory, name)))
