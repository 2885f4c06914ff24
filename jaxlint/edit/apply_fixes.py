"""Fixes made in rounds, in memory: each round puts in those that do not overlap and checks the result again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.diagnostics import Applicability, Diagnostic, Fix
from jaxlint.engine.cache import digest_of
from jaxlint.engine.result import Result
from jaxlint.files.discovery import read_bytes
from jaxlint.fixes.edits import Placed, choose
from jaxlint.syntax.documents import Change, Document, OtherLanguage, Undecodable, open_document
from jaxlint.syntax.positions import LineIndex

if TYPE_CHECKING:
    from jaxlint.engine.session import Session

#: Rounds after which fixes that still find something to do are taken back.
MAX_ROUNDS: Final = 10


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A file before and after, as bytes, and how often each rule's fix was made in it."""

    path: str
    before: bytes
    after: bytes
    fixes: Mapping[str, int]


class Problem(NamedTuple):
    """Why a file, or one fix of it, was left out; `is_unwritten` where the file should have changed and could not."""

    path: str
    message: str
    is_unwritten: bool


@dataclass(frozen=True, slots=True)
class Changes:
    """What a run wants changed: the files as they should be, what is then left to report, and what was left out.

    `before` are the diagnostics of the first round.
    """

    result: Result
    before: tuple[Diagnostic, ...] = ()
    files: tuple[Rewritten, ...] = ()
    problems: tuple[Problem, ...] = ()

    def without(self, failed: Collection[str]) -> Result:
        """What is left to report when some files were not changed after all."""
        left = [d for d in self.result.diagnostics if d.path not in failed]
        left += [d for d in self.before if d.path in failed]
        return replace(self.result, diagnostics=tuple(sorted(left, key=lambda d: d.sort_key)))


def is_applied(diagnostic: Diagnostic, *, unsafe: bool) -> bool:
    """Whether the fix of a diagnostic would be made."""
    if diagnostic.fix is None:
        return False
    applicability = diagnostic.fix.applicability
    return applicability is Applicability.SAFE or (unsafe and applicability is Applicability.UNSAFE)


def fix_in_rounds(
    session: Session, contents: Mapping[str, bytes], *, unsafe: bool, keep: Callable[[Result], Result]
) -> Changes:
    """Fix the files of a session until nothing changes. `contents` are those not read from disk.

    `keep` leaves of each result what concerns the user, for instance what no baseline knows.
    """
    rounds = _Rounds(session, unsafe, session.evidence().digests, contents)
    first = result = keep(session.check())
    for _ in range(MAX_ROUNDS):
        if not rounds.make(result.diagnostics):
            break
        result = keep(session.check())
    while unsettled := rounds.unsettled(result.diagnostics):
        rounds.take_back(unsettled)
        result = keep(session.check())
    return Changes(result, first.diagnostics, rounds.files(), rounds.problems())


@dataclass(slots=True, eq=False)
class CheckedText:
    """A file while it is being fixed: as it was, as it is now, and whether its code compiled at first."""

    path: str
    original: bytes
    current: bytes
    document: Document
    compiles: bool

    def with_edits(self, edits: Sequence[Placed]) -> bytes | None:
        """The file with edits made; None where its encoding lacks a character."""
        return self.document.with_changes([Change(*edit) for edit in edits])

    def becomes(self, data: bytes) -> None:
        """Let the file be another, which was found to be good."""
        self.current = data
        self.document = open_document(self.path, data)


def read_checked(
    path: str, contents: Mapping[str, bytes], digests: Mapping[str, bytes]
) -> tuple[CheckedText | None, str]:
    """The text of a file that is still as it was when its digest was taken; else why there is none."""
    try:
        data = contents[path] if path in contents else read_bytes(path)
        document = open_document(path, data)
    except OSError as error:
        return None, f"cannot be read again: {(error.strerror or str(error)).lower()}"
    except Undecodable as error:
        return None, error.message
    except OtherLanguage as error:
        return None, f"it is written in {error.language}"
    if digest_of(data) != digests.get(path):
        return None, "it changed while it was being checked, and is left as it is"
    read = CheckedText(path, data, data, document, document.compiles())
    if read.with_edits(()) != data:
        return None, f"its encoding ({document.encoding}) does not give the same bytes back"
    return read, ""


