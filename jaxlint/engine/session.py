"""The run, from files to diagnostics: load in parallel, analyse project by project, show what the settings show.

Read this file first. Each step is one function of another module:

1. `load.load`: bytes to intermediate representation, in worker processes; files that do not concern JAX stop here.
2. `parts.connected`: what of a project imports connect is checked together, by `check_part`:
   `analysis.analyse`: files to findings, through the abstract interpreter and the rules.
3. `second_reading.read_again`: files that CPython's parser read and findings are shown of are read by libcst too.
4. `reporter.Reporter`: findings to diagnostics; selection, one report per cause, fingerprints.
5. `suppressions.apply`: what comments in the code silence.
"""

from __future__ import annotations

import gc
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from jaxlint.config import AnalysisSettings, ConfigError, Configuration, PathSelectors
from jaxlint.diagnostics import Confidence, Diagnostic
from jaxlint.engine.cache import Evidence
from jaxlint.engine.check_part import check_part, failures, options_of, pass_over, sources_of, suppress
from jaxlint.engine.explanation import AskedPlace, Explanation
from jaxlint.engine.garbage import tidy
from jaxlint.engine.load import Loaded, LoadTask, load
from jaxlint.engine.part_outcome import PartOutcome, Piece, merged
from jaxlint.engine.part_runners import NO_PARTS, ForkedParts, Job, PartRunner
from jaxlint.engine.part_task import take
from jaxlint.engine.parts import Part, settled
from jaxlint.engine.project_run import ProjectRun, find_module, is_silent, load_files, read_put_off, run_tasks
from jaxlint.engine.reporter import Reporter, Shown, with_distinct_fingerprints
from jaxlint.engine.result import ENGINE_RULES, Result
from jaxlint.engine.selection import Selectable, Selection, former_names, nothing_selected, resolve
from jaxlint.engine.shards import Plan, Shard, ShardReport
from jaxlint.engine.workers import Runner, WorkerPool, run_watched
from jaxlint.engine.x64 import is_mentioned_below
from jaxlint.files.discovery import FoundFile
from jaxlint.files.module_index import ModuleIndex, module_index

if TYPE_CHECKING:
    from jaxlint.analysis.domain.findings import Analysis, AnalysisOptions, Project
    from jaxlint.engine.part_cache import PartCache
    from jaxlint.rules.rule import Rule
    from jaxlint.syntax.source import SourceFile

Outcome = TypeVar("Outcome")

#: Seconds that one file may take to load; a parse that needs longer will not end.
TIME_LIMIT: Final = 30.0


@dataclass(frozen=True, slots=True)
class Request:
    """What to check. `contents` stand in for what is on disk, by path; `jobs` 0 means one per processor.

    `plugins` are the distributions whose rules run beside those that ship. `front_end` overrules the settings.
    `kept` is where outcomes of parts are looked up, and kept. A `shard` is one share of the parts.
    An `executor` is the address of a cluster that loads the files and checks the parts. `for_one`: one file is asked
    about.
    """

    files: Sequence[FoundFile]
    configuration: Configuration
    contents: Mapping[str, bytes] = field(default_factory=dict)
    jobs: int = 0
    time_limit: float = TIME_LIMIT
    plugins: tuple[str, ...] = ()
    front_end: str | None = None
    kept: PartCache | None = None
    shard: Shard | None = None
    executor: str | None = None
    for_one: bool = False

    @property
    def is_brief(self) -> bool:
        """Whether what files import is all that is wanted of most: other machines do the rest, or nobody."""
        return self.for_one or self.shard is not None or self.executor is not None


def check(request: Request) -> tuple[Result, Evidence]:
    """Check the files of a request; beside the result, what a cache needs to know when it still holds.

    Raises ConfigError for settings that cannot be followed.
    """

    def work(session: Session) -> tuple[Result, Evidence]:
        result = session.check(is_last=True)
        session.keep()
        return result, session.evidence()

    return run(request, work)


