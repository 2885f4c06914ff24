"""What a person sees comes from libcst: the files that findings are shown of, or that hold directives, are read again.

Both parsers lower to one representation, so that the findings stay; where the two differ, libcst's is analysed. A file
of which an earlier run has compared them is not read again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from jaxlint.engine.garbage import tidy
from jaxlint.engine.load import Loaded, LoadTask
from jaxlint.engine.parts import Part
from jaxlint.engine.project_run import ProjectRun
from jaxlint.engine.result import ENGINE_RULES
from jaxlint.engine.selection import Selectable
from jaxlint.engine.suppressions import read_suppressions
from jaxlint.engine.workers import Crash, Runner
from jaxlint.progress import counted

if TYPE_CHECKING:
    from jaxlint.analysis.domain.findings import Finding
    from jaxlint.rules.rule import Rule
    from jaxlint.syntax.source import SourceFile


def read_again(
    project: ProjectRun,
    part: Part,
    findings: Iterable[Finding],
    rules: Mapping[str, Rule],
    runner: Runner[LoadTask, Loaded],
) -> bool:
    """Let libcst read what only CPython's parser has. The answer is whether the part is to be analysed again."""
    wanted = {*_shown(project, findings), *_with_directives(project, part, rules)}
    first = {path: source for path in sorted(wanted) if (source := _to_be_read(project, path))}
    for path in [path for path in first if project.is_agreed(path)]:
        project.loaded[path] = project.loaded[path]._replace(source=first.pop(path).as_agreed())
    tasks = [project.task(path, whole=True, triage=False) for path in first]
    if tasks:
        tidy()
    differing = set()
    for task, outcome in counted("reading files again", runner.run(tasks), len(tasks)):
        if isinstance(outcome, Crash) or outcome.source is None:
            project.refused.add(task.path)
            continue
        project.loaded[task.path] = outcome
        if not _agree(first[task.path], outcome.source):
            differing.add(task.path)
        elif project.agreed is not None and first[task.path].has_spans_of(outcome.source):
            project.agreed[task.path] = outcome.digest
    project.differing |= differing
    return bool(differing)


def readings(project: ProjectRun, part: Part) -> Counter[str]:
    """How many files of a part were read by what."""
    counts: Counter[str] = Counter()
    for path in part:
        source = project.source(path)
        if source is not None:
            counts["ast" if source.is_triaged else "libcst"] += 1
            counts["ast, refused by libcst"] += path in project.refused
            counts["libcst, otherwise than by ast"] += path in project.differing
    return +counts


def _shown(project: ProjectRun, findings: Iterable[Finding]) -> Iterator[str]:
    """The files that findings are shown of, or their evidence."""
    for finding in findings:
        shown = project.shown.get(finding.place.path)
        if shown is not None and shown.shows(finding):
            yield finding.place.path
            yield from (note.place.path for note in finding.notes if note.place is not None)


def _with_directives(project: ProjectRun, part: Part, rules: Mapping[str, Rule]) -> Iterator[str]:
    known: dict[str, Selectable] = {**rules, **ENGINE_RULES}
    for path in part:
        source = project.source(path)
        if source is not None and source.comments:
            found = read_suppressions(source.comments, known)
            if found.directives or found.mistakes:
                yield path


def _to_be_read(project: ProjectRun, path: str) -> SourceFile | None:
    """What CPython's parser alone has made of a file that libcst was not yet asked for."""
    source = project.source(path)
    return source if source is not None and source.is_triaged and path not in project.refused else None


def _agree(one: SourceFile, other: SourceFile) -> bool:
    from jaxlint.syntax.agreement import agree

    return agree(one.module, other.module)
