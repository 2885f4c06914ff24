"""The static check before a probe: which files, under which settings, and what `check` says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jaxlint.config import Configuration
from jaxlint.diagnostics import Diagnostic
from jaxlint.engine.command_line import SettingsOptions, anchor_of, working_directory
from jaxlint.files.discovery import discover


@dataclass(frozen=True, slots=True)
class Checked:
    """The files of a probe with what `check` finds in them. `roots` gives each file's project root."""

    working_directory: str
    configuration: Configuration
    roots: dict[str, str]
    diagnostics: tuple[Diagnostic, ...]
    warnings: tuple[str, ...]


def check_files(options: SettingsOptions, paths: Sequence[str]) -> Checked:
    """Check the files of a probe as `jaxlint check` would. Raises ConfigError."""
    from jaxlint.engine.session import Request, check

    directory = working_directory()
    configuration = options.configuration(directory)
    discovery = discover(paths, configuration, directory)
    jobs = configuration.run(anchor_of(paths, directory)).jobs
    result, _ = check(Request(discovery.files, configuration, jobs=jobs))
    warnings = (*discovery.warnings, *configuration.warnings, *result.warnings)
    roots = {file.path: file.root for file in discovery.files}
    return Checked(directory, configuration, roots, result.diagnostics, tuple(warnings))
