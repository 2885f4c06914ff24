"""The files of all projects as they were last loaded: one that has not changed is never read twice."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jaxlint.engine.load import Loaded, LoadTask, load
from jaxlint.engine.workers import Crash
from jaxlint.files.discovery import stamp_of
from jaxlint.syntax.source import SourceFile


class _Kept(NamedTuple):
    """A file as loaded: by which key it is known to be unchanged, and for which task."""

    key: object
    task: LoadTask
    loaded: Loaded

    def answers(self, task: LoadTask, key: object) -> bool:
        """Whether the task would give the same."""
        is_same = key is not None and key == self.key and task.name == self.task.name
        is_read_so = task.triage or self.loaded.source is None or not self.loaded.source.is_triaged
        return is_same and is_read_so and (self.task.whole or not task.whole or self.loaded.source is not None)


class LoadedFiles:
    """Loads files in this process and keeps them; those that are open are what their documents say, read by libcst."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}
        self.open: dict[str, SourceFile] = {}

    def run(self, tasks: Iterable[LoadTask]) -> Iterator[tuple[LoadTask, Loaded | Crash]]:
        """Each task with its outcome."""
        for task in tasks:
            yield task, self._loaded(task)

    def _loaded(self, task: LoadTask) -> Loaded:
        if task.data is not None:
            return load(task)
        document = self.open.get(task.path)
        if document is not None:
            return Loaded(task.path, b"", document, None, document.module.imports)
        key = state_of(task.path)
        kept = self._kept.get(task.path)
        if kept is not None and kept.answers(task, key):
            return kept.loaded
        loaded = load(task)
        self._kept[task.path] = _Kept(key, task, loaded)
        return loaded


def state_of(path: str) -> object:
    """What tells that a file has not changed; None for one that is gone."""
    try:
        return stamp_of(os.stat(path))
    except OSError:
        return None
