"""How far a long run has come, told to whoever listens; nothing here knows how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
#: What is done, how many are done, and how many there are.
Listener = Callable[[str, int, int], None]

_listeners: list[Listener] = []


def listen(listener: Listener | None) -> None:
    """Tell `listener` from now on, and nobody else; None for nobody. A forked process tells the same one."""
    _listeners[:] = [listener] if listener else []


def counted(what: str, items: Iterable[Item], total: int) -> Iterator[Item]:
    """The items, each told before it is given."""
    for done, item in enumerate(items):
        for listener in _listeners:
            listener(what, done, total)
        yield item
