"""The rules of a SARIF run as their pages describe them: what GitHub shows beside an alert."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from jaxlint.diagnostics import Category, Diagnostic, Severity
from jaxlint.engine.result import ENGINE_RULES
from jaxlint.engine.rulebook import Page, pages, without_page_links

LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEMS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}
#: What a category promises, in GitHub's words; `very-high` is left to what is never wrong.
_PRECISION: Final[Mapping[Category, str]] = {
    Category.CORRECTNESS: "high",
    Category.MIGRATION: "high",
    Category.SUSPICIOUS: "medium",
    Category.PERFORMANCE: "medium",
    Category.PEDANTIC: "medium",
}
#: GitHub cuts descriptions off here.
_MAX_DESCRIPTION: Final = 1024
_FENCE: Final = re.compile(
    r"^(?P<ticks>`{3,})python (?P<kind>\w+)[^\n]*\n(?P<code>.*?)^(?P=ticks)[ ]*\n", re.MULTILINE | re.DOTALL
)
_MARK: Final = re.compile(r"[ \t]*# expect: [a-z0-9, -]+$", re.MULTILINE)
_CODE: Final = re.compile(r"`([^`\n]+)`")


def descriptors(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """The rules that were found, in the order of their codes."""
    samples = {diagnostic.code: diagnostic for diagnostic in diagnostics}
    known = pages()
    return [_descriptor(sample, known.get(sample.rule)) for _, sample in sorted(samples.items())]


def _descriptor(sample: Diagnostic, page: Page | None) -> dict[str, Any]:
    engine = ENGINE_RULES.get(sample.rule)
    summary = page.summary if page else engine.summary if engine else sample.rule
    descriptor: dict[str, Any] = {
        "id": sample.code,
        "name": sample.rule,
        "shortDescription": {"text": _shortened(_sentence(summary))},
        "fullDescription": {"text": _shortened(summary)},
        "defaultConfiguration": {"level": LEVELS[sample.severity]},
        "help": _help(page) if page else {"text": summary, "markdown": summary},
        "properties": {
            "tags": ["jax", sample.family, sample.category.value],
            "precision": "very-high" if engine else _PRECISION[sample.category],
            "problem.severity": _PROBLEMS[sample.severity],
        },
    }
    return {**descriptor, "helpUri": sample.url} if sample.url else descriptor


def _help(page: Page) -> dict[str, str]:
    markdown = without_page_links("\n\n".join(f"## {title}\n{text}" for title, text in _sections(page)))
    return {"text": _CODE.sub(r"\1", markdown).replace("```python\n", "\n").replace("```", ""), "markdown": markdown}


def _sections(page: Page) -> Iterator[tuple[str, str]]:
    """The sections that say something, without the marks and proofs of the tests."""
    for title, text in page.sections.items():
        shown = _FENCE.sub(_fence, f"{text}\n").strip("\n")
        if shown:
            yield title, shown


def _fence(match: re.Match[str]) -> str:
    if match["kind"] == "proof":
        return ""
    ticks = match["ticks"]
    return f"{ticks}python\n{_MARK.sub('', match['code'])}{ticks}\n"


def _sentence(text: str) -> str:
    """The first sentence: up to a full stop before white space."""
    return re.split(r"(?<=[.:])\s", text, maxsplit=1)[0]


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_DESCRIPTION else f"{text[: _MAX_DESCRIPTION - 1]}…"
