"""`jaxlint check`, from its options to an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxlint.cli.check_options import CheckOptions, Mode
from jaxlint.cli.write_report import write_report
from jaxlint.config import ConfigError
from jaxlint.engine.check_paths import check_inputs
from jaxlint.engine.command_line import Inputs, find_inputs
from jaxlint.engine.exit_codes import CLEAN, exit_code
from jaxlint.engine.result import Result
from jaxlint.files.console import be_quiet, warn, write_stdout
from jaxlint.files.discovery import FoundFile
from jaxlint.files.read import read_document
from jaxlint.report.paths import PathPrinter
from jaxlint.report.progress_bar import shown_on

if TYPE_CHECKING:
    from jaxlint.engine.baseline import Baseline
    from jaxlint.engine.diff_base import ChangedLines


def run_check(paths: Sequence[str], options: CheckOptions) -> int:
    """`jaxlint check`: 0 when nothing is found, 1 when something is."""
    be_quiet(options.quiet)
    inputs = find_inputs(paths or (".",), options.settings)
    if options.show_files:
        return _show_files(inputs)
    if options.show_settings:
        return _show_settings(inputs)
    warn(inputs.discovery.warnings)
    if options.shard is not None:
        from jaxlint.cli.shards import run_shard

        return run_shard(inputs, options)
    mode = options.mode
    changed = changed_lines(inputs, options)
    known = known_findings(inputs, mode)
    if mode in (Mode.FIX, Mode.DIFF, Mode.ADD_IGNORE):
        from jaxlint.cli.fix import run_changes

        return run_changes(inputs, options, known)
    with shown_on(sys.stderr, os.environ):
        result = check_inputs(inputs, options.settings)
    warn((*inputs.configuration.warnings, *result.warnings, *_about_likes(inputs, paths or (".",))))
    return tell(inputs, options, result, known, changed)


def tell(
    inputs: Inputs, options: CheckOptions, result: Result, known: Baseline | None, changed: ChangedLines | None
) -> int:
    """Report what options leave of a result; the answer is the exit code."""
    mode = options.mode
    result = _with_verdicts(result, inputs, options)
    if mode is Mode.WRITE_BASELINE:
        from jaxlint.cli.known_findings import write_known

        return write_known(inputs, options, result)
    if known is not None:
        from jaxlint.cli.known_findings import hide_known

        result = hide_known(inputs, options, known, result)
    if changed is not None:  # after the baseline, which must not take what is left out here for mended
        from jaxlint.report.cell_places import Places

        result = changed.restrict(result, Places(read_document).in_file)
    write_report(inputs, result, options)
    return CLEAN if options.exit_zero else exit_code(result, inputs.configuration.run(inputs.anchor).fail_level)


def _about_likes(inputs: Inputs, paths: Sequence[str]) -> Iterable[str]:
    """What is wrong with entries of `like`; projects without any pay nothing."""
    roots = {file.root for file in inputs.discovery.files}
    if not any(inputs.configuration.analysis(root).likes for root in roots):
        return ()
    from jaxlint.engine.likes import like_warnings

    asked = [os.path.normpath(os.path.join(inputs.working_directory, path)) for path in paths]
    return like_warnings(inputs.discovery.files, inputs.configuration, asked)


def known_findings(inputs: Inputs, mode: Mode) -> Baseline | None:
    """The baseline to leave out of the report. Raises ConfigError where it cannot be read."""
    path = inputs.configuration.run(inputs.anchor).baseline
    if mode is Mode.WRITE_BASELINE:
        return None
    if path is None:
        if mode is Mode.PRUNE_BASELINE:
            raise ConfigError("needs --baseline FILE or the setting `baseline`", key=mode.value)
        return None
    from jaxlint.engine.baseline import read_baseline

    return read_baseline(path)


def changed_lines(inputs: Inputs, options: CheckOptions) -> ChangedLines | None:
    """What `--diff-base` keeps; asked before the analysis, so that a mistake in it is told at once."""
    if options.diff_base is None:
        return None
    if options.mode is not Mode.CHECK:  # lines move as files are fixed, and a baseline is about all findings
        raise ConfigError("cannot be used with options that change files or the baseline", key="--diff-base")
    if inputs.stdin is not None:
        raise ConfigError("compares files with git; standard input is not one", key="--diff-base")
    from jaxlint.engine.diff_base import changed_since

    return changed_since(options.diff_base, inputs.working_directory)


def _with_verdicts(result: Result, inputs: Inputs, options: CheckOptions) -> Result:
    """The result with the verdicts of a file, and less the refuted ones where that was asked for."""
    if not options.verdicts:
        if options.hide_refuted:
            raise ConfigError("needs a file of verdicts: --verdicts FILE", key="--hide-refuted")
        return result
    from jaxlint.verify.store import apply_stores, read_store

    paths = [os.path.join(inputs.working_directory, path) for path in options.verdicts]
    stores = [(os.path.dirname(path), read_store(path)) for path in paths]
    shown, hidden = apply_stores(result.diagnostics, stores, hide_refuted=options.hide_refuted)
    return replace(result, diagnostics=tuple(shown), refuted=hidden)


def _show_files(inputs: Inputs) -> int:
    paths = PathPrinter(inputs.working_directory)
    warn(inputs.discovery.warnings)
    write_stdout(paths(file.path) for file in inputs.discovery.files)
    return CLEAN


def _show_settings(inputs: Inputs) -> int:
    from jaxlint.report.settings_in_force import settings_lines

    files = inputs.discovery.files
    file = files[0] if files else FoundFile(inputs.anchor, inputs.anchor, None)
    write_stdout(settings_lines(file, inputs.configuration))
    return CLEAN