@dataclass(slots=True, eq=False)
class _Rounds:
    """The files that are being fixed. A file in `blocked` stays as it was when the run began."""

    session: Session
    unsafe: bool
    digests: Mapping[str, bytes]
    contents: Mapping[str, bytes]
    texts: dict[str, CheckedText] = field(default_factory=dict)
    made: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    blocked: dict[str, Problem] = field(default_factory=dict)
    refused: dict[tuple[str, str], Problem] = field(default_factory=dict)  # by path and fingerprint

    def make(self, diagnostics: Iterable[Diagnostic]) -> bool:
        """Put in what can be put in together; whether anything was."""
        changed: dict[str, bytes] = {}
        counts: dict[str, Counter[str]] = {}
        for path, fixable in self._by_file(diagnostics).items():
            text = self._text(path)
            if text is None:
                continue
            new, done = self._put(path, text, fixable)
            if done:
                changed[path], counts[path] = new, Counter(done)
        broken = self.session.change(changed) if changed else set()
        for path, count in counts.items():
            if path not in broken:
                self.made[path] += count
                self.texts[path].becomes(changed[path])
        self._block(broken, "fixes would leave it in a state that cannot be read")
        return bool(changed)

    def unsettled(self, diagnostics: Iterable[Diagnostic]) -> list[str]:
        """The files that were fixed and still have fixes to make: they would go on for ever."""
        return [path for path in self._by_file(diagnostics) if path in self.made]

    def take_back(self, paths: Iterable[str]) -> None:
        """Leave files as they were."""
        self._block(paths, f"fixes do not settle after {MAX_ROUNDS} rounds; it is left as it was")

    def files(self) -> tuple[Rewritten, ...]:
        """The files that are to change, in order of path."""
        changed = []
        for path in sorted(self.made):
            text = self.texts[path]
            if text.current != text.original:
                changed.append(Rewritten(path, text.original, text.current, dict(sorted(self.made[path].items()))))
        return tuple(changed)

    def problems(self) -> tuple[Problem, ...]:
        """What was left out, by file."""
        return tuple(sorted({*self.blocked.values(), *self.refused.values()}))

    def _by_file(self, diagnostics: Iterable[Diagnostic]) -> dict[str, list[Diagnostic]]:
        found: defaultdict[str, list[Diagnostic]] = defaultdict(list)
        fixing: dict[str, str] = {}  # by cause: fixes of another rule do not know what this one's make of the code
        for diagnostic in diagnostics:
            is_out = diagnostic.path in self.blocked or (diagnostic.path, diagnostic.fingerprint) in self.refused
            if is_out or not is_applied(diagnostic, unsafe=self.unsafe):
                continue
            if fixing.setdefault(diagnostic.cause or diagnostic.fingerprint, diagnostic.rule) == diagnostic.rule:
                found[diagnostic.path].append(diagnostic)
        return dict(sorted(found.items()))

    def _block(self, paths: Iterable[str], why: str) -> None:
        known = [path for path in paths if path in self.texts]
        for path in known:
            self.blocked[path] = Problem(path, why, is_unwritten=False)
            self.made.pop(path, None)
        self.session.change({path: self.texts[path].original for path in known})

    def _text(self, path: str) -> CheckedText | None:
        """The text of a file, read once; None where it cannot be fixed."""
        if path not in self.texts and path not in self.blocked:
            text, problem = read_checked(path, self.contents, self.digests)
            if text is None:
                self.blocked[path] = Problem(path, problem, is_unwritten=True)
            else:
                self.texts[path] = text
        return self.texts.get(path)

    def _put(self, path: str, text: CheckedText, diagnostics: Sequence[Diagnostic]) -> tuple[bytes, list[str]]:
        """The file after the fixes that can be made together, and the rules whose fixes those are."""
        lines = LineIndex(text.document.text)
        by_fix = {id(d.fix): d for d in diagnostics}
        chosen, edits = choose(lines, [d.fix for d in diagnostics if d.fix is not None])
        new = self._valid(text, edits)
        if new is not None:
            return new, [by_fix[id(fix)].rule for fix in chosen]
        kept: list[Fix] = []
        for fix in chosen:
            trial = choose(lines, [*kept, fix])[1]
            if self._valid(text, trial) is not None:
                kept.append(fix)
                continue
            refused = by_fix[id(fix)]
            what = f"the fix of {refused.rule} at line {refused.span.line} would break the code, and is left out"
            self.refused[path, refused.fingerprint] = Problem(path, what, is_unwritten=False)
        new = self._valid(text, choose(lines, kept)[1]) or text.current
        return new, [by_fix[id(fix)].rule for fix in kept]

    @staticmethod
    def _valid(text: CheckedText, edits: Sequence[Placed]) -> bytes | None:
        """The file with the edits; None where it would not be the Python that it was."""
        new = text.with_edits(edits)
        if new is None or not text.compiles:
            return new
        document = open_document(text.path, new)
        is_whole = document.passed_over <= text.document.passed_over
        return new if is_whole and document.compiles() else None


def write(file: Rewritten) -> str:
    """Replace a file on disk. The answer is why that could not be done, empty where it was."""
    from jaxlint.files.atomic_write import replace_file

    def is_as_checked() -> bool:
        return read_bytes(file.path) == file.before

    try:
        if read_bytes(file.path) == file.after:
            return ""  # another name of the same file
        replace_file(file.path, file.after, still=is_as_checked)
    except OSError as error:
        reason = error.strerror or str(error)
        return f"cannot be written: {reason[:1].lower()}{reason[1:]}"
    return ""


def write_all(files: Iterable[Rewritten]) -> tuple[list[Rewritten], list[Problem]]:
    """Replace files on disk; those that were, and why the others were not."""
    done: list[Rewritten] = []
    failed: list[Problem] = []
    for file in files:
        problem = write(file)
        if problem:
            failed.append(Problem(file.path, problem, is_unwritten=True))
        else:
            done.append(file)
    return done, failed
