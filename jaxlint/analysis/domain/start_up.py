"""What of JAX has started on a path: from then on, some settings come too late."""

from __future__ import annotations

from typing import Final, NamedTuple

from jaxlint.analysis.domain.findings import Place


class StartUp(NamedTuple):
    """Where JAX was imported, where its backend started, and where the first array of default width was made.

    None where that is not sure: it under-approximates.
    """

    imported: Place | None = None
    backend: Place | None = None
    arrays: Place | None = None

    def joined(self, other: StartUp) -> StartUp:
        """What has started on either of two paths."""
        if self is other:
            return self
        return StartUp(*(mine if theirs is not None else None for mine, theirs in zip(self, other)))

    def after(self, earlier: StartUp) -> StartUp:
        """What has started once more has: what came first counts."""
        if self is earlier or self is NOT_STARTED:
            return earlier
        return StartUp(*(mine if theirs is None else theirs for mine, theirs in zip(self, earlier)))


NOT_STARTED: Final = StartUp()
