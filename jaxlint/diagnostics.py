"""What the linter says: a diagnostic with its place, its evidence and the text edits that would put it right."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from hashlib import blake2b


class Applicability(Enum):
    """Whether a fix may be applied without a person reading it."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY_ONLY = "display-only"

    @property
    def rank(self) -> int:
        """0 for safe, 1 for unsafe, 2 for display-only: less needs less thought."""
        return _APPLICABILITY_RANK[self]


_APPLICABILITY_RANK = {Applicability.SAFE: 0, Applicability.UNSAFE: 1, Applicability.DISPLAY_ONLY: 2}


class Confidence(Enum):
    """How many assumptions stand behind a finding: none, one, or more than one."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"

    @property
    def rank(self) -> int:
        """0 for certain, 1 for likely, 2 for possible: less is surer."""
        return _CONFIDENCE_RANK[self]


_CONFIDENCE_RANK = {Confidence.CERTAIN: 0, Confidence.LIKELY: 1, Confidence.POSSIBLE: 2}


class Severity(Enum):
    """How a finding is shown; it follows from the rule's category where the settings do not say otherwise."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for an error, 1 for a warning, 2 for information: less is more severe."""
        return _SEVERITY_RANK[self]


_SEVERITY_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


class Category(Enum):
    """What a rule promises, and so its severity and whether it is on by default."""

    CORRECTNESS = "correctness"
    SUSPICIOUS = "suspicious"
    PERFORMANCE = "performance"
    MIGRATION = "migration"
    PEDANTIC = "pedantic"

    @property
    def severity(self) -> Severity:
        """Correctness is an error, pedantic is information, the rest are warnings."""
        if self is Category.CORRECTNESS:
            return Severity.ERROR
        return Severity.INFO if self is Category.PEDANTIC else Severity.WARNING

    @property
    def on_by_default(self) -> bool:
        """Pedantic rules must be asked for."""
        return self is not Category.PEDANTIC


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of a file: lines and columns from 1, in code points, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text under `span` of `path` with `text`. `cell`: see Diagnostic."""

    path: str
    span: Span
    text: str
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """One way to put a diagnostic right. `title` is a verb phrase, shown in editors.

    `reason` says in half a sentence why the fix is not safe; it is empty where it is.
    Invariant: edits are sorted by place and do not overlap.
    """

    title: str
    applicability: Applicability
    edits: tuple[Edit, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """One step of the evidence. `path` and `span` are None where there is no place to show. `cell`: see Diagnostic."""

    message: str
    path: str | None = None
    span: Span | None = None
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding at one operation.

    `cause` is the fingerprint of the first finding of those with one cause, and its own where it is alone.
    `former` is its fingerprint as version 1 of baselines has it.
    `verdict` is what an earlier run showed, where it still holds.
    `path` is as `SourceFile.path`: absolute, or "<stdin>"-like; reports make it relative.
    `cell` is set for reports only: the number, from 1, of the cell of a notebook that the lines are counted in.
    Invariant: two diagnostics of one run never share (path, span, rule).
    """

    path: str
    span: Span
    rule: str
    code: str
    family: str
    category: Category
    severity: Severity
    confidence: Confidence
    message: str
    notes: tuple[Note, ...] = ()
    fix: Fix | None = None
    fingerprint: str = ""
    former: str = ""
    cause: str = ""
    url: str | None = None
    verdict: str | None = None
    cell: int | None = None

    @property
    def sort_key(self) -> tuple[str, Span, str]:
        """The order of every report: path, place, rule."""
        return (self.path, self.span, self.rule)


def fingerprint(rule: str, relative_path: str, function: str, operation: str, index: int) -> str:
    """16 hex digits that name a finding and survive edits elsewhere in the file.

    `operation` is the text of the finding's span, with its variables as numbers; white space is folded.
    `index` counts equal findings of one function in source order, from 0.
    """
    folded = " ".join(operation.split())
    text = "\0".join((rule, relative_path, function, folded, str(index)))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
