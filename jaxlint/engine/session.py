"""The run, from files to diagnostics: load in parallel, analyse project by project, show what the settings show.

Read this file first. Each step is one function of another module:

1. `load.load`: bytes to intermediate representation, in worker processes; files that do not concern JAX stop here.
2. `analysis.analyse`: a project's files to findings, through the abstract interpreter and the rules.
3. `reporter.Reporter`: findings to diagnostics; selection, one report per cause, fingerprints.
4. `suppressions.apply`: what comments in the code silence.
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
from jaxlint.engine.explanation import AskedPlace, Explanation
from jaxlint.engine.load import Loaded, LoadFailure, LoadTask, load
from jaxlint.engine.project_outcome import ProjectOutcome, merged
from jaxlint.engine.reporter import LeftOut, Reporter, Shown, at_start, engine_diagnostic, with_distinct_fingerprints
from jaxlint.engine.result import ENGINE_RULES, Result
from jaxlint.engine.selection import Selectable, Selection, former_names, resolve
from jaxlint.engine.suppressions import Suppressions, Use, read_suppressions
from jaxlint.engine.workers import Crash, Runner, WorkerPool, run_watched
from jaxlint.files.discovery import FoundFile
from jaxlint.files.module_index import ModuleIndex, module_index, module_name
from jaxlint.progress import counted

if TYPE_CHECKING:
    from jaxlint.analysis.domain.findings import Analysis, AnalysisOptions, Finding, Project
    from jaxlint.rules.rule import Rule
    from jaxlint.syntax.source import SourceFile

Outcome = TypeVar("Outcome")

#: Seconds that one file may take to load; a parse that needs longer will not end.
TIME_LIMIT: Final = 30.0


@dataclass(frozen=True, slots=True)
class Request:
    """What to check. `contents` stand in for what is on disk, by path; `jobs` 0 means one per processor.

    `plugins` are the distributions whose rules run beside those that ship.
    """

    files: Sequence[FoundFile]
    configuration: Configuration
    contents: Mapping[str, bytes] = field(default_factory=dict)
    jobs: int = 0
    time_limit: float = TIME_LIMIT
    plugins: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class _ProjectRun:
    """One project while it is checked."""

    root: str
    settings: AnalysisSettings
    index: ModuleIndex
    contents: dict[str, bytes]
    files: list[FoundFile] = field(default_factory=list)
    shown: dict[str, Shown] = field(default_factory=dict)
    loaded: dict[str, Loaded] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def task(self, path: str, *, whole: bool = False) -> LoadTask:
        name, is_package = module_name(path, self.index.roots)
        return LoadTask(path, name, is_package, self.contents.get(path), whole)

    def source(self, path: str) -> SourceFile | None:
        loaded = self.loaded.get(path)
        return None if loaded is None else loaded.source


def check(request: Request) -> tuple[Result, Evidence]:
    """Check the files of a request; beside the result, what a cache needs to know when it still holds.

    Raises ConfigError for settings that cannot be followed.
    """
    return run(request, lambda session: (session.check(), session.evidence()))


def run(request: Request, work: Callable[[Session], Outcome]) -> Outcome:
    """What `work` makes of the files of a request; where one process does all, it is another one, so plain data.

    Raises ConfigError for settings that cannot be followed.
    """
    rules = _all_rules(request)
    projects = _projects(request, rules)
    jobs = _job_count(request)

    def job(runner: Runner[LoadTask, Loaded]) -> Outcome:
        return work(Session(request, rules, projects, runner))

    if jobs == 1 and sys.platform == "linux":
        done = run_watched(load, job, request.time_limit)
        if done is not None:
            return done
    was_collecting = gc.isenabled()
    gc.disable()  # the trees of a whole project are alive at once: collections would find nothing, again and again
    try:
        with WorkerPool(load, jobs, request.time_limit) as pool:
            if jobs > 1 and sys.platform == "linux":
                import jaxlint.syntax.parse  # noqa: F401 - a third of a second, once and not in each forked process
            return job(pool)
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
        projects: Sequence[_ProjectRun],
        runner: Runner[LoadTask, Loaded],
    ) -> None:
        self._request = request
        self._rules = rules
        self._projects = projects
        self._runner = runner
        self._outcomes: dict[str, ProjectOutcome] = {}
        for project in projects:
            _load(project, runner)

    def check(self) -> Result:
        """The result for the files as they are now; projects that nothing was changed in keep theirs."""
        for project in self._projects:
            if project.root not in self._outcomes:
                self._outcomes[project.root] = _check_project(project, self._rules, self._runner)
        imported = {name for project in self._projects for loaded in project.loaded.values() for name in loaded.imports}
        outcomes = [self._outcomes[project.root] for project in self._projects]
        return merged(outcomes, len(self._request.files), imported)

    def change(self, contents: Mapping[str, bytes]) -> set[str]:
        """Let files hold something else. The answer is the paths of those that can no longer be loaded."""
        for project in self._projects:
            project.contents.update(contents)
            tasks = [project.task(path, whole=True) for path in contents if path in project.loaded]
            _run(project, tasks, self._runner)
            if tasks:
                self._outcomes.pop(project.root, None)
        loaded = (project.loaded.get(path) for project in self._projects for path in contents)
        return {found.path for found in loaded if found is not None and found.failure is not None}

    def explain(self, place: AskedPlace) -> Explanation:
        """What is found and known at a place of one of the files. Raises ConfigError for a file that cannot be read."""
        path = place.path
        project = next(each for each in self._projects if path in each.shown)
        if project.source(path) is None:
            _run(project, [project.task(path, whole=True)], self._runner)
        failure = project.loaded[path].failure
        if project.source(path) is None:
            raise ConfigError(failure.message if failure else "cannot be read", path)
        return _explain(project, self._rules, self._runner, place)

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
        return _options(self._project.settings)

    def forget(self) -> None:
        """Load other files, and look for modules, again: some have changed."""
        self._project.loaded = {path: loaded for path, loaded in self._project.loaded.items() if path == self.path}
        index = self._project.index
        self._project.index = ModuleIndex(index.roots, index.scripts, index.boundary)

    def found_as(self, source: SourceFile) -> Project:
        """The file, as it is now, in its project."""
        from jaxlint.analysis.domain.findings import Project

        self._project.loaded[self.path] = Loaded(self.path, b"", source, None, source.module.imports)
        return Project({self.path: source}, partial(_find_module, self._project, self._runner))

    def diagnostics(self, analysis: Analysis, *, with_fixes: bool) -> list[Diagnostic]:
        """What is shown of the findings, in order; fixes cost time, and are left out where nobody asks for them."""
        project = self._project
        shown = project.shown
        if not with_fixes:
            shown = {path: replace(each, fixable=frozenset()) for path, each in shown.items()}
        found = Reporter(project.root, self.rules, shown, project.source).diagnostics(analysis.findings)
        diagnostics, _ = _suppress(project, found, analysis.findings, self.rules)
        every = _failures(project, [self.path], analysis) + diagnostics
        return with_distinct_fingerprints(sorted(every, key=lambda d: d.sort_key))


def shown_rules(request: Request) -> Mapping[str, frozenset[str]]:
    """The slugs of the rules whose findings are shown, by path."""
    projects = _projects(request, _all_rules(request))
    return {path: shown.rules for project in projects for path, shown in project.shown.items()}


# --- projects and settings


def _projects(request: Request, rules: Mapping[str, Rule]) -> list[_ProjectRun]:
    """The projects of the request with the settings of each of their files, in order of root."""
    by_root: defaultdict[str, list[FoundFile]] = defaultdict(list)
    for file in request.files:
        by_root[file.root].append(file)
    return [_project(root, files, request, rules) for root, files in sorted(by_root.items())]


def _project(root: str, files: list[FoundFile], request: Request, rules: Mapping[str, Rule]) -> _ProjectRun:
    settings = request.configuration.analysis(root)
    index = module_index(root, settings.src, (file.path for file in files))
    project = _ProjectRun(root, settings, index, dict(request.contents), files)
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
                Shown(selection.rules, shown.min_confidence, selection.fixable, selection.severities),
            )
            project.warnings += former_names(shown)
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


def _job_count(request: Request) -> int:
    available = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return max(1, min(request.jobs or available, (len(request.files) + 1) // 2))


# --- loading


def _load(project: _ProjectRun, runner: Runner[LoadTask, Loaded]) -> None:
    """Load the files that concern JAX, and then those that they import."""
    tasks = [project.task(file.path) for file in project.files]
    _run(project, tasks, runner)
    wanted = {name for loaded in project.loaded.values() for name in loaded.imports}
    paths = {path for name in wanted if (path := project.index.find(name))}
    skipped = (loaded for loaded in project.loaded.values() if loaded.source is None and loaded.failure is None)
    _run(project, [project.task(loaded.path, whole=True) for loaded in skipped if loaded.path in paths], runner)


def _run(project: _ProjectRun, tasks: Sequence[LoadTask], runner: Runner[LoadTask, Loaded]) -> None:
    for task, outcome in counted("reading files", runner.run(tasks), len(tasks)):
        project.loaded[task.path] = _crashed(task, outcome) if isinstance(outcome, Crash) else outcome


def _crashed(task: LoadTask, crash: Crash) -> Loaded:
    rule = "analysis-limited" if crash.is_timeout else "analysis-failed"
    return Loaded(task.path, b"", None, LoadFailure(rule, f"not analysed: {crash.reason}"), ())


# --- one project


def _check_project(project: _ProjectRun, rules: Mapping[str, Rule], runner: Runner[LoadTask, Loaded]) -> ProjectOutcome:
    from jaxlint.analysis import analyse
    from jaxlint.analysis.domain.findings import Analysis, Project

    checked = [file.path for file in project.files]
    sources = {path: source for path in checked if (source := project.source(path))}
    wanted = frozenset[str]().union(*(shown.rules for shown in project.shown.values()))
    analysis = Analysis()
    if sources:
        chosen = [rule for slug, rule in rules.items() if slug in wanted]
        analysis = analyse(Project(sources, partial(_find_module, project, runner)), chosen, _options(project.settings))
    failed = _failures(project, checked, analysis)
    reporter = Reporter(project.root, rules, project.shown, project.source)
    found = reporter.diagnostics(analysis.findings)
    diagnostics, suppressed = _suppress(project, found, analysis.findings, rules)
    return ProjectOutcome(
        failed + diagnostics,
        suppressed,
        analysis.statistics,
        project.warnings + reporter.warnings,
        _left_out(project, checked),
    )


def _explain(
    project: _ProjectRun, rules: Mapping[str, Rule], runner: Runner[LoadTask, Loaded], place: AskedPlace
) -> Explanation:
    """One analysis of the project, as for a check, that also writes down what it knows at a place."""
    from jaxlint.analysis import explain_place
    from jaxlint.analysis.domain.findings import Project
    from jaxlint.syntax.deep_stack import run_deep

    path, line, column = place
    sources = {file.path: source for file in project.files if (source := project.source(file.path))}
    chosen = [rule for slug, rule in rules.items() if slug in project.shown[path].rules]
    whole = Project(sources, partial(_find_module, project, runner))
    known = run_deep(lambda: explain_place(whole, path, line, column, _options(project.settings), chosen))
    shown = {path: replace(project.shown[path], min_confidence=Confidence.POSSIBLE, fixable=frozenset())}
    found = Reporter(project.root, rules, shown, project.source).diagnostics(known.findings)
    return Explanation([each for each in found if place.is_at(each.span)], known.notes)


def _find_module(project: _ProjectRun, runner: Runner[LoadTask, Loaded], name: str) -> SourceFile | None:
    """A module of the project by name, loaded when it is first asked for."""
    path = project.index.find(name)
    if path is None:
        return None
    loaded = project.loaded.get(path)
    if loaded is None or (loaded.source is None and loaded.failure is None):
        _run(project, [project.task(path, whole=True)], runner)
    return project.source(path)


def _options(settings: AnalysisSettings) -> AnalysisOptions:
    from jaxlint.analysis.domain.findings import AnalysisOptions, Like

    likes = tuple(
        Like(row.name, row.like, row.consumes_key, row.returns, dict(row.arguments), row.statics)
        for row in settings.likes
    )
    return AnalysisOptions(settings.target_jax, settings.x64, likes)


def _left_out(project: _ProjectRun, checked: Iterable[str]) -> LeftOut:
    """What of the files that were asked for is no Python."""
    loaded = [project.loaded[path] for path in checked]
    passed = [found.source.passed_over for found in loaded if found.source is not None and found.source.passed_over]
    return LeftOut([found.language for found in loaded if found.language], sum(passed), len(passed))


def _failures(project: _ProjectRun, checked: Iterable[str], analysis: Analysis) -> list[Diagnostic]:
    """Engine diagnostics for the checked files that could not be loaded or on which the interpreter failed."""
    result = []
    for path in checked:
        failure = project.loaded[path].failure
        if failure is not None:
            place = at_start(failure.line, failure.column)
            result.append(
                engine_diagnostic(failure.rule, path, place, failure.message, project.root, project.shown[path])
            )
    for path, reason in analysis.failures:
        if path in project.shown:
            message = f"jaxlint failed to analyse this file: {reason}"
            result.append(
                engine_diagnostic("analysis-failed", path, at_start(), message, project.root, project.shown[path])
            )
    for path in analysis.limited:
        if path in project.shown:
            message = "part of this file takes too long to analyse and was left out"
            result.append(
                engine_diagnostic("analysis-limited", path, at_start(), message, project.root, project.shown[path])
            )
    return result


def _suppress(
    project: _ProjectRun, found: Iterable[Diagnostic], findings: Iterable[Finding], rules: Mapping[str, Rule]
) -> tuple[list[Diagnostic], int]:
    """What comments leave of the diagnostics, with what there is to say of the comments; and how many they silence."""
    known: dict[str, Selectable] = {**rules, **ENGINE_RULES}
    by_path: defaultdict[str, list[Diagnostic]] = defaultdict(list)
    for diagnostic in found:
        by_path[diagnostic.path].append(diagnostic)
    kept: list[Diagnostic] = []
    silenced = 0
    for file in project.files:
        source, own = project.source(file.path), by_path[file.path]
        if source is not None and source.comments:
            suppressions = read_suppressions(source.comments, known)
            uses = (Use(f.rule, source.span(f.place.at).line) for f in findings if f.place.path == file.path)
            left = suppressions.silence(own, uses, known)
            silenced += len(own) - len(left)
            own = left + list(_about_comments(suppressions, project, file.path, known))
        kept += own
    return kept, silenced


def _about_comments(
    suppressions: Suppressions, project: _ProjectRun, path: str, rules: Mapping[str, Selectable]
) -> Iterator[Diagnostic]:
    shown = project.shown[path].rules
    if "invalid-suppression" in shown:
        for span, message in suppressions.mistakes:
            yield engine_diagnostic("invalid-suppression", path, span, message, project.root, project.shown[path])
    if "unused-suppression" in shown:
        for span, message in suppressions.unused(shown, rules):
            yield engine_diagnostic("unused-suppression", path, span, message, project.root, project.shown[path])


# --- the result


def _evidence(projects: Iterable[_ProjectRun]) -> Evidence:
    digests: dict[str, bytes] = {}
    modules: dict[str, Mapping[str, str | None]] = {}
    for project in projects:
        digests.update({path: loaded.digest for path, loaded in project.loaded.items()})
        modules[project.root] = project.index.answers
    return Evidence(digests, modules)