def run(request: Request, work: Callable[[Session], Outcome]) -> Outcome:
    """What `work` makes of the files of a request; where one process does all, it is another one, so plain data.

    Raises ConfigError for settings that cannot be followed.
    """
    rules = _all_rules(request)
    projects = _projects(request, rules)
    jobs = _job_count(request)

    def job(runner: Runner[LoadTask, Loaded], parts: PartRunner = NO_PARTS) -> Outcome:
        return work(Session(request, rules, projects, runner, parts))

    if request.executor is not None:
        from jaxlint.engine.dask_executor import dask_cluster
        from jaxlint.engine.sent_work import SentLoads, SentParts

        with (
            dask_cluster(request.executor, request.plugins) as sender,
            WorkerPool(load, jobs, request.time_limit) as pool,
        ):
            return job(SentLoads(sender, pool), SentParts(sender))
    if jobs == 1 and sys.platform == "linux":
        done = run_watched(load, job, request.time_limit)
        if done is not None:
            return done
    was_collecting = gc.isenabled()
    gc.disable()  # the trees of a whole project are alive at once: collections would find nothing, again and again
    try:
        with WorkerPool(load, jobs, request.time_limit) as pool:
            if jobs > 1 and sys.platform == "linux" and not all(project.triage for project in projects):
                import jaxlint.syntax.parse  # noqa: F401 - a third of a second, once and not in each forked process
            return job(pool, _side_by_side(jobs, rules, request.plugins))
    finally:
        if was_collecting:
            gc.enable()


def open_session(request: Request, runner: Runner[LoadTask, Loaded]) -> Session:
    """A session whose files `runner` loads. Raises ConfigError for settings that cannot be followed."""
    rules = _all_rules(request)
    return Session(request, rules, _projects(request, rules), runner)


class Session:
    """The files of a request, loaded; they can be checked again after some of them were changed in memory."""

    def __init__(
        self,
        request: Request,
        rules: Mapping[str, Rule],
        projects: Sequence[ProjectRun],
        runner: Runner[LoadTask, Loaded],
        part_runner: PartRunner = NO_PARTS,
    ) -> None:
        self._request = request
        self._rules = rules
        self._projects = projects
        self._runner = runner
        self._part_runner = part_runner
        self._outcomes: dict[Part, PartOutcome] = {}
        self._is_last = False
        for project in projects:
            known = request.kept.briefs(project) if request.kept else {}
            project.agreed = {} if request.kept else None
            project.kept = request.kept
            load_files(project, runner, known, briefly=request.is_brief)

    def check(self, *, is_last: bool = False) -> Result:
        """The result for the files as they are now; parts of projects that nothing was changed in keep theirs.

        If it `is_last`, the sources of a part are dropped as soon as it is checked.
        """
        self._is_last = is_last
        imported, warnings = self._imported, self._warnings
        self._check_elsewhere([Job(project, part) for project in self._projects for part in project.parts()])
        outcomes = [piece.outcome for project in self._projects for piece in self._checked(project, project.parts())]
        return merged(outcomes, len(self._request.files), imported, warnings)

    def check_shard(self, shard: Shard) -> ShardReport:
        """What one share of the parts of all projects comes to."""
        self._is_last = True
        imported, warnings = self._imported, self._warnings
        plan = Plan.of(self._projects, self._request.files, self._runner, shard)
        chosen = zip(self._projects, plan.chosen, strict=True)
        self._check_elsewhere([Job(project, part) for project, parts in chosen for part in parts])
        pieces = [
            piece
            for number, project in enumerate(self._projects)
            for piece in self._checked(project, plan.chosen[number], with_rest=shard.number == 1)
        ]
        return ShardReport(shard, plan.digest, plan.digests, sorted(imported), warnings, pieces)

    @property
    def _imported(self) -> set[str]:
        """The libraries that the files import which concern JAX."""
        loaded = (each for project in self._projects for each in project.loaded.values() if not is_silent(each))
        return {name for each in loaded for name in each.imports}

    @property
    def _warnings(self) -> list[str]:
        return [warning for project in self._projects for warning in project.warnings]

    def keep(self) -> None:
        """Keep, beside the outcomes, what later runs need to know before they read a file."""
        if self._request.kept is not None:
            for project in self._projects:
                self._request.kept.keep_briefs(project)
            self._request.kept.forget_old()

    def _checked(self, project: ProjectRun, parts: Sequence[Part], *, with_rest: bool = True) -> Iterator[Piece]:
        """The outcomes of parts of a project, and of the files that are in none."""

        def check(part: Part) -> PartOutcome:
            if part not in self._outcomes:
                self._outcomes[part] = self._kept(project, part) or self._found(project, part)
            return self._outcomes[part]

        for part, outcome in settled(parts, check).items():
            yield Piece(project.root, False, part, outcome)
        if with_rest:
            yield Piece(project.root, True, project.rest, pass_over(project))

    def _check_elsewhere(self, jobs: Iterable[Job]) -> None:
        """Let others check the parts that nobody has checked, side by side."""
        wanted = []
        for project, part in jobs:
            if part not in self._outcomes:
                kept = self._kept(project, part)
                if kept is None:
                    wanted.append(Job(project, part))
                else:
                    self._outcomes[part] = kept
        for (project, part), answer in self._part_runner.run(wanted):
            before = [project.loaded[path].digest for path in part]
            outcome = take(project, answer)
            if outcome is not None:
                self._outcomes[part] = outcome
                self._keep(project, part, outcome, before)

    def _kept(self, project: ProjectRun, part: Part) -> PartOutcome | None:
        """What an earlier run found in a part."""
        return None if self._request.kept is None else self._request.kept.find(project, part)

    def _found(self, project: ProjectRun, part: Part) -> PartOutcome:
        """What a part comes to, kept for later runs."""
        before = [project.loaded[path].digest for path in part]
        tidy()
        read_put_off(project, part, self._runner)
        outcome = check_part(project, part, self._rules, self._runner)
        self._keep(project, part, outcome, before)
        if self._is_last:
            project.loaded.update({path: project.loaded[path].put_off() for path in part})
        return outcome

    def _keep(self, project: ProjectRun, part: Part, outcome: PartOutcome, before: Sequence[bytes]) -> None:
        """Keep an outcome, unless the content of a file was another one before."""
        kept = self._request.kept
        if kept is not None and before == [project.loaded[path].digest for path in part]:
            kept.keep(project, part, outcome)

    def change(self, contents: Mapping[str, bytes]) -> set[str]:
        """Let files hold something else. The answer is the paths of those that can no longer be loaded."""
        for project in self._projects:
            project.contents.update(contents)
            project.refused.difference_update(contents)
            project.differing.difference_update(contents)
            tasks = [project.task(path, whole=True) for path in contents if path in project.loaded]
            run_tasks(project, tasks, self._runner)
        self._outcomes = {part: kept for part, kept in self._outcomes.items() if not kept.rests_on(contents, part)}
        loaded = (project.loaded.get(path) for project in self._projects for path in contents)
        return {found.path for found in loaded if found is not None and found.failure is not None}

    def explain(self, place: AskedPlace) -> Explanation:
        """What is found and known at a place of one of the files. Raises ConfigError for a file that cannot be read."""
        path = place.path
        project = next(each for each in self._projects if path in each.shown)
        part = next((each for each in project.parts() if path in each), (path,))
        run_tasks(project, [project.task(each, whole=True, triage=False) for each in part], self._runner)
        failure = project.loaded[path].failure
        if project.source(path) is None:
            raise ConfigError(failure.message if failure else "cannot be read", path)
        return _explain(project, part, self._rules, self._runner, place)

    def evidence(self) -> Evidence:
        """What the results rest on."""
        return _evidence(self._projects)


