"""The files of all projects as they were last loaded: one that has not changed is never read twice."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jaxlint.cache import digest_of
from jaxlint.discovery import stamp_of
from jaxlint.loading import Loaded, LoadTask, load
from jaxlint.workers import Crash


class _Kept(NamedTuple):
    """A file as loaded: by which key it is known to be unchanged, and for which task."""

    key: object
    name: str
    is_whole: bool
    loaded: Loaded

    def answers(self, task: LoadTask, key: object) -> bool:
        """Whether the task would give the same."""
        is_same = key is not None and key == self.key and task.name == self.name
        return is_same and (self.is_whole or not task.whole or self.loaded.source is not None)


class Files:
    """Loads files in this process, and keeps what it loaded."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}

    def run(self, tasks: Iterable[LoadTask]) -> Iterator[tuple[LoadTask, Loaded | Crash]]:
        """Each task with its outcome."""
        for task in tasks:
            yield task, self._loaded(task)

    def _loaded(self, task: LoadTask) -> Loaded:
        key = _key(task)
        kept = self._kept.get(task.path)
        if kept is not None and kept.answers(task, key):
            return kept.loaded
        loaded = load(task)
        self._kept[task.path] = _Kept(key, task.name, task.whole, loaded)
        return loaded


def _key(task: LoadTask) -> object:
    """What tells that a file has not changed: the digest of a document, the stamp of a file on disk."""
    if task.data is not None:
        return digest_of(task.data)
    try:
        return stamp_of(os.stat(task.path))
    except OSError:
        return None
