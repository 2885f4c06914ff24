"""Questions that wait until an invocation is done, because the calls inside show the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from jaxlint.analysis.domain.frames import Caveats, Frame
    from jaxlint.analysis.domain.state import Condition
    from jaxlint.analysis.machine.interpreter import Interpreter


def put_off(it: Interpreter, owner: Frame, answer: Callable[[], None]) -> None:
    """Answer a question when `owner` is done, as it would be on the path that asks now.

    What limits the answer there, an undecided test for example, is over by then.
    """
    path = [(frame, frame.caveats, frame.conditions) for frame in it.frame.callers()]

    def answer_on_path() -> None:
        after = [(frame, frame.caveats, frame.conditions) for frame, _, _ in path]
        _limit(path)
        answer()
        _limit(after)

    owner.pending.questions.append(answer_on_path)


def _limit(path: list[tuple[Frame, Caveats, tuple[Condition, ...]]]) -> None:
    for frame, caveats, conditions in path:
        frame.caveats, frame.conditions = caveats, conditions