class KeptFile:
    """One file that is checked again and again, with its settings and the other files of its project.

    Raises ConfigError, when it is made, for settings that cannot be followed.
    """

    def __init__(self, request: Request, runner: Runner[LoadTask, Loaded]) -> None:
        self.rules = _all_rules(request)
        self.path = request.files[0].path
        self._runner = runner
        [self._project] = _projects(request, self.rules)
        self._speaks_of_x64: bool | None = None

    @property
    def task(self) -> LoadTask:
        """How the file is loaded."""
        return self._project.task(self.path, whole=True)

    @property
    def chosen(self) -> list[Rule]:
        """The rules whose findings are shown."""
        return [rule for slug, rule in self.rules.items() if slug in self._project.shown[self.path].rules]

    @property
    def options(self) -> AnalysisOptions:
        """What the analysis is to believe."""
        x64 = self._project.x64
        if x64 is None:
            if self._speaks_of_x64 is None:
                self._speaks_of_x64 = is_mentioned_below(self._project.root)
            x64 = self._speaks_of_x64 or None
        return options_of(self._project.settings, x64)

    def forget(self) -> None:
        """Load other files, and look for modules, again: some have changed."""
        self._project.loaded = {path: loaded for path, loaded in self._project.loaded.items() if path == self.path}
        index = self._project.index
        self._project.index = ModuleIndex(index.roots, index.scripts, index.boundary)

    def found_as(self, source: SourceFile) -> Project:
        """The file, as it is now, in its project."""
        from jaxlint.analysis.domain.findings import Project

        self._project.loaded[self.path] = Loaded(self.path, b"", source, None, source.module.imports)
        return Project({self.path: source}, partial(find_module, self._project, self._runner))

    def diagnostics(self, analysis: Analysis, *, with_fixes: bool) -> list[Diagnostic]:
        """What is shown of the findings, in order; fixes cost time, and are left out where nobody asks for them."""
        project = self._project
        shown = project.shown
        if not with_fixes:
            shown = {path: replace(each, fixable=frozenset()) for path, each in shown.items()}
        found = Reporter(project.root, self.rules, shown, project.source).diagnostics(analysis.findings)
        diagnostics, _ = suppress(project, [self.path], found, analysis.findings, self.rules)
        every = failures(project, [self.path], analysis) + diagnostics
        return with_distinct_fingerprints(sorted(every, key=lambda d: d.sort_key))


