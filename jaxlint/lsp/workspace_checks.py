"""The whole workspace, checked as it is on disk by a process of its own, in the background.

It tells what the open documents alone do not: what is found in files that are not open, and what callers elsewhere do
to those that are.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from jaxlint.config import ConfigError
from jaxlint.diagnostics import Diagnostic
from jaxlint.engine.check_apart import COMMAND, answer, question
from jaxlint.engine.command_line import SettingsOptions
from jaxlint.engine.result import Result
from jaxlint.lsp.projects import Projects
from jaxlint.lsp.worker import Worker

#: Seconds without a change after which the workspace is checked.
DELAY: Final = 0.5
#: The most files of a workspace: a home directory is none.
MOST_FILES: Final = 5000

Found = Mapping[str, tuple[Diagnostic, ...]]


@dataclass(slots=True, eq=False)
class WorkspaceChecks:
    """What the last check of the workspace found, by path, and when it began; `tell` hears of each that has ended.

    `revision` counts the checks that found something else than the one before.
    """

    projects: Projects
    worker: Worker
    is_wanted: Callable[[], bool]
    tell: Callable[[bool], None] = lambda _: None
    complain: Callable[[Exception], None] = lambda _: None
    found: Found = field(default_factory=dict)
    revision: int = 0
    _began_ns: int = 0
    _is_stale: bool = False
    _task: asyncio.Task[None] | None = None
    _process: asyncio.subprocess.Process | None = None

    @property
    def is_settled(self) -> bool:
        """Whether nothing is being checked."""
        return self._task is None or self._task.done()

    def later(self) -> None:
        """Files on disk, or settings, are not what they were. A check that runs goes on, and is followed by another."""
        self._is_stale = True
        if self.is_settled:
            self._task = asyncio.ensure_future(self._run())

    def stop(self) -> None:
        """End what runs."""
        if self._task is not None:
            self._task.cancel()
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    def beside(self, path: str, code: str, own: Iterable[Diagnostic]) -> list[Diagnostic]:
        """What was found in an open document with this text, and is not among what the document itself tells.

        Nothing where the document is not what was checked. Reads the file: for the worker.
        """
        whole = self.found.get(path)
        if not whole or not self._is_as_checked(path, code):
            return []
        told = {(found.rule, found.span) for found in own}
        return [found for found in whole if (found.rule, found.span) not in told]

    def _is_as_checked(self, path: str, code: str) -> bool:
        try:
            changed_ns = os.stat(path).st_mtime_ns
        except OSError:
            return False
        text = self.projects.text(path)
        return changed_ns <= self._began_ns and text is not None and text.code == code

    async def _run(self) -> None:
        while self._is_stale:
            await asyncio.sleep(DELAY)
            self._is_stale = False
            began = time.time_ns()
            try:
                found = await self._checked()
            except Exception as error:  # what cannot be done is told, and nothing is known
                self.complain(error)
                found = {}
            is_new = found != self.found
            self.revision += is_new
            self.found, self._began_ns = found, began
            self.tell(is_new)

    async def _checked(self) -> Found:
        if not self.is_wanted():
            return {}
        by_path: defaultdict[str, list[Diagnostic]] = defaultdict(list)
        for folder in self.projects.folders:
            result = await self._checked_folder(folder)
            for found in await self.worker.run(lambda result=result: list(self._unknown(result))):  # type: ignore[misc]
                by_path[found.path].append(found)
        return {path: tuple(dict.fromkeys(found)) for path, found in by_path.items()}

    async def _checked_folder(self, folder: str) -> Result:
        given = self.projects.options
        options = SettingsOptions(
            config=(*given.config, *assignments(self.projects.settings)),
            isolated=given.isolated,
            allow_plugins=given.plugins,
            jobs=1,
        )
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*COMMAND, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder)
        self._process = process
        try:
            output, errors = await process.communicate(question(["."], options, MOST_FILES))
        finally:
            self._process = None
        return answer(output, errors, process.returncode)

    def _unknown(self, result: Result) -> Iterator[Diagnostic]:
        """What no baseline knows, in files of Python; a closed notebook has no cells that a client could mark."""
        by_root: defaultdict[str, list[Diagnostic]] = defaultdict(list)
        for found in result.diagnostics:
            if found.path.endswith(".py"):
                by_root[self.projects.root(found.path)].append(found)
        for root, diagnostics in by_root.items():
            known = self.projects.baseline(root)
            yield from diagnostics if known is None else known.unknown(diagnostics)


def assignments(settings: Mapping[str, Any]) -> list[str]:
    """Settings as `--config` takes them. Raises ConfigError for what TOML cannot say."""
    return [f"{json.dumps(key)} = {_toml(value)}" for key, value in settings.items()]


def _toml(value: Any) -> str:  # noqa: ANN401 - JSON
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{json.dumps(str(key))} = {_toml(each)}' for key, each in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str | bool | int | float):
        return json.dumps(value)
    raise ConfigError(f"`{value!r}` is not what a setting takes", key="jaxlint.settings")
