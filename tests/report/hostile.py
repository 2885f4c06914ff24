"""Diagnostics made of whatever text can come from file names and source code."""

from __future__ import annotations

from hypothesis import strategies as st

from jaxlint.diagnostics import (
    Applicability,
    Category,
    Confidence,
    Diagnostic,
    Edit,
    Fix,
    Note,
    Severity,
    Span,
    fingerprint,
)  # fmt: skip
from jaxlint.engine.result import Result

ROOT = "/p"
PIECES = (
    "\n", "\r", "\r\n", "\x1b[31m", "\x00", "\u202e", "\u2028", "\ufeff", "\ufffe", "\uffff", "\udcff", "\ud800",
    "%", "%0A", "%25", "::", "::error::", "::stop-commands::x", "##[error]", "##vso[task.complete result=Failed]",
    "##VSO[", "]]>", "<!--", "&amp;", '"', "'", "<", "`", ",", ";", "]", ":", " ", "[x](1)", "{0}", "\\", "日本", "é",
    "\U0001d4b3", "a", "b.py",
)  # fmt: skip

_CHARACTERS = st.integers(0, 0x10FFFF).map(chr)
texts = st.lists(st.sampled_from(PIECES) | _CHARACTERS, min_size=1, max_size=6).map("".join)
paths = texts.filter(lambda text: "/" not in text and "\x00" not in text).map(lambda text: f"{ROOT}/{text}")


@st.composite
def spans(draw: st.DrawFn) -> Span:
    line, column = draw(st.integers(1, 4)), draw(st.integers(1, 9))
    lines, columns = draw(st.integers(0, 2)), draw(st.integers(0, 9))
    return Span(line, column, line + lines, columns + 1 if lines else column + columns)


notes = st.builds(Note, texts) | st.builds(Note, texts, paths, spans())
edits = st.builds(Edit, paths, spans(), texts)
fixes = st.builds(Fix, texts, st.sampled_from(Applicability), st.lists(edits, min_size=1, max_size=3).map(tuple))
_RULES = (
    ("traced-branch", "JX301", "tracing", Category.CORRECTNESS),
    ("print-in-traced-code", "JX401", "effects", Category.SUSPICIOUS),
    ("my-own", "MY001", "mine", Category.PEDANTIC),
    ("syntax-error", "JXE01", "engine", Category.CORRECTNESS),
)


@st.composite
def diagnostics(draw: st.DrawFn) -> Diagnostic:
    rule, code, family, category = draw(st.sampled_from(_RULES))
    return Diagnostic(
        draw(paths), draw(spans()), rule, code, family, category, draw(st.sampled_from(Severity)),
        draw(st.sampled_from(Confidence)), draw(texts), tuple(draw(st.lists(notes, max_size=3))),
        draw(st.none() | fixes),
    )  # fmt: skip


def result_of(found: list[Diagnostic]) -> Result:
    """The diagnostics in order, each place and rule once, with fingerprints that differ as those of a run do."""
    from dataclasses import replace

    unique = {(d.path, d.span, d.rule): d for d in found}
    ordered = sorted(unique.values(), key=lambda d: d.sort_key)
    named = [replace(d, fingerprint=fingerprint(d.rule, "", "", "", i)) for i, d in enumerate(ordered)]
    return Result(tuple(named), files_checked=len(named))


results = st.lists(diagnostics(), max_size=5).map(result_of)
