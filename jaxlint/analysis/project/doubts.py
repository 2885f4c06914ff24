"""How sure it is in the end that code raises: code that people keep runs, as a rule.

Where it is not known whether the path to an operation is taken, the claim that it raises rests on one assumption more:
a certain one is likely, and a likely one is possible. `docs/accuracy.md` says how often such claims were wrong.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.source import committed_runs
from jaxlint.diagnostics import Confidence

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.events.event import Event

_PATH: Final = FindingNote("the outcome of a test on the way to this line is not known", None)


def settled(event: Event, finding: Finding) -> Finding:
    """A finding with the confidence that is left of it, and why."""
    if not event.raises:
        return finding
    shown = committed_runs.evidence(event.frame, event.at)
    if shown is not None:
        return _lowered(finding, Confidence.POSSIBLE, shown)
    if event.frame.caveats.memo is not None:
        return finding  # whether a memo is filled is a test itself
    is_certain = finding.confidence is Confidence.CERTAIN
    if not _is_behind_tests(event.frame, checks=not is_certain):
        return finding
    return _lowered(finding, Confidence.LIKELY if is_certain else Confidence.POSSIBLE, _PATH)


def _lowered(finding: Finding, confidence: Confidence, reason: FindingNote) -> Finding:
    return replace(finding, confidence=confidence, notes=(*finding.notes, reason))


def _is_behind_tests(frame: Frame, *, checks: bool) -> bool:
    """Whether tests of Python lead to a frame, of which it is not known how they come out.

    With `checks`, those count too of which one outcome is an error: what runs at all comes past them, but a value that
    is only likely may be what they refuse.
    """
    return any(
        not condition.traced and (checks or condition.test not in each.guards)
        for each in frame.callers()
        for condition in each.conditions
    )
