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
        self._outer = self._interpreter.frame
        self._interpreter.frame = self._frame
        return self._frame

    def __exit__(self, *_: object) -> None:
        """Go back to the one before."""
        self._interpreter.frame = self._outer
