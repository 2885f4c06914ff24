"""What happened on a path since a clock was read: the JAX work that nothing has waited for yet, and past waits.

JAX returns before the work is done. Waiting for any result waits for what was dispatched before it as well, in
practice: devices work through their queue in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame


class Program(NamedTuple):
    """What an operation runs.

    `compiled` is the moment at which its function was made, where this call is what compiles it, or traces it where
    nothing is compiled; `keeps`: a program that the first call compiles is kept for the later ones. `calls_host`: the
    program calls the host. `body_made` is the moment at which the body of a loop was made.
    """

    compiled: int = 0
    keeps: bool = False
    calls_host: bool = False
    body_made: int = 0

    def again(self, start: int, now: int) -> Program:
        """The program of a call like one that began at the moment `start`, `now`."""
        compiled, body_made = (now if made >= start else 0 for made in (self.compiled, self.body_made))
        return Program(compiled, compiled > 0, self.calls_host, body_made)


#: An operation that is no program of its own.
OPERATION: Final = Program()


class Work(NamedTuple):
    """An operation that JAX dispatched: when, in which invocation, and where."""

    serial: int
    frame: Frame
    at: int
    program: Program

    def is_compiled_again(self, start: int) -> bool:
        """Whether it is a loop whose body is made after this moment: each time that this is done, it is compiled."""
        return self.program.body_made > start

    def compiles(self, start: int, measuring: Frame) -> bool:
        """Whether code made the function after this moment; one that is not compiled, in a function that is measured.

        Such a function traces it again each time that it is called, and does more on the host besides.
        """
        return self.program.compiled > start and (self.program.keeps or self.frame is not measuring)


class Timeline(NamedTuple):
    """The part of a path's history that matters for what a clock measures. Moments are serial numbers.

    `work` is the last compiled call or large operation that nothing waited for since, `light` the last small one.
    `waited` is the last moment at which something was waited for, or may have been; `loops` holds the last sure ones,
    by the number of loops around them. `idle` is the last moment at which code waited while no work was known of: a
    call like it waits for what is dispatched by then.
    """

    work: Work | None = None
    light: Work | None = None
    waited: int = 0
    loops: tuple[int, ...] = ()
    idle: int = 0

    @property
    def is_waiting(self) -> bool:
        """Whether some work has not been waited for."""
        return self.work is not None or self.light is not None

    @property
    def oldest(self) -> int:
        """When the first work was dispatched that is still known of."""
        return min(work.serial for work in (self.work, self.light) if work is not None)

    def after_call(self, serial: int, depth: int, *, sure: bool) -> Timeline:
        """The timeline after something that waits for the work that is known of, if there is any."""
        return self.after_wait(serial, depth, sure=sure) if self.is_waiting else self._replace(idle=serial)

    def after_wait(self, serial: int, depth: int, *, sure: bool) -> Timeline:
        """The timeline with a wait in as many loops as `depth`; only one that is sure to happen counts for loops."""
        if not sure:
            return Timeline(None, None, serial, self.loops, self.idle)
        padded = (*self.loops, *([0] * (depth + 1 - len(self.loops))))
        return Timeline(None, None, serial, (*padded[:depth], serial, *padded[depth + 1 :]), self.idle)

    def unfinished(self, start: int, depth: int) -> Work | None:
        """Work dispatched after `start`, in as many loops as `depth`, that nothing has waited for.

        What a loop in between waits for in each pass is nearly all of its work; a small operation behind something
        that was waited for is nearly none.
        """
        if any(serial > start for serial in self.loops[depth + 1 :]):
            return None
        if self.work is not None and self.work.serial > start:
            return self.work
        light = self.light
        return light if light is not None and light.serial > start >= self.waited else None


def join_timelines(a: Timeline | None, b: Timeline | None) -> Timeline | None:
    """The timeline after either of two paths: work that one of them waited for is no longer looked at."""
    if a is b or b is None:
        return a
    if a is None:
        return b
    if a.waited == b.waited:
        work, light = _later(a.work, b.work), _later(a.light, b.light)
    else:
        last = a if a.waited > b.waited else b
        work, light = last.work, last.light
    shorter, longer = sorted((a.loops, b.loops), key=len)
    padded = (*shorter, *([0] * (len(longer) - len(shorter))))
    return Timeline(work, light, max(a.waited, b.waited), tuple(map(max, padded, longer)), max(a.idle, b.idle))


def _later(a: Work | None, b: Work | None) -> Work | None:
    if a is None or b is None:
        return a or b
    return a if a.serial >= b.serial else b
