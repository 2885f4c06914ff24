"""A bar on a terminal that shows how far a run has come, once it takes long enough to be asked about."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TextIO

from jaxlint import progress
from jaxlint.report.paint import is_terminal

#: Seconds before a bar appears, and between two drawings of it.
DELAY: Final = 1.0
_INTERVAL: Final = 0.1
_WIDTH: Final = 24
_CLEAR: Final = "\r\x1b[K"


@dataclass(slots=True)
class ProgressBar:
    """Draws on one line of `stream`; a forked process draws its own copy there, and the last one drawn holds."""

    stream: TextIO
    clock: Callable[[], float] = time.monotonic
    started: float = field(init=False)
    drawn: float = field(init=False)

    def __post_init__(self) -> None:
        self.started = self.drawn = self.clock()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show that `done` of `total` are done, unless it is too early for that."""
        now = self.clock()
        if now - self.started < DELAY or now - self.drawn < _INTERVAL:
            return
        self.drawn = now
        filled = _WIDTH * done // total if total else _WIDTH
        line = f"{what} [{'#' * filled}{'-' * (_WIDTH - filled)}] {done}/{total}"
        self._write(f"{_CLEAR}{line[: max(shutil.get_terminal_size().columns - 1, 1)]}")

    def clear(self) -> None:
        """Leave an empty line behind, where something may have been drawn."""
        if self.clock() - self.started >= DELAY:
            self._write(_CLEAR)

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            self.stream.write(text)
            self.stream.flush()


@contextlib.contextmanager
def shown_on(stream: TextIO | None, environment: Mapping[str, str]) -> Iterator[None]:
    """Show progress there while the block runs, if a person reads it on a terminal that can move its cursor."""
    if stream is None or not is_terminal(stream) or environment.get("TERM", "dumb") == "dumb":
        yield
        return
    bar = ProgressBar(stream)
    progress.listen(bar)
    try:
        yield
    finally:
        progress.listen(None)
        bar.clear()
