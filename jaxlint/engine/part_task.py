"""The check of one part as a task for another process: asked with plain data, answered with plain data."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.config import AnalysisSettings, ConfigError
from jaxlint.engine.check_part import check_part
from jaxlint.engine.garbage import tidy
from jaxlint.engine.load import Loaded, LoadTask, load
from jaxlint.engine.part_outcome import PartOutcome
from jaxlint.engine.parts import Part
from jaxlint.engine.project_run import ProjectRun, is_silent, read_put_off
from jaxlint.engine.reporter import Shown
from jaxlint.engine.workers import Runner
from jaxlint.files.module_index import ModuleIndex
from jaxlint.version import VERSION

if TYPE_CHECKING:
    from jaxlint.rules.rule import Rule

#: What must be equal where a part is asked for and where it is checked, by name.
Versions = tuple[tuple[str, str], ...]


class PartAnswer(NamedTuple):
    """What the check of a part came to. `read` are the files that it rests on, with their sources put off.

    `answers` are the modules that were looked for. The outcome is None where files of `missing` modules were not sent.
    `agreed` are files that both parsers read the same.
    """

    outcome: PartOutcome | None
    read: list[Loaded]
    answers: Mapping[str, str | None]
    missing: frozenset[str] = frozenset()
    agreed: Mapping[str, bytes] | None = None


class LoadsHere:
    """Loads files in this process."""

    def run(self, tasks: Iterable[LoadTask]) -> Iterator[tuple[LoadTask, Loaded]]:
        """Yield each task with its outcome."""
        for task in tasks:
            yield task, load(task)


def answer_of(
    project: ProjectRun, part: Part, rules: Mapping[str, Rule], runner: Runner[LoadTask, Loaded]
) -> PartAnswer:
    """Check a part of a project that is here, for somebody else."""
    before = {path: loaded.digest for path, loaded in project.loaded.items()}
    tidy()
    read_put_off(project, part, runner)
    outcome = check_part(project, part, rules, runner)
    read = [each.put_off() for path, each in project.loaded.items() if before.get(path) != each.digest]
    return PartAnswer(outcome, read, project.index.answers, agreed=project.agreed)


def take(project: ProjectRun, answer: PartAnswer) -> PartOutcome | None:
    """The outcome of a part that was checked elsewhere; the project knows then what it rests on."""
    for loaded in answer.read:
        known = project.loaded.get(loaded.path)
        if known is None or is_silent(known) or known.digest != loaded.digest:
            project.loaded[loaded.path] = loaded
    if project.agreed is not None and answer.agreed is not None:
        project.agreed.update(answer.agreed)
    for name, where in answer.answers.items():
        project.index.answers.setdefault(name, where)
    return answer.outcome


# --- on a machine without the files


@dataclass(slots=True)
class _SentModules(ModuleIndex):
    """The modules that were sent along; what else is looked for is noted."""

    missing: set[str] = field(default_factory=set)

    def find(self, name: str) -> str | None:
        """The file of a module, if it was sent."""
        if name not in self.answers:
            self.missing.add(name)
        return self.answers.get(name)


class PartTask(NamedTuple):
    """A part to check with all that the check needs, so that it reads nothing from a disk.

    `contents` and `names` are by path; `answers` tells where modules are, whose files are among them.
    """

    root: str
    settings: AnalysisSettings
    x64: bool | None
    triage: bool
    chosen: frozenset[str]
    plugins: tuple[str, ...]
    part: Part
    contents: Mapping[str, bytes]
    names: Mapping[str, tuple[str, bool]]
    answers: Mapping[str, str | None]
    shown: Mapping[str, Shown]
    agreed: Mapping[str, bytes] | None


def answer_task(task: PartTask) -> PartAnswer:
    """Check a part that was sent here."""
    index = _SentModules((), answers=dict(task.answers))
    project = ProjectRun(task.root, task.settings, index, dict(task.contents), task.triage, shown=dict(task.shown))
    project.names.update(task.names)
    project.decide(x64=task.x64, chosen=task.chosen)
    project.agreed = None if task.agreed is None else dict(task.agreed)
    project.loaded = {path: Loaded(path, b"", None, None, (), is_put_off=True) for path in task.part}
    answer = answer_of(project, task.part, rules_of(task.plugins), LoadsHere())
    return answer._replace(outcome=None, missing=frozenset(index.missing)) if index.missing else answer


@cache
def rules_of(plugins: tuple[str, ...]) -> Mapping[str, Rule]:
    """The rules that ship and those of plug-ins."""
    from jaxlint.rules.rule import registry

    shipped = registry()
    if not plugins:
        return shipped
    from jaxlint.engine.plugins import load_plugins

    return {**shipped, **load_plugins(plugins, (), shipped)}


def versions_here(plugins: Iterable[str]) -> Versions:
    """What findings depend on beside the files: versions, and the content of this package."""
    python = ".".join(map(str, sys.version_info[:2]))
    return (
        ("Python", python),
        ("jaxlint", VERSION),
        ("libcst", version("libcst")),
        *((name, _version(name)) for name in sorted(plugins)),
        ("the content of jaxlint", _content()),
    )


def refuse_other_versions(here: Versions, there: Versions, where: str) -> None:
    """Raise ConfigError for the first thing that is not the same at two places."""
    for (name, ours), (_, theirs) in zip(here, there, strict=True):
        if ours != theirs:
            told = f"{theirs or 'missing'} there and {ours} here"
            raise ConfigError(f"{name} is not the same: {told}", where)


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


@cache
def _content() -> str:
    """What tells the files of this package from those of another state of it."""
    package = Path(__file__).resolve().parent.parent
    digest = blake2b(digest_size=6)
    for path in sorted(package.rglob("*")):
        if path.suffix in (".py", ".tsv"):
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
