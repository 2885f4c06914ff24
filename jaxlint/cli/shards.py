"""`jaxlint check --shard` checks one share of the files and leaves a report; `jaxlint merge` reports on all of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from jaxlint.cli.check import changed_lines, known_findings, tell
from jaxlint.cli.check_options import CheckOptions, Mode
from jaxlint.config import ConfigError
from jaxlint.engine.check_paths import check_shard
from jaxlint.engine.command_line import Inputs, working_directory
from jaxlint.engine.exit_codes import CLEAN
from jaxlint.engine.shard_report import StoredReport, read_report, refuse_changed, report_text
from jaxlint.engine.shards import joined, read_shard
from jaxlint.files.console import be_quiet, warn, write_file, write_stdout
from jaxlint.files.discovery import Discovery
from jaxlint.report.progress_bar import shown_on


def run_shard(inputs: Inputs, options: CheckOptions) -> int:
    """`jaxlint check --shard`: 0 whatever is found, since `merge` tells. Raises ConfigError."""
    _refuse_reporting(inputs, options)
    shard = read_shard(options.shard or "")
    with shown_on(sys.stderr, os.environ):
        report = check_shard(inputs, options.settings, shard)
    warn(inputs.configuration.warnings)
    lines = [report_text(StoredReport(report, inputs.discovery.files, inputs.anchor), inputs.working_directory)]
    if options.output_file:
        write_file(os.path.join(inputs.working_directory, options.output_file), lines)
    else:
        write_stdout(lines)
    return CLEAN


def _refuse_reporting(inputs: Inputs, options: CheckOptions) -> None:
    """Raise ConfigError for options that say what becomes of all findings: no shard has them."""
    if options.mode is not Mode.CHECK:
        raise ConfigError(f"cannot be used with {options.mode.value}", key="--shard")
    if inputs.stdin is not None:
        raise ConfigError("shares out files; standard input is one", key="--shard")
    given = {
        "--output-format": options.settings.output_format is not None,
        "--also-write": bool(options.also_write),
        "--diff-base": options.diff_base is not None,
        "--verdicts": bool(options.verdicts),
        "--hide-refuted": options.hide_refuted,
    }
    for name, is_given in given.items():
        if is_given:
            raise ConfigError("is for `jaxlint merge`, which reports on all shards", key=name)


def run_merge(paths: Sequence[str], options: CheckOptions) -> int:
    """`jaxlint merge`: the report and exit code of one run whose shards left these reports. Raises ConfigError."""
    be_quiet(options.quiet)
    directory = working_directory()
    stored = {path: read_report(path, directory) for path in dict.fromkeys(paths)}
    result = joined({path: each.report for path, each in stored.items()})
    for each in stored.values():
        refuse_changed(each.report)
    first = next(iter(stored.values()))
    files = sorted(first.files)
    inputs = Inputs(directory, options.settings.configuration(directory), Discovery(files), None, first.anchor)
    changed = changed_lines(inputs, options)
    known = known_findings(inputs, options.mode)
    warn((*inputs.configuration.warnings, *result.warnings))
    return tell(inputs, options, result, known, changed)
