"""constant-key: a key made from a constant gives the same numbers each time."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.random import KeyMade
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.random._fix_loops import make_outside
from jaxlint.rules.rule import rule


@rule("constant-key", code="JX206", category=Category.SUSPICIOUS, on=KeyMade, fix=make_outside)
def constant_key(made: KeyMade) -> Iterator[Finding]:
    """A key is made from a constant in traced code, in a loop, or in a function that a loop calls."""
    if made.trace is not None and made.trace.runs_once:
        message = f"`{made.text}` is a constant of the compiled program, so every call draws the same numbers"
        yield made.diagnostic(message, notes=(*made.traced_by(), *_purpose(made)), confidence=_sureness(made))
    elif made.in_loop:
        message = f"`{made.text}` makes the same key in every iteration, so every iteration draws the same numbers"
        note = FindingNote("make the key once, outside the loop, and split it", None)
        notes = (note, *_purpose(made))
        yield made.diagnostic(message, notes=notes, confidence=_sureness(made), fix=made.fix_request())


def _purpose(made: KeyMade) -> tuple[FindingNote, ...]:
    return (FindingNote(made.purpose, None),) if made.purpose else ()


def _sureness(made: KeyMade) -> Confidence:
    return Confidence.POSSIBLE if made.purpose else Confidence.CERTAIN
