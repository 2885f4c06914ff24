"""What a probe does from its options to its exit code."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from jaxlint.config import ConfigError, suggestion
from jaxlint.diagnostics import Diagnostic
from jaxlint.engine.exit_codes import CLEAN, GATE_FAILED, INCOMPLETE, PLATFORM_ABSENT
from jaxlint.files.console import warn, write_file, write_stderr, write_stdout
from jaxlint.files.read import read_text
from jaxlint.report.paint import Paint, wants_color
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape, plural
from jaxlint.verify.probe.module_runs import ModuleRun, PlatformAbsentError, outlines, run_module
from jaxlint.verify.probe.probe_model import PLATFORMS, FileOutline
from jaxlint.verify.probe.probe_observed import observed_findings
from jaxlint.verify.probe.probe_report import Probed, json_lines, text_lines
from jaxlint.verify.probe.probe_verdicts import judge_probe
from jaxlint.verify.probe.sandbox import Child
from jaxlint.verify.probe.static_check import Checked, check_files
from jaxlint.verify.probe.targets import GivenInputs, ModulePlan, command_line_inputs, plan_module, recorded_inputs
from jaxlint.verify.provable import is_module, provable
from jaxlint.verify.sources import has_changed
from jaxlint.verify.verify_options import VerifyOptions

#: Seconds without a word from the child after which it is ended; the import of JAX and of the module count too.
_TIMEOUT: Final = 120.0
_LINE_END: Final = re.compile(r"\r\n|\r|\n")


def run_probe(options: VerifyOptions) -> int:
    """Check, probe, report.

    Returns 0; 1 when a verdict is `fail_on`; 3 when the platform is absent and nothing was run;
    4 when a probed process ended before its time. Raises ConfigError for wrong use.
    """
    _refuse_wrong_use(options)
    wanted = _wanted(options)
    checked_at = time.time()
    checked = check_files(options.settings, [*wanted, *options.paths])
    warn(checked.warnings)
    try:
        with Child(_python(options), options.platform, options.timeout or _TIMEOUT) as child:
            plans = _plans(options, checked, wanted, child)
            _announce(plans, options)
            probed = _probed(options, plans, child, checked_at)
    except PlatformAbsentError as absent:
        write_stderr(f"jaxlint: {escape(str(absent))}; nothing was run")
        return PLATFORM_ABSENT
    paths = PathPrinter(checked.working_directory)
    _write(options, probed, paths)
    if options.verdicts:
        _store(probed, os.path.join(checked.working_directory, options.verdicts))
    if options.html:
        from jaxlint.verify.probe.probe_page import page

        write_file(os.path.join(paths.working_directory, options.html), [page(probed, paths)])
        write_stderr(f"jaxlint: the report as a page: {escape(options.html)}")
    if probed.incomplete:
        return INCOMPLETE
    has_failed = any(judged.verdict.value == options.fail_on for judged in probed.judged)
    has_failed |= options.fail_on == "observed" and bool(probed.observed)
    return GATE_FAILED if has_failed else CLEAN


def _refuse_wrong_use(options: VerifyOptions) -> None:
    if not options.probe and not options.paths:
        raise ConfigError("name files or folders to probe, or one function: `--probe PATH::FUNCTION`")
    if options.arg and not options.probe:
        raise ConfigError("needs `--probe`: it says what the arguments of one function are", key="--arg")
    for option, names in (
        ("--platform", [options.platform] if options.platform else []),
        ("--lower-for", options.lower_for),
    ):
        _refuse_unknown(names, PLATFORMS, option)


def _refuse_unknown(names: Iterable[str], known: Sequence[str], option: str) -> None:
    for name in names:
        if name not in known:
            raise ConfigError(f"`{name}` is none of {', '.join(known)}{suggestion(name, known)}", key=option)


def _wanted(options: VerifyOptions) -> dict[str, list[str]]:
    """The functions asked for by name, for each path; a path without a name asks for all of its functions."""
    result: dict[str, list[str]] = {}
    for target in options.probe:
        path, separator, qualname = target.partition("::")
        if not path or (separator and not qualname):
            raise ConfigError(f"`{target}` is not of the form PATH or PATH::FUNCTION", key="--probe")
        if separator and not is_module(path):
            raise ConfigError("is no module: a run imports what it probes", path)
        if os.path.isdir(path) and separator:
            raise ConfigError(f"{path} is a folder: name the file that holds `{qualname}`", key="--probe")
        if os.path.isdir(path):
            for inner in sorted(Path(path).rglob("*.py")):
                result.setdefault(str(inner), [])
            continue
        result.setdefault(path, []).extend([qualname] if separator else [])
    return result


def _plans(
    options: VerifyOptions, checked: Checked, wanted: Mapping[str, Sequence[str]], child: Child
) -> list[ModulePlan]:
    """One plan for each file that has something to probe, in order of path."""
    given = GivenInputs(command_line_inputs(options.arg), recorded_inputs(options.recorded))
    named = {os.path.normpath(os.path.join(checked.working_directory, path)): names for path, names in wanted.items()}
    by_path: dict[str, list[Diagnostic]] = {path: [] for path in named if is_module(path)}
    kept, warnings = provable(checked.diagnostics)
    warn(warnings)
    for diagnostic in kept:
        by_path.setdefault(diagnostic.path, []).append(diagnostic)
    if not by_path:
        return []
    found = outlines(child, sorted(by_path))
    plans = []
    for path, findings in sorted(by_path.items()):
        outline = found[path]
        _refuse_unreadable(outline, asked=path in named)
        root = checked.roots[path]
        settings = checked.configuration.analysis(root)
        plans.append(plan_module(outline, named.get(path), findings, root, settings, given))
        warn(_loose(outline, path))
    if options.recorded and not any(path in by_path for path, _ in given.recorded):
        warn([f"{options.recorded} holds no inputs of what is probed here: was it made in another folder?"])
    return plans


def _refuse_unreadable(outline: FileOutline, *, asked: bool) -> None:
    if outline.error is not None and asked:
        raise ConfigError(f"the chosen Python cannot read this file: {outline.error}", outline.path)


def _loose(outline: FileOutline, path: str) -> list[str]:
    return [f"{path}:{line}: this spec stands above no function and is not used" for line in outline.loose]


def _python(options: VerifyOptions) -> str:
    return os.path.expanduser(options.python) if options.python else sys.executable


def _announce(plans: Sequence[ModulePlan], options: VerifyOptions) -> None:
    """Say what is going to be run, before it is."""
    run = [plan for plan in plans if (plan.targets or plan.findings) and not plan.refused]
    count = sum(len(plan.targets) for plan in run)
    if run:
        how = "traces and executes" if options.execute else "traces"
        what = f"imports {plural(len(run), 'module')} and {how} {plural(count, 'function')}"
        write_stderr(f"jaxlint: {escape(_python(options))} {what}")


def _probed(options: VerifyOptions, plans: Sequence[ModulePlan], child: Child, checked_at: float) -> Probed:
    texts = {plan.path: _LINE_END.split(read_text(plan.path) or "") for plan in plans}
    modules = []
    for plan in plans:
        runnable = (plan.targets or plan.findings) and not plan.refused
        if runnable and has_changed(plan.path, checked_at):
            modules.append(ModuleRun(plan, failure="it has changed since the check"))
        else:
            modules.append(run_module(child, plan, options, texts) if runnable else ModuleRun(plan))
    judged = [
        judge_probe(finding, module, _segment(finding, texts[finding.path]))
        for module in modules
        for finding in module.plan.findings
    ]
    judged.sort(key=lambda each: each.diagnostic.sort_key)
    return Probed(judged, modules, options.lower_for, _command(options), observed_findings(modules, judged))


def _command(options: VerifyOptions) -> list[str]:
    """What was asked, which says where the inputs of a verdict came from."""
    recorded = [f"--recorded={options.recorded}"] if options.recorded else []
    named = [*(f"--probe={target}" for target in options.probe), *(f"--arg={text}" for text in options.arg)]
    return [_python(options), *named, *recorded, *options.paths]


def _segment(finding: Diagnostic, lines: Sequence[str]) -> str:
    """The source of a finding's span."""
    span = finding.span
    chosen = list(lines[span.line - 1 : span.end_line])
    if not chosen:
        return ""
    chosen[-1] = chosen[-1][: span.end_column - 1]
    chosen[0] = chosen[0][span.column - 1 :]
    return "\n".join(chosen)


def _write(options: VerifyOptions, probed: Probed, paths: PathPrinter) -> None:
    stream = None if options.output_file else sys.stdout
    if options.report_format == "json":
        lines = list(json_lines(probed, paths))
    else:
        lines = list(text_lines(probed, paths, Paint(wants_color(options.color, stream, os.environ))))
    if options.output_file:
        write_file(os.path.join(paths.working_directory, options.output_file), lines)
    else:
        write_stdout(lines)


def _store(probed: Probed, path: str) -> None:
    from jaxlint.verify.store import store_lines

    write_file(path, store_lines(probed.judged, probed.command, probed.runtime.jax, os.path.dirname(path)))
