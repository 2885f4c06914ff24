"""The current frame, for a while: entered for each call, so that a generator for it would be felt."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter


class Entering:
    """A context in which `frame` is the current one of an interpreter."""

    __slots__ = ("_frame", "_interpreter", "_outer")

    def __init__(self, interpreter: Interpreter, frame: Frame) -> None:
        self._interpreter = interpreter
        self._frame = frame

    def __enter__(self) -> Frame:
        """Make the frame the current one."""
        it = self._interpreter
        if it.entered:
            self._outer = it.frame
        it.entered += 1
        it.frame = self._frame
        return self._frame

    def __exit__(self, *_: object) -> None:
        """Go back to the one before."""
        it = self._interpreter
        it.entered -= 1
        if it.entered:
            it.frame = self._outer
