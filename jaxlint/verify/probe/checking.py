"""The static check before a probe: which files, under which settings, and what `check` says of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from jaxlint.config import ConfigError, Configuration, load_configuration
from jaxlint.diagnostics import Diagnostic
from jaxlint.files.discovery import Discovery, discover
from jaxlint.verify.probe.request import ProbeRequest


@dataclass(frozen=True, slots=True)
class Checked:
    """The files of a probe with what `check` finds in them. `roots` gives each file's project root."""

    working_directory: str
    configuration: Configuration
    roots: dict[str, str]
    diagnostics: tuple[Diagnostic, ...]
    warnings: tuple[str, ...]


def check_files(request: ProbeRequest, paths: Sequence[str]) -> Checked:
    """Check the files of a probe as `jaxlint check` would. Raises ConfigError."""
    from jaxlint.engine.session import Request, check

    directory = _working_directory()
    configuration = load_configuration(
        command_line=request.settings,
        config=request.config,
        environment=os.environ,
        isolated=request.isolated,
        working_directory=directory,
    )
    discovery = discover(paths, configuration, directory)
    anchor = os.path.normpath(os.path.join(directory, paths[0]))
    anchor = anchor if os.path.isdir(anchor) else os.path.dirname(anchor)
    result, _ = check(Request(discovery.files, configuration, jobs=configuration.run(anchor).jobs))
    warnings = (*discovery.warnings, *configuration.warnings, *result.warnings)
    return Checked(directory, configuration, _roots(discovery), result.diagnostics, tuple(warnings))


def _roots(discovery: Discovery) -> dict[str, str]:
    return {file.path: file.root for file in discovery.files}


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:
        raise ConfigError("the working directory no longer exists") from None
