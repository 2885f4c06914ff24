"""From findings to diagnostics: what is shown, once per operation and cause, with places and fingerprints."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.diagnostics import Applicability, Confidence, Diagnostic, Fix, Note, Severity, Span, fingerprint
from jaxlint.engine.result import ENGINE_RULES
from jaxlint.text import plural, unicode_path

if TYPE_CHECKING:
    from jaxlint.analysis.domain.findings import Cause, Finding, FindingNote, Place
    from jaxlint.fixes.code import Code
    from jaxlint.rules.rule import Rule
    from jaxlint.syntax.source import SourceFile


class _Operation(NamedTuple):
    """What findings that must be told apart by their order have in common."""

    rule: str
    path: str
    function: str
    operation: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of one file: the slugs of the rules, the least sure findings to show, whose fixes are offered.

    `fixable` None: those of all rules. The unsafe fixes of those in `trusted` count as safe.
    """

    rules: frozenset[str]
    min_confidence: Confidence
    fixable: frozenset[str] | None = None
    severities: Mapping[str, Severity] = field(default_factory=dict)
    trusted: frozenset[str] = frozenset()

    def shows(self, finding: Finding) -> bool:
        """Whether a finding of the file is shown."""
        return finding.rule in self.rules and finding.confidence.rank <= self.min_confidence.rank

    def offers(self, rule: str) -> bool:
        """Whether the fixes of a rule are offered."""
        return self.fixable is None or rule in self.fixable


@dataclass(frozen=True, slots=True)
class Reporter:
    """Turns the findings of one project into its diagnostics."""

    root: str
    rules: Mapping[str, Rule]
    shown: Mapping[str, Shown]
    source: Callable[[str], SourceFile | None]
    warnings: list[str] = field(default_factory=list)
    _codes: dict[str, Code] = field(default_factory=dict)

    def diagnostics(self, findings: Iterable[Finding]) -> list[Diagnostic]:
        """The diagnostics of the findings that are shown, in order of place."""
        operations = self._by_operation(f for f in findings if self._is_shown(f))
        kept = [(span, f) for (_, span, _), f in operations.items() if not self._yields(f, span, operations)]
        kept.sort(key=lambda item: (item[1].place.path, item[0], item[1].rule))
        equals: Counter[_Operation] = Counter()
        causes: dict[Cause, str] = {}
        made = []
        for span, finding in kept:
            if finding.cause in causes and self.rules[finding.rule].once_per_cause:
                continue
            diagnostic = self._diagnostic(finding, span, equals)
            own = diagnostic.fingerprint
            shared = own if finding.cause is None else causes.setdefault(finding.cause, own)
            made.append(replace(diagnostic, cause=shared))
        return made

    def _is_shown(self, finding: Finding) -> bool:
        shown = self.shown.get(finding.place.path)
        return shown is not None and shown.shows(finding)

    def _by_operation(self, findings: Iterable[Finding]) -> dict[tuple[str, Span, str], Finding]:
        """One finding for each rule and operation: the one with the best witness."""
        best: dict[tuple[str, Span, str], Finding] = {}
        for finding in findings:
            span = self._span(finding.place.path, finding.place.at)
            if span is None:
                continue
            key = (finding.place.path, span, finding.rule)
            if key not in best or finding.witness_order < best[key].witness_order:
                best[key] = finding
        return best

    def _yields(self, finding: Finding, span: Span, operations: Mapping[tuple[str, Span, str], Finding]) -> bool:
        others = self.rules[finding.rule].yields_to
        return any((finding.place.path, span, other) in operations for other in others)

    def _diagnostic(self, finding: Finding, span: Span, equals: Counter[_Operation]) -> Diagnostic:
        rule = self.rules[finding.rule]
        path = finding.place.path
        return Diagnostic(
            path=path,
            span=span,
            rule=rule.slug,
            code=rule.code,
            family=rule.family,
            category=rule.category,
            severity=self.shown[path].severities.get(rule.slug, rule.category.severity),
            confidence=finding.confidence,
            message=finding.message,
            notes=tuple(self._note(note) for note in finding.notes),
            fix=self._fix(finding, rule) if finding.requests else None,
            fingerprint=self._fingerprint(finding, self._structure(finding.place), equals),
            former=self._fingerprint(finding, self._text(finding.place), equals),
            url=rule.url,
        )

    def _fingerprint(self, finding: Finding, operation: str, equals: Counter[_Operation]) -> str:
        """The name of a finding by how its operation is written; equal ones are told apart by their order."""
        key = _Operation(finding.rule, finding.place.path, finding.function, operation)
        index = equals[key]
        equals[key] += 1
        return fingerprint(finding.rule, self._relative(finding.place.path), finding.function, operation, index)

    def _structure(self, place: Place) -> str:
        """The operation with its variables as numbers: a renamed one makes no other finding."""
        from jaxlint.fixes.anonymous import anonymous_text

        code = self._code(place.path)
        return "" if code is None else f"$ {anonymous_text(code, place.at)}"

    def _text(self, place: Place) -> str:
        """The operation as written."""
        source = self.source(place.path)
        return "" if source is None else " ".join(source.segment(place.at).split())

    def _fix(self, finding: Finding, rule: Rule) -> Fix | None:
        """The fix that suits every invocation of the operation; None where they want different ones."""
        if rule.fix is None or not self.shown[finding.place.path].offers(rule.slug):
            return None
        code = self._code(finding.place.path)
        if code is None or code.source.is_triaged:
            return None  # libcst cannot read the file: what it would make of edits is not known
        try:
            fixes = [rule.fix(request, code) for request in finding.requests]
        except Exception as error:  # a defect of one fix costs that fix
            what = f"the fix of {rule.slug} failed ({type(error).__name__}: {error})"
            self.warnings.append(f"{finding.place.path}: {what}; please report it")
            return None
        placed = [in_cells(fix, code.source) for fix in fixes if fix is not None]
        offered = [fix for fix in placed if fix is not None]
        if len(offered) < len(fixes) or len({fix.edits for fix in offered}) > 1:
            return None
        made = max(offered, key=lambda fix: fix.applicability.rank)
        is_trusted = rule.slug in self.shown[finding.place.path].trusted
        if is_trusted and made.applicability is Applicability.UNSAFE:
            return replace(made, applicability=Applicability.SAFE, reason="")
        return made

    def _code(self, path: str) -> Code | None:
        """The file as fixes see it, indexed once for all of them."""
        if path not in self._codes:
            from jaxlint.fixes.code import Code

            source = self.source(path)
            if source is None:
                return None
            self._codes[path] = Code(source)
        return self._codes[path]

    def _note(self, note: FindingNote) -> Note:
        if note.place is None:
            return Note(note.message)
        span = self._span(note.place.path, note.place.at)
        return Note(note.message) if span is None else Note(note.message, note.place.path, span)

    def _span(self, path: str, at: int) -> Span | None:
        source = self.source(path)
        try:
            return None if source is None else source.span(at)
        except IndexError:
            return None  # an ordinal of another file: the finding is dropped rather than shown at a wrong place

    def _relative(self, path: str) -> str:
        return _relative(path, self.root)


