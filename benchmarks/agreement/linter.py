"""What jaxlint says of a program that is given as text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache

from jaxlint.config import load_configuration
from jaxlint.diagnostics import Diagnostic
from jaxlint.engine.load import Loaded, LoadTask, load
from jaxlint.engine.session import Request, open_session
from jaxlint.files.discovery import FoundFile

_FOLDER = os.path.join(os.path.abspath(os.sep), "no-such-folder")
_PATH = os.path.join(_FOLDER, "program.py")


class _InThisProcess:
    """Loads files without worker processes."""

    def run(self, tasks: Iterable[LoadTask]) -> Iterator[tuple[LoadTask, Loaded]]:
        for task in tasks:
            yield task, load(task)


@cache
def _configuration():
    return load_configuration(command_line={}, environment={}, isolated=True, working_directory=_FOLDER)


def findings(text: str) -> list[Diagnostic]:
    """The findings of default confidence, by the rules that are on by default."""
    request = Request([FoundFile(_PATH, _FOLDER, None)], _configuration(), contents={_PATH: text.encode()})
    return list(open_session(request, _InThisProcess()).check().diagnostics)