def shown_rules(request: Request) -> Mapping[str, frozenset[str]]:
    """The slugs of the rules whose findings are shown, by path."""
    projects = _projects(request, _all_rules(request))
    return {path: shown.rules for project in projects for path, shown in project.shown.items()}


# --- projects and settings


def _projects(request: Request, rules: Mapping[str, Rule]) -> list[ProjectRun]:
    """The projects of the request with the settings of each of their files, in order of root."""
    by_root: defaultdict[str, list[FoundFile]] = defaultdict(list)
    for file in request.files:
        by_root[file.root].append(file)
    return [_project(root, files, request, rules) for root, files in sorted(by_root.items())]


def _project(root: str, files: list[FoundFile], request: Request, rules: Mapping[str, Rule]) -> ProjectRun:
    settings = request.configuration.analysis(root)
    index = module_index(root, settings.src, (file.path for file in files))
    is_triaged = (request.front_end or settings.front_end) == "ast"
    project = ProjectRun(root, settings, index, dict(request.contents), is_triaged, files)
    known: dict[str, Selectable] = {**rules, **ENGINE_RULES}
    in_tests = tests_ignores(root, settings, known)
    selections: dict[str, tuple[Selection, Shown]] = {}
    for file in files:
        folder = os.path.dirname(file.path)
        if folder not in selections:
            shown = request.configuration.shown(folder, root)
            selection = resolve(shown, known, in_tests)
            selections[folder] = (
                selection,
                Shown(
                    selection.rules, shown.min_confidence, selection.fixable, selection.severities, selection.trusted
                ),
            )
            project.warnings += (*former_names(shown), *nothing_selected(shown, selection))
        selection, whole = selections[folder]
        project.shown[file.path] = replace(whole, rules=selection.shown_in(file.path))
    return project


def tests_ignores(root: str, settings: AnalysisSettings, rules: Mapping[str, Selectable]) -> list[PathSelectors]:
    """The shipped per-file-ignores: families whose mistakes are the point of many tests."""
    from jaxlint.config.settings import IGNORED_IN_TESTS

    families = {rule.family for rule in rules.values()}
    ignored = tuple(family for family in IGNORED_IN_TESTS if family in families)
    return [PathSelectors(root, pattern, ignored) for pattern in settings.tests] if ignored else []


def _all_rules(request: Request) -> Mapping[str, Rule]:
    shipped = _shipped_rules()
    if not request.plugins:
        return shipped
    from jaxlint.engine.plugins import load_plugins

    return {**shipped, **load_plugins(request.plugins, {file.root for file in request.files}, shipped)}


def _shipped_rules() -> Mapping[str, Rule]:
    from jaxlint.rules.rule import registry

    return registry()


def _side_by_side(jobs: int, rules: Mapping[str, Rule], plugins: tuple[str, ...]) -> PartRunner:
    """What checks independent parts at the same time."""
    if jobs == 1:
        return NO_PARTS
    if sys.platform == "linux":
        return ForkedParts(jobs, rules)
    from jaxlint.engine.sent_work import SpawnedParts

    return SpawnedParts(jobs, plugins)


def _job_count(request: Request) -> int:
    available = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return max(1, min(request.jobs or available, (len(request.files) + 1) // 2))


# --- explanations


def _explain(
    project: ProjectRun, part: Part, rules: Mapping[str, Rule], runner: Runner[LoadTask, Loaded], place: AskedPlace
) -> Explanation:
    """One analysis of a part of the project, as for a check, that also writes down what it knows at a place."""
    from jaxlint.analysis import explain_place
    from jaxlint.syntax.deep_stack import run_deep

    path, line, column = place
    chosen = [rule for slug, rule in rules.items() if slug in project.shown[path].rules]
    whole = sources_of(project, part, partial(find_module, project, runner))
    known = run_deep(
        lambda: explain_place(whole, path, line, column, options_of(project.settings, project.x64), chosen)
    )
    shown = {path: replace(project.shown[path], min_confidence=Confidence.POSSIBLE, fixable=frozenset())}
    found = Reporter(project.root, rules, shown, project.source).diagnostics(known.findings)
    return Explanation([each for each in found if place.is_at(each.span)], known.notes)


# --- the result


def _evidence(projects: Iterable[ProjectRun]) -> Evidence:
    digests: dict[str, bytes] = {}
    modules: dict[str, Mapping[str, str | None]] = {}
    for project in projects:
        digests.update({path: loaded.digest for path, loaded in project.loaded.items()})
        modules[project.root] = project.index.answers
    return Evidence(digests, modules)
