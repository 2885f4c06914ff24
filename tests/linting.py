"""Checks one module given as text, as `jaxlint check` would check its file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Final

from jaxlint.config import load_configuration
from jaxlint.diagnostics import Confidence, Diagnostic, Span
from jaxlint.engine.load import Loaded, LoadTask, load
from jaxlint.engine.result import ENGINE_RULES
from jaxlint.engine.session import Request, open_session
from jaxlint.files.discovery import FoundFile
from jaxlint.fixes.edits import choose, put
from jaxlint.syntax.positions import LineIndex

#: Nothing is read from there.
FOLDER: Final = os.path.join(os.path.abspath(os.sep), "no-such-folder")
PATH: Final = os.path.join(FOLDER, "block.py")
_MISHAPS: Final = {slug for slug, rule in ENGINE_RULES.items() if rule.code.startswith("JXE")}


class _InThisProcess:
    """Loads files without worker processes."""

    def run(self, tasks: Iterable[LoadTask]) -> Iterator[tuple[LoadTask, Loaded]]:
        for task in tasks:
            yield task, load(task)


def diagnostics(
    source: str,
    *slugs: str,
    confidence: Confidence = Confidence.LIKELY,
    target_jax: str | None = None,
    extended: Iterable[str] = (),
    oldest_jax: str | None = None,
) -> list[Diagnostic]:
    """What is reported of a module, by these rules, or by those that are on without any setting and some more."""
    settings: dict[str, object] = {"min-confidence": confidence.value, "extend-select": sorted(extended)}
    if slugs:
        settings["select"] = list(slugs)
    if target_jax is not None:
        settings["target-jax"] = target_jax
    if oldest_jax is not None:
        settings["oldest-jax"] = oldest_jax
    configuration = load_configuration(command_line=settings, environment={}, isolated=True, working_directory=FOLDER)
    request = Request([FoundFile(PATH, FOLDER, None)], configuration, contents={PATH: source.encode()})
    result = open_session(request, _InThisProcess()).check()
    assert not result.warnings, result.warnings
    assert not [d.message for d in result.diagnostics if d.rule in _MISHAPS]
    return list(result.diagnostics)


def marked_lines(
    source: str, extended: Iterable[str] = (), oldest_jax: str | None = None
) -> frozenset[tuple[int, str]]:
    """The (line, slug) pairs of what is reported by the rules that are on without any setting, and by these."""
    found = diagnostics(source, extended=extended, oldest_jax=oldest_jax)
    return frozenset((each.span.line, each.rule) for each in found)


def text_at(source: str, span: Span) -> str:
    """The piece of a module that stands at a place."""
    starts = LineIndex(source).starts
    return source[starts[span.line - 1] + span.column - 1 : starts[span.end_line - 1] + span.end_column - 1]


def fixed(source: str, slug: str, target_jax: str | None = None) -> str:
    """What the fixes of one rule, unsafe ones too, make of a module that is for a release of JAX."""
    for _ in range(10):
        found = diagnostics(source, slug, target_jax=target_jax)
        fixes = [d.fix for d in found if d.fix and d.fix.applicability.rank < 2]
        chosen, edits = choose(LineIndex(source), fixes)
        if not chosen:
            return source
        source = put(source, edits)
    raise AssertionError(f"the fixes never settle:\n{source}")
