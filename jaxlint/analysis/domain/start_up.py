"""What of JAX has started on a path: from then on, some settings come too late."""

from __future__ import annotations

from typing import Final, NamedTuple

from jaxlint.analysis.domain.findings import Place


class Setting(NamedTuple):
    """A setting and its value as text, None where that is not known."""

    name: str
    value: str | None

    def may_be(self, other: Setting) -> bool:
        """Whether both may give the same name the same value."""
        return self.name == other.name and (None in (self.value, other.value) or self.value == other.value)


class StartUp(NamedTuple):
    """Where JAX was imported, where its backend started, and where the first array of default width was made.

    None where that is not sure: it under-approximates. `exact` is where the first array was made that holds only
    numbers that 32 bits hold exactly. `is_open`: code runs of which no call is known. `settled`: the settings that may
    have been made in time, with their values. To make one of them again changes nothing.
    """

    imported: Place | None = None
    backend: Place | None = None
    arrays: Place | None = None
    is_open: bool = False
    settled: frozenset[Setting] = frozenset()
    exact: Place | None = None

    def of_open(self) -> StartUp:
        """What has started in code of which no call is known: arrays made elsewhere may be meant to stay so."""
        return StartUp(self.imported, self.backend, None, True, self.settled)

    def joined(self, other: StartUp) -> StartUp:
        """What has started on either of two paths."""
        if self is other:
            return self
        return StartUp(
            self.imported if other.imported else None,
            self.backend if other.backend else None,
            self.arrays if other.arrays else None,
            self.is_open,
            self.settled | other.settled,
            self.exact if other.exact else None,
        )

    def after(self, earlier: StartUp) -> StartUp:
        """What has started once more has: what came first counts."""
        if self is earlier or self is NOT_STARTED:
            return earlier
        return StartUp(
            earlier.imported or self.imported,
            earlier.backend or self.backend,
            earlier.arrays or self.arrays,
            earlier.is_open,
            earlier.settled | self.settled,
            earlier.exact or self.exact,
        )


NOT_STARTED: Final = StartUp()
