"""What the analysis hands to the engine: findings by place, failures by file, and how much was decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from jaxlint.diagnostics import Confidence
from jaxlint.jaxapi.api import Api
from jaxlint.jaxapi.lifetimes import Release
from jaxlint.syntax.source import SourceFile


class Place(NamedTuple):
    """A node of the project: its file's path and its ordinal there."""

    path: str
    at: int


class Cause(NamedTuple):
    """What several findings have in common: a key by its first use and its name, a donated buffer by the call."""

    place: Place
    name: str = ""


class FindingNote(NamedTuple):
    """One step of the evidence; `place` is None where there is nothing to show."""

    message: str
    place: Place | None


@dataclass(frozen=True, slots=True, order=True)
class FixRequest:
    """What a rule's fix gets to know of a finding beside the file: plain data.

    `at` is the ordinal of the operation, `ordinals` those of other nodes of the same file that the fix needs,
    `words` what the analysis knew that the text does not say. The rule gives the last two their meaning.
    `is_certain` where the finding is, and the operation works in no other invocation that is known: if it raises, then
    it raises always and nothing catches that.
    """

    at: int
    ordinals: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    is_certain: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic before positions, suppressions and settings: what a rule says of one operation.

    `requests` are those that all invocations of the operation made for its fix, sorted; none if one made none.
    `assumption` is the function that is assumed to be traced, of an error that would end its trace. `memo` is the
    function that computes once what it keeps, of a finding in what it then does while something is traced.
    """

    rule: str
    place: Place
    message: str
    notes: tuple[FindingNote, ...]
    confidence: Confidence
    function: str
    requests: tuple[FixRequest, ...] = ()
    cause: Cause | None = None
    assumption: Place | None = None
    memo: Place | None = None

    @property
    def witness_order(self) -> tuple[int, int, tuple[tuple[str, int], ...]]:
        """Which of several findings at one operation is shown: the surest, then the shortest evidence."""
        steps = tuple((n.place.path, n.place.at) for n in self.notes if n.place is not None)
        return (self.confidence.rank, len(self.notes), steps)


class NoFix(NamedTuple):
    """What a rule says of an operation that works in one invocation: a fix would break it there."""

    place: Place


@dataclass(slots=True)
class AnalysisStatistics:
    """How much the analysis knew: operations that could be findings, by what was decided about them.

    `decided` counts "static", "traced", "array", "key" and "unknown"; `unknown_callees` names the calls whose results
    were unknown where it mattered; `limits` counts budgets that were exhausted, by name; `ended` counts places at which
    a path ends since something surely raises, by what does.
    """

    decided: Counter[str] = field(default_factory=Counter)
    unknown_callees: Counter[str] = field(default_factory=Counter)
    limits: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)

    def merge(self, other: AnalysisStatistics) -> None:
        """Add the counts of another part of the project."""
        self.decided.update(other.decided)
        self.unknown_callees.update(other.unknown_callees)
        self.limits.update(other.limits)
        self.ended.update(other.ended)


@dataclass(frozen=True, slots=True)
class Like:
    """One `[[tool.jaxlint.like]]` row: a wrapper or function the analysis cannot see into."""

    name: str
    like: str | None = None
    consumes_key: tuple[int, ...] = ()
    returns: str | None = None
    arguments: Mapping[str, str] = field(default_factory=dict)
    statics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """Settings that change what the analysis believes. `target_jax` None: the newest version known."""

    target_jax: str | None = None
    x64: bool | None = None
    likes: tuple[Like, ...] = ()
    releases: tuple[Release, ...] = ()

    @property
    def api(self) -> Api:
        """The tables as of the releases that the project is for."""
        return Api.load(self.target_jax, self.releases)


@dataclass(frozen=True, slots=True)
class Project:
    """The files to check, by path, and the door to other modules of the project.

    `find_module` gives the module of that dotted name, or None where the project has none;
    a file found that way is analysed for its summaries, and findings in it are moved to their callers.
    `groups` are the paths of files that no other file imports: each group is interpreted without those of the others,
    after all other files.
    """

    files: Mapping[str, SourceFile]
    find_module: Callable[[str], SourceFile | None]
    groups: tuple[tuple[str, ...], ...] = ()


@dataclass(slots=True)
class Analysis:
    """The result. `failures` holds (path, one-line reason) of files on which the interpreter itself failed.

    `limited` are the paths of files in which something took more work than is allowed, and was left out.
    """

    findings: list[Finding] = field(default_factory=list)
    failures: list[tuple[str, str]] = field(default_factory=list)
    limited: list[str] = field(default_factory=list)
    statistics: AnalysisStatistics = field(default_factory=AnalysisStatistics)
