"""What a run found: diagnostics in order, counts, and what to tell beside them; plain data that a cache can keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from jaxlint.diagnostics import Applicability, Category, Diagnostic, Severity


@dataclass(frozen=True, slots=True)
class Statistics:
    """How much the analysis could decide: counts by outcome, the callees behind the unknown, budgets that ran out.

    `unknown_kinds` are all causes of the unknown by kind, `like_candidates` the functions that an entry of `like`
    would tell the analysis about, with how often each was in the way. `readings` are files by what read them.
    `ended` counts places at which a path ends since something surely raises, by what does.
    """

    decided: Mapping[str, int] = field(default_factory=dict)
    unknown_callees: Mapping[str, int] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)
    unknown_kinds: Mapping[str, int] = field(default_factory=dict)
    like_candidates: Mapping[str, int] = field(default_factory=dict)
    readings: Mapping[str, int] = field(default_factory=dict)
    ended: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one run. `diagnostics` are sorted by place; `suppressed` counts those that comments silence.

    `baselined` counts those that a baseline knows, `fixed` those that were fixed, `unchanged` those that
    `--diff-base` leaves out, `refuted` those that are hidden because an earlier run refuted them.
    """

    diagnostics: tuple[Diagnostic, ...]
    files_checked: int
    suppressed: int = 0
    statistics: Statistics = field(default_factory=Statistics)
    warnings: tuple[str, ...] = ()
    unchanged: int = 0
    baselined: int = 0
    fixed: int = 0
    refuted: int = 0

    @property
    def by_rule(self) -> dict[str, int]:
        """How often each rule was found, the most frequent first, equal ones by name."""
        counts = Counter(diagnostic.rule for diagnostic in self.diagnostics)
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    @property
    def causes(self) -> int:
        """How many causes the diagnostics have: uses of one key again and again have one."""
        return len({diagnostic.cause or id(diagnostic) for diagnostic in self.diagnostics})

    @property
    def fixable(self) -> int:
        """How many diagnostics carry a fix that may be made, safe or not."""
        return self.with_fix(Applicability.SAFE) + self.with_fix(Applicability.UNSAFE)

    def with_fix(self, applicability: Applicability) -> int:
        """How many diagnostics carry a fix of this applicability."""
        return sum(d.fix is not None and d.fix.applicability is applicability for d in self.diagnostics)


@dataclass(frozen=True, slots=True)
class EngineRule:
    """A diagnostic of the engine itself. Those that are `always` reported cannot be deselected."""

    slug: str
    code: str
    severity: Severity
    summary: str
    always: bool
    family: str = "engine"
    category: Category = Category.CORRECTNESS
    enabled: bool = True
    preview: bool = False


_ENGINE = (
    EngineRule("syntax-error", "JXE01", Severity.ERROR, "The file is not valid Python.", True),
    EngineRule("unreadable-file", "JXE02", Severity.ERROR, "The file cannot be read or decoded.", True),
    EngineRule("analysis-failed", "JXE03", Severity.ERROR, "jaxlint itself failed on the file.", True),
    EngineRule("analysis-limited", "JXE04", Severity.WARNING, "The file is too deep or too slow to analyse.", True),
    EngineRule(
        "unused-suppression", "JXE05", Severity.WARNING, "A suppression silences nothing.", False,
        category=Category.SUSPICIOUS,
    ),
    EngineRule(
        "invalid-suppression", "JXE06", Severity.WARNING, "A suppression cannot be understood.", False,
        category=Category.SUSPICIOUS,
    ),
)  # fmt: skip

#: The engine's own diagnostics by slug.
ENGINE_RULES: Mapping[str, EngineRule] = {rule.slug: rule for rule in _ENGINE}
