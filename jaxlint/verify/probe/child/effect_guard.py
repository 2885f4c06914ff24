"""Stops what a probed function may not do: write files, start processes, open sockets. Heard from Python's audit."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
_STOPPED = {
    "subprocess.Popen": "starts a process", "os.system": "starts a process", "os.exec": "starts a process",
    "os.posix_spawn": "starts a process", "os.spawn": "starts a process", "os.fork": "starts a process",
    "os.forkpty": "starts a process", "pty.spawn": "starts a process",
    "socket.__new__": "opens a socket", "socket.connect": "opens a socket", "socket.bind": "opens a socket",
    "socket.getaddrinfo": "opens a socket", "urllib.Request": "opens a socket",
    "os.remove": "removes a file", "os.rmdir": "removes a folder", "shutil.rmtree": "removes a folder",
    "os.rename": "renames a file", "os.link": "makes a link", "os.symlink": "makes a link",
    "os.mkdir": "makes a folder", "os.truncate": "writes a file", "os.chmod": "changes a file",
    "os.chown": "changes a file",
}  # fmt: skip
#: What writes nothing that stays.
_HARMLESS = (os.devnull, "/dev/stdout", "/dev/stderr", "/dev/tty")


class StoppedError(BaseException):
    """A probed function was about to do what a probe does not allow; no handler of `Exception` catches it."""


class EffectGuard:
    """The one hook of this process, on duty only while a probed function runs."""

    def __init__(self) -> None:
        self._is_on_duty = False
        self._is_hooked = False
        self._on_read: Callable[[FrameType, str], None] | None = None

    @contextlib.contextmanager
    def on_duty(self, on_read: Callable[[FrameType, str], None] | None = None) -> Iterator[None]:
        """Guard what runs inside; `on_read` hears of files that are opened for reading, with the frame that does."""
        if not self._is_hooked:
            sys.addaudithook(self._heard)
            self._is_hooked = True
        self._is_on_duty, self._on_read = True, on_read
        try:
            yield
        finally:
            self._is_on_duty, self._on_read = False, None

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._is_on_duty:
            return
        if event == "open":
            self._opened(*arguments[:3])
        elif event in _STOPPED:
            subject = next((a for a in arguments if isinstance(a, (str, bytes)) and a), "")
            raise StoppedError(f"it {_STOPPED[event]}{f' ({subject!r:.80})' if subject else ''}")

    def _opened(self, path: Any, mode: Any, flags: Any) -> None:
        text = os.fsdecode(path) if isinstance(path, (str, bytes, os.PathLike)) else ""
        writes = bool(set(mode) & set("wax+")) if isinstance(mode, str) else bool((flags or 0) & _WRITING)
        if text in _HARMLESS or not text:
            return
        if writes:
            raise StoppedError(f"it opens `{text[:80]}` for writing")
        if self._on_read is not None:
            self._is_on_duty = False  # what looks at the reading may read
            try:
                self._on_read(sys._getframe(2), text)
            finally:
                self._is_on_duty = True
