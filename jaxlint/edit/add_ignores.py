"""Suppressions written for what is found: comments added to lines, or the ones that are there extended."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jaxlint.diagnostics import Diagnostic
from jaxlint.edit.apply_fixes import Changes, Problem, Rewritten, read_checked
from jaxlint.engine.result import Result
from jaxlint.fixes.edits import Placed
from jaxlint.syntax.comments import Comment, LogicalLine, logical_lines
from jaxlint.syntax.documents import Document
from jaxlint.syntax.layout import Layout
from jaxlint.syntax.positions import LINE_BREAK, LineIndex
from jaxlint.syntax.source import comments_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from jaxlint.engine.session import Session

_BRACKETS: Final = re.compile(r"#\s*jaxlint\s*:\s*ignore\s*\[(?P<rules>[^\]\n]*)\]")


def ignore_all(
    session: Session, contents: Mapping[str, bytes], reason: str, *, keep: Callable[[Result], Result]
) -> Changes:
    """Silence every finding of a session by a comment that gives the reason, where it is not empty."""
    digests = session.evidence().digests
    by_file: defaultdict[str, list[Diagnostic]] = defaultdict(list)
    first = keep(session.check())
    for diagnostic in first.diagnostics:
        if diagnostic.family != "engine":
            by_file[diagnostic.path].append(diagnostic)
    files: list[Rewritten] = []
    problems: list[Problem] = []
    for path, diagnostics in sorted(by_file.items()):
        text, problem = read_checked(path, contents, digests)
        after = None if text is None else text.with_edits(ignore_edits(text.document, diagnostics, reason))
        if text is None or after is None:
            why = problem or "its encoding lacks a character of the reason"
            problems.append(Problem(path, why, is_unwritten=True))
            continue
        counts = {rule: sum(d.rule == rule for d in diagnostics) for rule in sorted({d.rule for d in diagnostics})}
        files.append(Rewritten(path, text.original, after, counts))
    session.change({file.path: file.after for file in files})
    return Changes(keep(session.check()), first.diagnostics, tuple(files), tuple(problems))


def ignore_edits(document: Document, diagnostics: Iterable[Diagnostic], reason: str = "") -> list[Placed]:
    """The insertions, in order, that write a suppression for each of the diagnostics, which are the document's own."""
    file = _File(document.text, reason, document.layout)
    for diagnostic in diagnostics:
        file.ignore(diagnostic.span.line, diagnostic.rule)
    return sorted(file.edits())


@dataclass(slots=True, eq=False)
class _File:
    """A text while suppressions are gathered: rules by the comment that takes them, or by the line that gets one."""

    text: str
    reason: str
    layout: Layout | None
    extended: defaultdict[Comment, list[str]] = field(default_factory=lambda: defaultdict(list))
    added: defaultdict[LogicalLine, list[str]] = field(default_factory=lambda: defaultdict(list))
    lines: LineIndex = field(init=False)
    logical: Sequence[LogicalLine] = field(init=False)
    comments: Sequence[Comment] = field(init=False)

    def __post_init__(self) -> None:
        self.lines = LineIndex(self.text)
        self.logical = logical_lines(self.text)
        self.comments = [c for c in comments_of(self.text, self.layout) if _BRACKETS.match(c.text)]

    def ignore(self, line: int, rule: str) -> None:
        """Note that a rule is to be silent on a line."""
        comment = next((c for c in self.comments if c.first_line <= line <= c.last_line), None)
        if comment is not None:
            self.extended[comment].append(rule)
            return
        found = next((x for x in self.logical if x.first <= line <= x.last), None)
        if found is not None:
            self.added[found].append(rule)

    def edits(self) -> Iterable[Placed]:
        """The insertions that make it so."""
        wanted = [_extension(comment, rules) for comment, rules in self.extended.items()]
        wanted += [self._addition(line, rules) for line, rules in self.added.items()]
        if self.layout is None:
            return wanted
        allowed = [edit for edit in wanted if self.layout.may_change(*edit)]
        return [edit._replace(text=self.layout.as_written(edit.start, edit.text)) for edit in allowed]

    def _addition(self, line: LogicalLine, rules: Iterable[str]) -> Placed:
        """A comment behind the last line of a statement; above the statement where another one stands there."""
        reason = f" -- {self.reason}" if self.reason else ""
        comment = f"# jaxlint: ignore[{', '.join(sorted(set(rules)))}]{reason}"
        start = self.lines.starts[line.last - 1]
        end_of_line = LINE_BREAK.search(self.text, start)
        end = end_of_line.start() if end_of_line else len(self.text)
        if not line.has_comment and (self.layout is None or self.layout.may_change(end, end, "")):
            bare = len(self.text[:end].rstrip(" \t\f"))
            return Placed(bare, end, f"  {comment}")
        first = self.lines.starts[line.first - 1]
        indentation = self.text[first : first + _blanks(self.text, first)]
        newline = end_of_line.group() if end_of_line else "\n"
        return Placed(first, first, f"{indentation}{comment}{newline}")


def _extension(comment: Comment, rules: Iterable[str]) -> Placed:
    match = _BRACKETS.match(comment.text)
    assert match is not None
    known = [part.strip() for part in match["rules"].split(",") if part.strip()]
    new = [rule for rule in sorted(set(rules)) if rule not in known]
    start = comment.offset + match.start("rules")
    return Placed(start, comment.offset + match.end("rules"), ", ".join([*known, *new]))


def _blanks(text: str, start: int) -> int:
    at = start
    while at < len(text) and text[at] in " \t\f":
        at += 1
    return at - start
