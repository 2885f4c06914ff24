"""One part of a project from its files as loaded to its diagnostics: analysed, read again, reported, silenced."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from jaxlint.config import AnalysisSettings
from jaxlint.diagnostics import Diagnostic
from jaxlint.engine.leaves import leaf_groups
from jaxlint.engine.load import Loaded, LoadTask
from jaxlint.engine.part_outcome import PartOutcome
from jaxlint.engine.parts import Part
from jaxlint.engine.project_run import ProjectRun, find_module
from jaxlint.engine.reporter import LeftOut, Reporter, at_start, engine_diagnostic
from jaxlint.engine.result import ENGINE_RULES
from jaxlint.engine.second_reading import read_again, readings
from jaxlint.engine.selection import Selectable
from jaxlint.engine.suppressions import Suppressions, Use, read_suppressions
from jaxlint.engine.workers import Runner

if TYPE_CHECKING:
    from jaxlint.analysis.domain.findings import Analysis, AnalysisOptions, Finding, Project
    from jaxlint.analysis.project.leaf_groups import KeptGroups
    from jaxlint.rules.rule import Rule
    from jaxlint.syntax.source import SourceFile


def check_part(
    project: ProjectRun, part: Part, rules: Mapping[str, Rule], runner: Runner[LoadTask, Loaded]
) -> PartOutcome:
    """What a check finds in files of a project that have nothing to do with its others."""
    asked: dict[str, str | None] = {}
    analysis = _analysis(project, part, rules, runner, asked)
    while read_again(project, part, analysis.findings, rules, runner):
        analysis = _analysis(project, part, rules, runner, asked)
    failed = failures(project, part, analysis)
    reporter = Reporter(project.root, rules, project.shown, project.source)
    found = reporter.diagnostics(analysis.findings)
    # What stands behind two imports does not name JAX, and is only read when the analysis comes to it.
    beside = sorted({each.path for each in found}.intersection(project.shown).difference(part))
    diagnostics, suppressed = suppress(project, (*part, *beside), found, analysis.findings, rules)
    return PartOutcome(
        failed + diagnostics,
        suppressed,
        analysis.statistics,
        reporter.warnings,
        _left_out(project, part),
        readings(project, part),
        asked,
    )


def pass_over(project: ProjectRun) -> PartOutcome:
    """What there is to say of the files of a project that are not analysed."""
    from jaxlint.analysis.domain.findings import Analysis, AnalysisStatistics

    failed = failures(project, project.rest, Analysis())
    return PartOutcome(failed, 0, AnalysisStatistics(), [], _left_out(project, project.rest), Counter(), {})


def _analysis(
    project: ProjectRun,
    part: Part,
    rules: Mapping[str, Rule],
    runner: Runner[LoadTask, Loaded],
    asked: dict[str, str | None],
) -> Analysis:
    """The findings in a part; `asked` gets the modules that were looked for, with where they are."""
    from jaxlint.analysis import analyse

    def find(name: str) -> SourceFile | None:
        asked[name] = project.index.find(name)
        return find_module(project, runner, name)

    chosen = project.chosen
    wanted = [rule for slug, rule in rules.items() if slug in chosen]
    sources = sources_of(project, part, find)
    return analyse(sources, wanted, options_of(project.settings, project.x64), _kept(project, part, sources))


def _kept(project: ProjectRun, part: Part, sources: Project) -> KeptGroups | None:
    """Where what groups of leaves came to is kept, unless libcst reads a file otherwise than its content tells."""
    if project.kept is None or not sources.groups or not project.differing.isdisjoint(part):
        return None
    from jaxlint.engine.group_cache import GroupCache

    leaves = frozenset[str]().union(*sources.groups)
    library = tuple(path for path in sources.files if path not in leaves)
    return GroupCache(project.kept, project, library, sources.find_module)


def sources_of(project: ProjectRun, part: Part, find: Callable[[str], SourceFile | None]) -> Project:
    """What is analysed of a part, in its groups; `find` gives the project's modules."""
    from jaxlint.analysis.domain.findings import Project

    sources = {path: source for path in part if (source := project.source(path))}
    imports = {path: project.loaded[path].imports for path in part}
    groups = leaf_groups(part, imports, project.index.find, project.root)
    readable = (tuple(path for path in group if path in sources) for group in groups)
    return Project(sources, find, tuple(filter(None, readable)))


def options_of(settings: AnalysisSettings, x64: bool | None) -> AnalysisOptions:
    """What the analysis is to believe of a project."""
    from jaxlint.analysis.domain.findings import AnalysisOptions, Like
    from jaxlint.jaxapi.lifetimes import Release

    likes = tuple(
        Like(row.name, row.like, row.consumes_key, row.returns, dict(row.arguments), row.statics)
        for row in settings.likes
    )
    releases = tuple(Release(*bounds) for bounds in settings.releases)
    return AnalysisOptions(settings.target_jax, x64, likes, releases)


def _left_out(project: ProjectRun, checked: Iterable[str]) -> LeftOut:
    """What of the files that were asked for is no Python."""
    loaded = [project.loaded[path] for path in checked]
    passed = [found.source.passed_over for found in loaded if found.source is not None and found.source.passed_over]
    return LeftOut([found.language for found in loaded if found.language], sum(passed), len(passed))


def failures(project: ProjectRun, checked: Iterable[str], analysis: Analysis) -> list[Diagnostic]:
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


def suppress(
    project: ProjectRun,
    paths: Iterable[str],
    found: Iterable[Diagnostic],
    findings: Iterable[Finding],
    rules: Mapping[str, Rule],
) -> tuple[list[Diagnostic], int]:
    """What comments leave of the diagnostics, with what there is to say of the comments; and how many they silence."""
    known: dict[str, Selectable] = {**rules, **ENGINE_RULES}
    by_path: defaultdict[str, list[Diagnostic]] = defaultdict(list)
    for diagnostic in found:
        by_path[diagnostic.path].append(diagnostic)
    kept: list[Diagnostic] = []
    silenced = 0
    for path in paths:
        source, own = project.source(path), by_path[path]
        if source is not None and source.comments:
            suppressions = read_suppressions(source.comments, known)
            uses = (Use(f.rule, source.span(f.place.at).line) for f in findings if f.place.path == path)
            left = suppressions.silence(own, uses, known)
            silenced += len(own) - len(left)
            own = left + list(_about_comments(suppressions, project, path, known))
        kept += own
    return kept, silenced


def _about_comments(
    suppressions: Suppressions, project: ProjectRun, path: str, rules: Mapping[str, Selectable]
) -> Iterator[Diagnostic]:
    shown = project.shown[path].rules
    if "invalid-suppression" in shown:
        for span, message in suppressions.mistakes:
            yield engine_diagnostic("invalid-suppression", path, span, message, project.root, project.shown[path])
    if "unused-suppression" in shown:
        for span, message in suppressions.unused(shown, rules):
            yield engine_diagnostic("unused-suppression", path, span, message, project.root, project.shown[path])
