"""The `gitlab` format: GitLab's code quality report, a subset of what Code Climate once defined.

Its fields are those of https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from jaxlint.diagnostics import Category, Diagnostic, Severity, Span
from jaxlint.engine.result import Result
from jaxlint.report.json_text import json_text
from jaxlint.report.paths import PathPrinter
from jaxlint.report.prose import detail_lines
from jaxlint.text import escape

_SEVERITIES: Final = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}
_CATEGORIES: Final = {Category.PERFORMANCE: "Performance", Category.MIGRATION: "Compatibility"}


def gitlab_lines(result: Result, paths: PathPrinter) -> Iterator[str]:
    """One JSON array in ASCII. `paths` prints relative to the repository's root, as GitLab compares them."""
    yield json_text([_issue(diagnostic, paths) for diagnostic in result.diagnostics])


def _issue(diagnostic: Diagnostic, paths: PathPrinter) -> dict[str, Any]:
    return {
        "type": "issue",
        "check_name": diagnostic.rule,
        "categories": [_CATEGORIES.get(diagnostic.category, "Bug Risk")],
        "severity": _SEVERITIES[diagnostic.severity],
        "description": f"{diagnostic.code}: {escape(diagnostic.message)}",
        "content": {"body": "\n".join(f"- {line}" for line in detail_lines(diagnostic, paths))},
        "fingerprint": diagnostic.fingerprint,
        "location": {"path": paths(diagnostic.path), "positions": _positions(diagnostic.span)},
    }


def _positions(span: Span) -> dict[str, dict[str, int]]:
    return {
        "begin": {"line": span.line, "column": span.column},
        "end": {"line": span.end_line, "column": span.end_column},
    }
