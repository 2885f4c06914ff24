"""From the files of a command line to a result: out of the cache where it still holds, else from the analysis."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxlint.config import Configuration
from jaxlint.config.roots import project_root
from jaxlint.engine.cache import FOLDER, CacheEntry, cache_entry
from jaxlint.engine.command_line import Inputs, SettingsOptions, find_inputs, working_directory
from jaxlint.engine.result import Result
from jaxlint.files.console import warn

if TYPE_CHECKING:
    from jaxlint.engine.session import Request
    from jaxlint.engine.shards import Shard, ShardReport
    from jaxlint.rules.rule import Rule


def check_paths(paths: Sequence[str], options: SettingsOptions) -> tuple[Inputs, Result]:
    """What `check` finds in the paths, for commands that go on with it."""
    inputs = find_inputs(paths, options)
    warn((*inputs.discovery.warnings, *inputs.configuration.warnings))
    return inputs, check_inputs(inputs, options)


def check_inputs(inputs: Inputs, options: SettingsOptions) -> Result:
    """The result of the run; where the cache has it, neither parser nor analysis is imported."""
    plugins, refused = permitted_plugins(inputs, options)
    entry = entry_of(inputs, options, plugins)
    kept = entry.load() if entry else None
    if kept is not None:
        return replace(kept, warnings=(*kept.warnings, *refused))
    from jaxlint.engine.part_cache import PartCache
    from jaxlint.engine.session import check

    parts = PartCache(entry.folder, inputs.configuration, _versions(plugins)) if entry else None
    result, evidence = check(replace(request_of(inputs, plugins, options.executor), kept=parts))
    problem = entry.store(result, evidence) if entry else None
    return replace(result, warnings=(*result.warnings, *refused, *filter(None, [problem])))


def check_shard(inputs: Inputs, options: SettingsOptions, shard: Shard) -> ShardReport:
    """What one shard of the run comes to; the results of its parts are kept in the cache, as those of all runs are."""
    from jaxlint.engine.part_cache import PartCache
    from jaxlint.engine.session import Session, run

    plugins, refused = permitted_plugins(inputs, options)
    entry = entry_of(inputs, options, plugins)
    parts = PartCache(entry.folder, inputs.configuration, _versions(plugins)) if entry else None

    def work(session: Session) -> ShardReport:
        report = session.check_shard(shard)
        session.keep()
        return report

    report = run(replace(request_of(inputs, plugins, options.executor), kept=parts, shard=shard), work)
    return replace(report, warnings=(*report.warnings, *refused))


def entry_of(inputs: Inputs, options: SettingsOptions, plugins: Sequence[str]) -> CacheEntry | None:
    """Where the cache keeps the result of this run; None where there is nothing to keep."""
    files = inputs.discovery.files
    if options.no_cache or not files or inputs.stdin is not None:
        return None
    folder = inputs.configuration.run(inputs.anchor).cache_dir or os.path.join(files[0].root, FOLDER)
    return cache_entry(files, inputs.configuration, folder, _versions(plugins))


def request_of(inputs: Inputs, plugins: Sequence[str], executor: str | None = None) -> Request:
    """The files as the engine is asked to check them, by a cluster where an `executor` is given."""
    from jaxlint.engine.session import Request

    jobs = inputs.configuration.run(inputs.anchor).jobs
    files = inputs.discovery.files
    return Request(files, inputs.configuration, inputs.contents, jobs, plugins=tuple(plugins), executor=executor)


def permitted_plugins(inputs: Inputs, options: SettingsOptions) -> tuple[list[str], list[str]]:
    """The plug-ins to load and a warning for each that may not be; nothing is looked for when no project names one."""
    return _permitted({file.root for file in inputs.discovery.files}, inputs.configuration, options.allow_plugins)


def _permitted(
    roots: Iterable[str], configuration: Configuration, allowed: Sequence[str]
) -> tuple[list[str], list[str]]:
    named = {name for root in roots for name in configuration.analysis(root).plugins}
    if not named:
        return [], []
    from jaxlint.engine.plugins import allowed_by_user, permitted

    return permitted(named, [*allowed, *allowed_by_user(os.environ)])


def plugin_rules(allowed: Sequence[str]) -> Mapping[str, Rule]:
    """The rules of the plug-ins that the project in the current folder names and the user allows."""
    directory = working_directory()
    root = project_root(directory)
    names, refused = _permitted([root], SettingsOptions().configuration(directory), allowed)
    warn(refused)
    if not names:
        return {}
    from jaxlint.engine.plugins import load_plugins
    from jaxlint.rules.rule import registry

    return load_plugins(names, [root], registry())


def _versions(plugins: Sequence[str]) -> list[str]:
    if not plugins:
        return []
    from jaxlint.engine.plugins import versions

    return versions(plugins)
