"""The one statement of notebooks that is not Python's: a clock of IPython."""

from __future__ import annotations

from jaxlint.syntax.node import Node


class Clock(Node):
    """A clock of IPython starts: `magic` is `%time`, `%timeit`, `%%time` or `%%timeit`; "" stops the one that runs.

    `is_dropped`: what the timed code computes is used by nothing else.
    """

    magic: str
    is_dropped: bool
    at: int
