"""Comments that may silence a finding, and the lines that each belongs to; what they say is for others to read."""

from __future__ import annotations

from typing import NamedTuple


class Comment(NamedTuple):
    """A `# jaxlint:` or `# noqa` comment. Lines count from 1, columns too; `text` starts at the `#`.

    `first_line` and `last_line` bound the logical line that it belongs to: for a compound statement its header,
    for a comment alone on its line the next logical line with the decorators of what it defines.
    `block_end` is the last line of the block around a comment that stands alone, and 0 for others.
    """

    text: str
    offset: int
    line: int
    column: int
    is_own_line: bool
    first_line: int
    last_line: int
    indentation: int
    block_end: int


def scan_comments(text: str) -> tuple[Comment, ...]:
    """Find the comments, in order."""
    return ()
