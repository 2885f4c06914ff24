"""A run split over machines: the parts that each shard checks, the report that it leaves, one result of all reports.

Which shard checks a part follows from the files alone, so that the machines of a CI matrix need not speak.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, NamedTuple

from jaxlint.config import ConfigError
from jaxlint.engine.load import Loaded, LoadTask
from jaxlint.engine.part_outcome import Piece, merged
from jaxlint.engine.parts import Part, connected, with_packages
from jaxlint.engine.project_run import ProjectRun
from jaxlint.engine.reporter import Shown
from jaxlint.engine.result import Result
from jaxlint.engine.workers import Crash, Runner
from jaxlint.files.discovery import FoundFile
from jaxlint.version import VERSION

_WRITTEN: Final = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


class Shard(NamedTuple):
    """One of `total` shares of a run; `number` is from 1."""

    number: int
    total: int

    def __str__(self) -> str:
        return f"{self.number}/{self.total}"


def read_shard(text: str) -> Shard:
    """The shard that is written as `1/4`. Raises ConfigError."""
    written = _WRITTEN.fullmatch(text)
    shard = Shard(int(written[1]), int(written[2])) if written else None
    if shard is None or not 1 <= shard.number <= shard.total:
        raise ConfigError(f"`{text}` is not of the form NUMBER/COUNT, such as 1/4 for the first of four", key="--shard")
    return shard


@dataclass(frozen=True, slots=True)
class ShardReport:
    """What one shard found. `plan` tells runs on other files or with other settings apart.

    `digests` are the contents of all files of the run by path, `imported` the libraries that they import.
    """

    shard: Shard
    plan: str
    digests: Mapping[str, bytes]
    imported: Sequence[str]
    warnings: Sequence[str]
    pieces: Sequence[Piece]


# --- which parts a shard checks


@dataclass(frozen=True, slots=True)
class Plan:
    """The parts that a shard checks, by project, and what tells the plan from others."""

    chosen: Sequence[Sequence[Part]]
    digest: str
    digests: Mapping[str, bytes]

    @staticmethod
    def of(
        projects: Sequence[ProjectRun], files: Iterable[FoundFile], runner: Runner[LoadTask, Loaded], shard: Shard
    ) -> Plan:
        """The plan of a run for a shard. Parts that may meet stay together; the largest are given away first."""
        sizes = {file.path: file.stamp.size if file.stamp else 0 for file in files}
        groups = [(number, group) for number, project in enumerate(projects) for group in _groups(project, runner)]
        chosen: list[list[Part]] = [[] for _ in projects]
        loads = [0] * shard.total
        for number, group in sorted(groups, key=lambda each: (-_size(each[1], sizes), each)):
            least = loads.index(min(loads))
            loads[least] += _size(group, sizes)
            if least == shard.number - 1:
                chosen[number] += group
        digests = {file.path: project.loaded[file.path].digest for project in projects for file in project.files}
        return Plan([sorted(parts) for parts in chosen], _digest(projects, groups, shard.total), digests)


def _size(group: Sequence[Part], sizes: Mapping[str, int]) -> int:
    return sum(sizes[path] for part in group for path in part)


def _groups(project: ProjectRun, runner: Runner[LoadTask, Loaded]) -> list[list[Part]]:
    """The parts of a project, those together that may meet behind files which only the analysis comes to."""
    imports = {path: project.loaded[path].imports for path in project.analysed}
    new: Mapping[str, tuple[str, ...]] = imports
    while new:
        names = with_packages(name for each in new.values() for name in each)
        behind = {path for name in names if (path := project.index.find(name)) is not None and path not in imports}
        tasks = [project.task(path, whole=True)._replace(brief=True) for path in sorted(behind)]
        read = runner.run(tasks)
        new = {task.path: () if isinstance(outcome, Crash) else outcome.imports for task, outcome in read}
        imports.update(new)
    group_of = {path: group for group in connected(imports, project.index.find) for path in group}
    groups: dict[Part, list[Part]] = {}
    for part in project.parts():
        groups.setdefault(group_of[part[0]], []).append(part)
    return list(groups.values())


def _digest(projects: Sequence[ProjectRun], groups: Iterable[tuple[int, Sequence[Part]]], count: int) -> str:
    """What tells one plan from another: contents, settings and version; folders of machines do not count."""
    top = os.path.commonpath([project.root for project in projects]) if projects else ""
    key: list[object] = [VERSION, count]
    for project in projects:
        settings = project.settings
        key += [project.x64, settings.target_jax, settings.releases, settings.likes, settings.plugins, project.triage]
        key += [
            (os.path.relpath(path, top), project.loaded[path].digest, _told(shown))
            for path, shown in project.shown.items()
        ]
    key += [(number, [[os.path.relpath(path, top) for path in part] for part in group]) for number, group in groups]
    return blake2b(repr(key).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _told(shown: Shown) -> object:
    """What settings say of one file, in order."""
    fixable = shown.fixable and sorted(shown.fixable)
    levels = sorted((rule, severity.value) for rule, severity in shown.severities.items())
    return sorted(shown.rules), shown.min_confidence.value, fixable, levels, sorted(shown.trusted)


# --- one result of all reports


def joined(reports: Mapping[str, ShardReport]) -> Result:
    """The result of the run whose shards left these reports, by the file of each. Raises ConfigError."""
    _refuse_others(reports)
    first = next(iter(reports.values()))
    pieces = sorted((piece for report in reports.values() for piece in report.pieces), key=lambda piece: piece[:3])
    _refuse_overlaps(pieces)
    outcomes = [piece.outcome for piece in pieces]
    return merged(outcomes, len(first.digests), first.imported, first.warnings)


def _refuse_others(reports: Mapping[str, ShardReport]) -> None:
    """Raise ConfigError where the reports are not those of all shards of one run."""
    (first_path, first), *others = reports.items()
    seen = {first.shard.number: first_path}
    for path, report in others:
        if report.shard.total != first.shard.total:
            raise ConfigError(f"is of shard {report.shard}, and {first_path} of {first.shard}", path)
        if report.plan != first.plan:
            raise ConfigError(f"is about other files, settings or versions than {first_path}", path)
        if report.shard.number in seen:
            raise ConfigError(f"is of shard {report.shard}, as {seen[report.shard.number]} is", path)
        seen[report.shard.number] = path
    missing = next((number for number in range(1, first.shard.total + 1) if number not in seen), None)
    if missing is not None:
        raise ConfigError(f"the report of shard {Shard(missing, first.shard.total)} is missing")


def _refuse_overlaps(pieces: Iterable[Piece]) -> None:
    seen: set[str] = set()
    for piece in pieces:
        twice = seen.intersection(piece.files)
        if twice:
            raise ConfigError("was checked by two shards; check the project without --shard", min(twice))
        seen.update(piece.files)
