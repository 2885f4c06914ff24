"""What there is to say at a place of a document: of a finding, of a comment that silences, of a name in traced code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from jaxlint.config.errors import ConfigError
from jaxlint.diagnostics import Diagnostic, Note
from jaxlint.engine.result import ENGINE_RULES
from jaxlint.engine.rulebook import find_page, pages
from jaxlint.report.page_address import installed_page, page_address
from jaxlint.version import rule_address

_SUPPRESSION: Final = re.compile(
    r"#\s*(?:jaxlint\s*:\s*(?:ignore|file-ignore|disable|enable)\s*\[(?P<rules>[^\]\n]*)\]|noqa\s*:(?P<codes>[^#\n]*))"
)
_SELECTOR: Final = re.compile(r"[\w-]+")
_WORD: Final = re.compile(r"[^\W\d]\w*")


def of_finding(diagnostic: Diagnostic) -> str:
    """A finding with its evidence, what its rule reports, and a link to the rule's page."""
    head = [f"**{diagnostic.code} {diagnostic.rule}** ({diagnostic.confidence.value}): {diagnostic.message}"]
    notes = [f"- {note.message}{_where(note, diagnostic.path)}" for note in diagnostic.notes]
    about = _about(diagnostic.rule, page_address(diagnostic))
    return "\n".join([*head, "", *notes, *(["", about] if about else [])])


def of_rule(rule: str) -> str:
    """What a rule reports, and a link to its page; empty for what is no rule."""
    engine = next((r for r in ENGINE_RULES.values() if rule in (r.slug, r.code)), None)
    if engine is not None:
        return f"### {engine.slug} ({engine.code})\n\n{engine.summary}"
    try:
        page = find_page(rule)
    except ConfigError:
        return ""
    return f"### {page.slug} ({page.code})\n\n{_about(page.slug, rule_address(page.slug) or installed_page(page.slug))}"


def _about(rule: str, address: str | None) -> str:
    page = pages().get(rule)
    link = f"[{rule}: why, and what to write instead]({address})" if address else ""
    return "\n\n".join(filter(None, (page.summary if page else "", link)))


def suppressed_at(line: str, column: int) -> list[str]:
    """The rules that a comment on the line names at a column, from 1; all of them where it stands on none."""
    match = _SUPPRESSION.search(line)
    if match is None or column - 1 < match.start():
        return []
    group = "rules" if match["rules"] is not None else "codes"
    selectors = list(_SELECTOR.finditer(line, match.start(group), match.end(group)))
    here = [found.group() for found in selectors if found.start() <= column - 1 <= found.end()]
    return here or [found.group() for found in selectors]


def word_at(line: str, column: int) -> tuple[int, int] | None:
    """The first and last column, from 1 and the last exclusive, of the name that stands at a column."""
    for match in _WORD.finditer(line):
        if match.start() <= column - 1 < match.end():
            return match.start() + 1, match.end() + 1
    return None


def of_name(notes: Iterable[Note], line: int, columns: tuple[int, int]) -> str:
    """What the analysis said of the name between two columns of a line, and where it is that."""
    heading = ""
    lines: list[str] = []
    for note in notes:
        if note.span is None:
            heading = note.message
        elif (note.span.line, note.span.column, note.span.end_line, note.span.end_column) == (
            line, columns[0], line, columns[1],
        ):  # fmt: skip
            lines += [heading, f"- {note.message}"] if heading else [f"- {note.message}"]
            heading = ""
    return "\n".join(lines)


def _where(note: Note, path: str) -> str:
    if note.path is None or note.span is None:
        return ""
    return f" (line {note.span.line}{'' if note.path == path else f' of {note.path}'})"


def joined(pieces: Sequence[str]) -> str:
    """Several answers as one."""
    return "\n\n---\n\n".join(filter(None, pieces))
