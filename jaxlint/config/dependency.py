"""The releases of JAX and its libraries that a project says it needs, from the files that declare its dependencies."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from jaxlint.config.requirement_files import requirement_files
from jaxlint.config.roots import repository_root

if TYPE_CHECKING:
    from jaxlint.jaxapi.requirements import Range, Requirement
    from jaxlint.jaxapi.versions import Version

#: The distributions that bring a library: only where one is named are the tables loaded, which read what is said of it.
_DISTRIBUTION: Final = re.compile(r"\s*(?:jax|jaxlib|flax|optax|equinox)(?![\w.-])", re.IGNORECASE)


class Bounds(NamedTuple):
    """The oldest and the newest release of a library that a project allows; None where it sets no bound."""

    library: str
    oldest: str | None
    newest: str | None


def declared_releases(root: str) -> tuple[Bounds, ...]:
    """What the project at `root` allows of the libraries that it depends on.

    Of a library the nearest folder speaks that names it, from the root of the project up to that of its repository. In
    a folder the package's own metadata counts first, then what tools are told to install, then what they locked: each
    bounds what those before it leave open. Files of one kind are alternatives, and the widest of them counts. What an
    extra or a group asks for bounds the newest release, and the oldest where the package itself does not. Requirements
    that cannot be read bound nothing.
    """
    folders = [each for folder in _folders(root) if (each := _sources(folder))]
    if not folders:
        return ()
    from jaxlint.jaxapi.requirements import LIBRARIES

    found = (_nearest(library, folders) for library in dict.fromkeys(LIBRARIES.values()))
    return tuple(bounds for bounds in found if bounds.oldest or bounds.newest)


def declared_jax(root: str) -> str | None:
    """The newest JAX that the project at `root` allows; None where it sets no upper bound (`jax>=0.4.30`)."""
    return next((bounds.newest for bounds in declared_releases(root) if bounds.library == "jax"), None)


#: The files of one folder by kind, each with the requirements of the package itself, and of its extras and groups.
_Sources: TypeAlias = "list[list[tuple[list[Requirement], list[Requirement]]]]"


def _folders(root: str) -> Iterator[str]:
    """The folder of a project, and those around it in the same repository."""
    yield root
    top = repository_root(root)
    while top is not None and root != top:
        root = os.path.dirname(root)
        yield root


def _sources(folder: str) -> _Sources:
    return [
        [(_read(file.own), _read(file.others)) for file in files]
        for files in requirement_files(folder)
        if any(map(_DISTRIBUTION.match, (text for file in files for text in (*file.own, *file.others))))
    ]


def _read(texts: Iterable[str]) -> list[Requirement]:
    from jaxlint.jaxapi.requirements import read

    return [read(text) for text in texts if _DISTRIBUTION.match(text)]


def _nearest(library: str, folders: list[_Sources]) -> Bounds:
    for sources in folders:
        found = _in_folder(library, sources)
        if found.oldest is not None or found.newest is not None:
            from jaxlint.jaxapi.requirements import oldest_told, written

            return Bounds(library, written(oldest_told(library, found.oldest)), written(found.newest))
    return Bounds(library, None, None)


def _in_folder(library: str, sources: _Sources) -> Range:
    """What the files of a folder allow; what a weaker kind says against a stronger one is out of date."""
    from jaxlint.jaxapi.requirements import Range, allowed, widest

    oldest: Version | None = None
    newest: Version | None = None
    for files in sources:
        found = widest([each for file in files if (each := allowed(library, *file)) is not None])
        if newest is None and found.newest is not None and not (oldest is not None and found.newest < oldest):
            newest = found.newest
        if oldest is None and found.oldest is not None and not (newest is not None and found.oldest > newest):
            oldest = found.oldest
    return Range(oldest, newest)