def in_cells(fix: Fix, source: SourceFile) -> Fix | None:
    """A fix as it is put into the cells of its file; None where one of its places is no code there, but masked."""
    layout, starts = source.layout, source.lines.starts
    if layout is None:
        return fix
    edits = []
    for edit in fix.edits:
        span = edit.span
        start, end = starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1
        if not layout.may_change(start, end, edit.text):
            return None
        edits.append(replace(edit, text=layout.as_written(start, edit.text)))
    return replace(fix, edits=tuple(edits))


def engine_diagnostic(
    slug: str, path: str, span: Span, message: str, root: str, shown: Shown | None = None
) -> Diagnostic:
    """A diagnostic of the engine itself about one file."""
    rule = ENGINE_RULES[slug]
    return Diagnostic(
        path=path,
        span=span,
        rule=rule.slug,
        code=rule.code,
        family=rule.family,
        category=rule.category,
        severity=shown.severities.get(slug, rule.severity) if shown else rule.severity,
        confidence=Confidence.CERTAIN,
        message=message,
        fingerprint=fingerprint(rule.slug, _relative(path, root), "<module>", message, 0),
    )


def _relative(path: str, root: str) -> str:
    return unicode_path(os.path.relpath(path, root)).replace(os.sep, "/")


def at_start(line: int = 1, column: int = 1) -> Span:
    """The empty span at a place."""
    return Span(line, column, line, column)


def with_distinct_fingerprints(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Number the engine's diagnostics of equal text in one file, so that no two share a fingerprint."""
    seen: Counter[str] = Counter()
    result = []
    for diagnostic in diagnostics:
        index = seen[diagnostic.fingerprint]
        seen[diagnostic.fingerprint] += 1
        own = diagnostic.fingerprint
        result.append(replace(diagnostic, fingerprint=fingerprint(own, "", "", "", index)) if index else diagnostic)
    return result


class LeftOut(NamedTuple):
    """What a run did not look at: the languages of notebooks that are not Python, and blocks of Markdown files."""

    languages: list[str]
    blocks: int
    documents: int


def left_out_warnings(parts: Sequence[LeftOut]) -> Iterator[str]:
    """A line for each kind of what was left out."""
    languages = [language for part in parts for language in part.languages]
    if languages:
        which = ", ".join(sorted(set(languages)))
        yield f"{plural(len(languages), 'notebook')} skipped, not written in Python: {which}"
    blocks, documents = sum(part.blocks for part in parts), sum(part.documents for part in parts)
    if blocks:
        where = plural(documents, "Markdown file")
        yield f"{plural(blocks, 'code block')} in {where} passed over: no Python that can be parsed"
