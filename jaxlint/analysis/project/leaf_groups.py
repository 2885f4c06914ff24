"""Groups of leaves, files that no other file imports: what the analysis of one comes to, and where it starts.

Each group is interpreted as the library left the run, that is all other files: no group knows of another one, so that
what one came to can be kept while another changes. A fact about a function that outlives the run is named by the path
and the ordinal of the function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from jaxlint.analysis.domain.findings import AnalysisStatistics, Place, Project
from jaxlint.analysis.domain.frames import Frame, Pending
from jaxlint.analysis.domain.values import ClassValue, FunctionValue
from jaxlint.analysis.machine.cycles import Cycles
from jaxlint.analysis.machine.project_questions import Asked, FileFacts, Question
from jaxlint.analysis.machine.run_facts import SharedChanges
from jaxlint.analysis.project.found import Found
from jaxlint.analysis.summaries.summary import Summaries

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax.source import SourceFile

#: The paths of the files of a group, in order.
Group: TypeAlias = "tuple[str, ...]"


@dataclass(frozen=True, slots=True)
class GroupOutcome:
    """What the analysis of a group came to.

    `compiled` are methods of the library that it traced, `run_eagerly` those that a file runs as they are, which is
    given beside. `answers` are those to questions about all files that it rests on, `modules` the names of modules that
    were looked for.
    """

    found: Found
    statistics: AnalysisStatistics
    failures: Mapping[str, str]
    limited: tuple[str, ...]
    compiled: frozenset[Place]
    run_eagerly: frozenset[tuple[Place, str]]
    answers: Mapping[Question, bool]
    modules: frozenset[str]


class KeptGroups(Protocol):
    """Where what groups came to is looked up, and kept."""

    def find(self, group: Group, answer: Callable[[Question], bool]) -> GroupOutcome | None:
        """What a group came to, where that still holds; `answer` answers questions about all files."""

    def keep(self, group: Group, outcome: GroupOutcome) -> None:
        """Keep what a group came to."""


class _Nothing:
    """Keeps nothing."""

    def find(self, _group: Group, _answer: Callable[[Question], bool]) -> GroupOutcome | None:
        """Find nothing."""
        return None

    def keep(self, _group: Group, _outcome: GroupOutcome) -> None:
        """Keep nothing."""


NOTHING_KEPT: Final[KeptGroups] = _Nothing()


def noting(project: Project, names: set[str]) -> Project:
    """The project, from which the names of modules that are looked for are noted."""

    def find(name: str) -> SourceFile | None:
        names.add(name)
        return project.find_module(name)

    return replace(project, find_module=find)


class LibraryLeft:
    """A run that has interpreted the library of a project, as that left it; `modules` were looked for until then."""

    def __init__(self, it: Interpreter, project: Project, modules: set[str]) -> None:
        self._it = it
        self.project = project
        self._modules = frozenset(modules)
        frames = [module.frame for module in it.modules.values() if module.frame is not None]
        self._frames = [(frame, frame.state.fork(), frame.choices.copy()) for frame in frames]
        self._methods = {id(method.function): place for method, place in _methods(frames)}

    def fork(self) -> tuple[Interpreter, set[str]]:
        """An interpreter that goes on from there; beside it the names of modules, to which those are added it asks for.

        What another one has changed of what they share must have been put back.
        """
        it = self._it.fork()
        names = set(self._modules)
        it.project = noting(self.project, names)
        it.counted = set(self._it.counted)
        it.tables[FileFacts] = self._it.tables[FileFacts]
        it.tables[SharedChanges], it.tables[Cycles] = SharedChanges(), Cycles(start=it.fresh())
        it.tables[Summaries].of_leaves = True
        self._start()
        return it, names

    def put_back(self, forked: Interpreter) -> None:
        """Let what forks share be as it was before one of them."""
        forked.tables[SharedChanges].put_back()
        self._start()

    def _start(self) -> None:
        for frame, state, choices in self._frames:
            frame.state, frame.choices, frame.pending = state.fork(), choices.copy(), Pending()

    def outcome(self, it: Interpreter, found: Found, failures: Mapping[str, str], modules: set[str]) -> GroupOutcome:
        """What a fork came to with a group."""
        before = self._it.facts
        eager = it.facts.run_eagerly - before.run_eagerly
        return GroupOutcome(
            found,
            it.statistics,
            failures,
            tuple(path for path in it.limited if path not in self._it.limited),
            frozenset(self._methods[each] for each in it.facts.compiled - before.compiled if each in self._methods),
            frozenset((self._methods[each], path) for each, path in eager if each in self._methods),
            dict(it.tables[Asked].answers),
            frozenset(modules),
        )

    def learn(self, outcomes: list[GroupOutcome]) -> None:
        """Let the run know what groups did with methods of the library."""
        facts = self._it.facts
        compiled = frozenset[Place]().union(*(outcome.compiled for outcome in outcomes))
        eager = frozenset[tuple[Place, str]]().union(*(outcome.run_eagerly for outcome in outcomes))
        for method, place in self._methods.items():
            if place in compiled:
                facts.compiled.add(method)
            facts.run_eagerly.update((method, path) for of, path in eager if of == place)


def _methods(frames: list[Frame]) -> Iterator[tuple[FunctionValue, Place]]:
    """The methods of the classes of modules, with their places."""
    for frame in frames:
        for cls in frame.state.env.values():
            for value in cls.namespace.values() if isinstance(cls, ClassValue) else ():
                if isinstance(value, FunctionValue):
                    yield value, Place(value.module.path, value.function.at)
