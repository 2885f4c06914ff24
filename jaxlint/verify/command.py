"""`jaxlint verify`: which of its two ways is meant, what it is going to do, and the exit code."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from jaxlint.config.errors import ConfigError
from jaxlint.diagnostics import Confidence, Diagnostic
from jaxlint.engine.check_paths import check_paths
from jaxlint.engine.command_line import SettingsOptions, working_directory
from jaxlint.engine.exit_codes import CLEAN, GATE_FAILED, INCOMPLETE
from jaxlint.files.console import refuse_unwritable, warn, write_file, write_stderr, write_stdout
from jaxlint.report.paint import Paint, wants_color
from jaxlint.report.paths import PathPrinter
from jaxlint.report.progress_bar import shown_on
from jaxlint.text import escape
from jaxlint.verify.gates import failures
from jaxlint.verify.model import JudgedFinding, Observation, Verdict
from jaxlint.verify.provable import provable
from jaxlint.verify.verify_options import VerifyOptions

#: Options that speak of single functions, not of a whole program.
_PROBE_ONLY: Final = ("probe", "arg", "recorded", "execute", "python", "platform", "lower_for")
#: Options that speak of a whole program.
_OBSERVE_ONLY: Final = ("count_calls", "max_recompiles")


def run_verify(command: Sequence[str] | None, options: VerifyOptions) -> int:
    """Observe `command`, or probe functions where there is none; the exit code."""
    for destination in options.destinations:
        refuse_unwritable(os.path.join(working_directory(), destination))
    if command is not None:
        _refuse(options, _PROBE_ONLY, "belongs to --probe and cannot be used with a command")
        if not command:
            raise ConfigError("a command is needed after `--`, such as `-- python train.py`")
        return _observe(command, options)
    _refuse(options, _OBSERVE_ONLY, "needs a command to observe: jaxlint verify ... -- python train.py")
    if not options.paths and not options.probe:
        raise ConfigError("nothing to verify: give paths, --probe PATH::FUNCTION, or a command after `--`")
    from jaxlint.verify.probe.probe_command import run_probe

    return run_probe(options)


def _refuse(options: VerifyOptions, names: Sequence[str], why: str) -> None:
    given = next((name for name in names if getattr(options, name)), None)
    if given is not None:
        raise ConfigError(f"--{given.replace('_', '-')} {why}")


def _observe(command: Sequence[str], options: VerifyOptions) -> int:
    from jaxlint.verify.observe.observe import observe

    directory = working_directory()
    checked = list(options.paths) or default_paths(command, directory)
    first = f" after checking {', '.join(map(escape, checked))}" if checked else ""
    line = escape(shlex.join(command))
    write_stderr(f"jaxlint: verify runs `{line}`{first}, with an observer in its Python processes")
    checked_at = time.time()
    findings, budgets = _check(checked, options.settings)
    observation, ended = observe(
        command, findings, checked_at=checked_at, count_calls=options.count_calls, timeout=options.timeout
    )
    observation = replace(observation, findings=tuple(f for f in observation.findings if _is_shown(f)))
    _report(observation, PathPrinter(directory), options)
    if options.html:
        _write_page(observation, PathPrinter(directory), options.html)
    _store(observation, directory, options)
    failed = failures(observation, options, budgets)
    for failure in failed:
        write_stderr(f"jaxlint: {escape(failure)}")
    if ended.code:
        return ended.code
    if failed:
        return GATE_FAILED
    return CLEAN if observation.complete else INCOMPLETE


def default_paths(command: Sequence[str], directory: str) -> list[str]:
    """What is checked where no paths are given: the project of the script or notebook, or it alone outside of any."""
    from jaxlint.config.roots import marked_root
    from jaxlint.verify.observe.cells import named_notebooks
    from jaxlint.verify.observe.watch_list import parse_python

    notebooks = named_notebooks(command, directory)
    if notebooks:
        return list(dict.fromkeys(marked_root(os.path.dirname(path)) or path for path in notebooks))
    python = parse_python(command)
    if python is None or python.script is None:
        root = marked_root(directory)
        return [root] if root else []
    script = os.path.abspath(os.path.join(directory, python.script))
    return [marked_root(os.path.dirname(script)) or script]


def _check(paths: Sequence[str], options: SettingsOptions) -> tuple[tuple[Diagnostic, ...], Mapping[str, int]]:
    """The findings, those that are only possible among them: a run can settle them. And the budgets of the project."""
    if not paths:
        return (), {}
    wanted = replace(options, min_confidence=options.min_confidence or "possible")
    with shown_on(sys.stderr, os.environ):
        inputs, result = check_paths(paths, wanted)
    roots = {file.root for file in inputs.discovery.files}
    budgets: dict[str, int] = {}
    for root in sorted(roots):
        budgets.update(inputs.configuration.analysis(root).budgets)
    kept, warnings = provable(result.diagnostics, probed=False)
    warn(warnings)
    return kept, budgets


def _is_shown(finding: JudgedFinding) -> bool:
    """What is only possible is worth a line when the run confirms it."""
    return finding.diagnostic.confidence is not Confidence.POSSIBLE or finding.verdict is Verdict.CONFIRMED


def _store(observation: Observation, directory: str, options: VerifyOptions) -> None:
    if options.verdicts:
        from jaxlint.verify.store import store_lines

        path = os.path.join(directory, options.verdicts)
        root, jax = os.path.dirname(path), observation.runtime.jax
        write_file(path, store_lines(observation.findings, observation.command, jax, root))


def _write_page(observation: Observation, paths: PathPrinter, destination: str) -> None:
    from jaxlint.files.read import read_text
    from jaxlint.verify.report.html.document import page_text
    from jaxlint.verify.run_proofs import RUN_PROOFS

    def proof(rule: str) -> str | None:
        return RUN_PROOFS[rule].text if rule in RUN_PROOFS else None

    page = page_text(observation, paths, read_text, proof)
    write_file(os.path.join(paths.working_directory, destination), [page])
    write_stderr(f"jaxlint: the report as a page: {escape(destination)}")


def _report(observation: Observation, paths: PathPrinter, options: VerifyOptions) -> None:
    """Text to standard error, where the program's own output is not; JSON to a file, or as the last line of output."""
    destination = options.output_file
    if options.report_format == "json":
        from jaxlint.verify.report.verify_json import json_text

        text = json_text(observation, paths, indent=2 if destination else None)
        if destination:
            write_file(os.path.join(paths.working_directory, destination), [text])
        else:
            write_stdout([text])
        return
    from jaxlint.verify.report.terminal import text_lines

    paint = Paint(wants_color(options.color, None if destination else sys.stderr, os.environ))
    lines = list(text_lines(observation, paths, paint))
    if destination:
        write_file(os.path.join(paths.working_directory, destination), lines)
    else:
        write_stderr("\n".join(("", *lines)))
