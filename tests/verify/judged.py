"""Verdicts on findings made by hand: whether the linter would report them is not the point."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from jaxlint.diagnostics import Category, Confidence, Diagnostic, Note, Severity, Span
from jaxlint.verify.model import Verdict
from jaxlint.verify.observe.observe import observe
from tests.verify.observing import PYTHON


def finding(path: Path, rule: str, text: str) -> Diagnostic:
    """A finding at the first place where `text` stands."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return finding_in(path, rule, next(n for n, line in enumerate(lines, 1) if text in line), text)


def finding_in(path: Path, rule: str, number: int, text: str, first: str | None = None) -> Diagnostic:
    """A finding at `text` in a line, with a note at the first place of the text `first`."""
    lines = path.read_text(encoding="utf-8").splitlines()
    notes: tuple[Note, ...] = ()
    if first is not None:
        line = next(n for n, known in enumerate(lines, 1) if first in known)
        notes = (Note("first used here", str(path), _span(lines, line, first)),)
    return Diagnostic(
        str(path), _span(lines, number, text), rule, "JX000", "tracing", Category.CORRECTNESS, Severity.ERROR,
        Confidence.CERTAIN, "by hand", notes,
    )  # fmt: skip


def _span(lines: Sequence[str], number: int, text: str) -> Span:
    column = lines[number - 1].index(text) + 1
    return Span(number, column, number, column + len(text))


def judged(path: Path, wanted: Sequence[tuple[str, str]]) -> list[tuple[Verdict, str]]:
    """The verdict and the evidence for each (rule, text), after a run of the file."""
    findings = [finding(path, rule, text) for rule, text in wanted]
    observation, _ = observe(
        [PYTHON or sys.executable, str(path)], findings, checked_at=time.time(), count_calls=False, timeout=100
    )
    return [(found.verdict, found.evidence) for found in observation.findings]
