"""What makes a finding that code raises *possible* in the end: the code has run as it is, or two things are unknown.

Code that people keep runs, as a rule. Where the value may be another one, and where it is not known either whether the
path to it is taken, a claim that it raises is wrong far more often than right: see `docs/accuracy.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.source import committed_runs
from jaxlint.diagnostics import Confidence

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.events.event import Event

_VALUE_AND_PATH: Final = FindingNote(
    "neither the value here is certain, nor whether the tests on the way lead here with it", None
)


def doubt(event: Event, finding: Finding) -> FindingNote | None:
    """Why nobody should be told of a finding unasked; None where nothing speaks against it."""
    if not event.raises:
        return None
    shown = committed_runs.evidence(event.frame, event.at)
    if shown is None and _is_likely(event, finding) and _is_behind_tests(event.frame):
        return _VALUE_AND_PATH
    return shown


def _is_likely(event: Event, finding: Finding) -> bool:
    """Whether a finding is only likely for another reason than that a memo may be filled, which is a test itself."""
    return finding.confidence is Confidence.LIKELY and event.frame.caveats.memo is None


def _is_behind_tests(frame: Frame) -> bool:
    """Whether tests of Python lead to a frame, of which it is not known how they come out."""
    return any(not condition.traced for each in frame.callers() for condition in each.conditions)
