"""What ends an analysis whose answer nobody waits for any more."""

from __future__ import annotations


class Cancelled(BaseException):
    """The file has changed again. No `Exception`, which would be a failure to analyse it."""
