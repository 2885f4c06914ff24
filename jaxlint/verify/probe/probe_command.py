"""What a probe does from its request to its exit code."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from jaxlint.config import ConfigError, suggestion
from jaxlint.diagnostics import Diagnostic
from jaxlint.files.console import write_file, write_stderr, write_stdout
from jaxlint.files.read import read_text
from jaxlint.report.paint import Paint, wants_color
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape, plural
from jaxlint.verify.model import JudgedFinding, Verdict
from jaxlint.verify.probe.checking import Checked, check_files
from jaxlint.verify.probe.probe_verdicts import judge
from jaxlint.verify.probe.report import Probed, json_lines, text_lines
from jaxlint.verify.probe.request import PLATFORMS, VERDICTS, FileOutline, ProbeRequest
from jaxlint.verify.probe.running import ModuleRun, PlatformAbsentError, outlines, run_module
from jaxlint.verify.probe.sandbox import Child
from jaxlint.verify.probe.targets import GivenInputs, ModulePlan, command_line_inputs, plan_module, recorded_inputs
from jaxlint.verify.provable import is_module, provable
from jaxlint.verify.sources import has_changed

CLEAN: Final = 0
GATE_FAILED: Final = 1
PLATFORM_ABSENT: Final = 3
INCOMPLETE: Final = 4
_LINE_END: Final = re.compile(r"\r\n|\r|\n")


def run(request: ProbeRequest) -> int:
    """Check, probe, report.

    Returns 0; 1 when a verdict of `fail_on` is among those found; 3 when the platform is absent and nothing was run;
    4 when a probed process ended before its time. Raises ConfigError for wrong use.
    """
    _refuse_wrong_use(request)
    wanted = _wanted(request)
    checked_at = time.time()
    checked = check_files(request, [*wanted, *request.paths])
    _warn(checked.warnings)
    try:
        with Child(_python(request), request.platform, request.timeout) as child:
            plans = _plans(request, checked, wanted, child)
            _announce(plans, request)
            probed = _probed(request, plans, child, checked_at)
    except PlatformAbsentError as absent:
        write_stderr(f"jaxlint: {escape(str(absent))}; nothing was run")
        return PLATFORM_ABSENT
    paths = PathPrinter(checked.working_directory)
    _write(request, probed, paths)
    if request.verdicts:
        _store(probed, os.path.join(checked.working_directory, request.verdicts))
    if request.html:
        from jaxlint.verify.probe.probe_page import page

        write_file(os.path.join(paths.working_directory, request.html), [page(probed, paths)])
        write_stderr(f"jaxlint: the report as a page: {escape(request.html)}")
    if probed.incomplete:
        return INCOMPLETE
    return GATE_FAILED if any(j.verdict in request.fail_on for _, j in probed.judged) else CLEAN


def _refuse_wrong_use(request: ProbeRequest) -> None:
    if not request.targets and not request.paths:
        raise ConfigError("name files or folders to probe, or one function: `--probe PATH::FUNCTION`")
    if request.args and not request.targets:
        raise ConfigError("needs `--probe`: it says what the arguments of one function are", key="--arg")
    for option, names in (
        ("--platform", [request.platform] if request.platform else []),
        ("--lower-for", request.lower_for),
    ):
        _refuse_unknown(names, PLATFORMS, option)
    _refuse_unknown(request.fail_on, VERDICTS, "--fail-on")
    if request.timeout <= 0:
        raise ConfigError("expected a number of seconds above 0", key="--timeout")


def _refuse_unknown(names: Iterable[str], known: Sequence[str], option: str) -> None:
    for name in names:
        if name not in known:
            raise ConfigError(f"`{name}` is none of {', '.join(known)}{suggestion(name, known)}", key=option)


def _wanted(request: ProbeRequest) -> dict[str, list[str]]:
    """The functions asked for by name, for each path; a path without a name asks for all that is flagged in it."""
    result: dict[str, list[str]] = {}
    for target in request.targets:
        path, separator, qualname = target.partition("::")
        if not path or (separator and not qualname):
            raise ConfigError(f"`{target}` is not of the form PATH or PATH::FUNCTION", key="--probe")
        if separator and not is_module(path):
            raise ConfigError("is no module: a run imports what it probes", path)
        if os.path.isdir(path) and separator:
            raise ConfigError(f"{path} is a folder: name the file that holds `{qualname}`", key="--probe")
        result.setdefault(path, []).extend([qualname] if separator else [])
    return result


def _plans(
    request: ProbeRequest, checked: Checked, wanted: Mapping[str, Sequence[str]], child: Child
) -> list[ModulePlan]:
    """One plan for each file that has something to probe, in order of path."""
    given = GivenInputs(command_line_inputs(request.args), recorded_inputs(request.recorded))
    named = {os.path.normpath(os.path.join(checked.working_directory, path)): names for path, names in wanted.items()}
    by_path: dict[str, list[Diagnostic]] = {path: [] for path, names in named.items() if names}
    kept, warnings = provable(checked.diagnostics)
    _warn(warnings)
    for diagnostic in kept:
        by_path.setdefault(diagnostic.path, []).append(diagnostic)
    if not by_path:
        return []
    found = outlines(child, sorted(by_path))
    plans = []
    for path, findings in sorted(by_path.items()):
        outline = found[path]
        _refuse_unreadable(outline, named.get(path, ()))
        root = checked.roots[path]
        settings = checked.configuration.analysis(root)
        plans.append(plan_module(outline, named.get(path, ()), findings, root, settings, given))
        _warn(_loose(outline, path))
    if request.recorded and not any(path in by_path for path, _ in given.recorded):
        _warn([f"{request.recorded} holds no inputs of what is probed here: was it made in another folder?"])
    return plans


def _refuse_unreadable(outline: FileOutline, names: Sequence[str]) -> None:
    if outline.error is not None and names:
        raise ConfigError(f"the chosen Python cannot read this file: {outline.error}", outline.path)


def _loose(outline: FileOutline, path: str) -> list[str]:
    return [f"{path}:{line}: this spec stands above no function and is not used" for line in outline.loose]


def _python(request: ProbeRequest) -> str:
    return os.path.expanduser(request.python) if request.python else sys.executable


def _announce(plans: Sequence[ModulePlan], request: ProbeRequest) -> None:
    """Say what is going to be run, before it is."""
    run = [plan for plan in plans if (plan.targets or plan.findings) and not plan.refused]
    count = sum(len(plan.targets) for plan in run)
    if run:
        how = "traces and executes" if request.execute else "traces"
        what = f"imports {plural(len(run), 'module')} and {how} {plural(count, 'function')}"
        write_stderr(f"jaxlint: {escape(_python(request))} {what}")


def _probed(request: ProbeRequest, plans: Sequence[ModulePlan], child: Child, checked_at: float) -> Probed:
    texts = {plan.path: _LINE_END.split(read_text(plan.path) or "") for plan in plans}
    modules = []
    for plan in plans:
        runnable = (plan.targets or plan.findings) and not plan.refused
        if runnable and has_changed(plan.path, checked_at):
            modules.append(ModuleRun(plan, failure="it has changed since the check"))
        else:
            modules.append(run_module(child, plan, request, texts) if runnable else ModuleRun(plan))
    judged = [
        (finding, judge(finding, module, _segment(finding, texts[finding.path])))
        for module in modules
        for finding in module.plan.findings
    ]
    judged.sort(key=lambda pair: pair[0].sort_key)
    return Probed(judged, modules, request.lower_for, _command(request))


def _command(request: ProbeRequest) -> list[str]:
    """What was asked, which says where the inputs of a verdict came from."""
    recorded = [f"--recorded={request.recorded}"] if request.recorded else []
    named = [*(f"--probe={target}" for target in request.targets), *(f"--arg={text}" for text in request.args)]
    return [_python(request), *named, *recorded, *request.paths]


def _segment(finding: Diagnostic, lines: Sequence[str]) -> str:
    """The source of a finding's span."""
    span = finding.span
    chosen = list(lines[span.line - 1 : span.end_line])
    if not chosen:
        return ""
    chosen[-1] = chosen[-1][: span.end_column - 1]
    chosen[0] = chosen[0][span.column - 1 :]
    return "\n".join(chosen)


def _write(request: ProbeRequest, probed: Probed, paths: PathPrinter) -> None:
    stream = None if request.output_file else sys.stdout
    if request.output_format == "json":
        lines = list(json_lines(probed, paths))
    else:
        lines = list(text_lines(probed, paths, Paint(wants_color(request.color, stream, os.environ))))
    if request.output_file:
        write_file(os.path.join(paths.working_directory, request.output_file), lines)
    else:
        write_stdout(lines)


def _store(probed: Probed, path: str) -> None:
    from jaxlint.verify.store import store_lines

    judged = [JudgedFinding(finding, Verdict(j.verdict), j.evidence) for finding, j in probed.judged]
    write_file(path, store_lines(judged, probed.command, probed.target["jax"], os.path.dirname(path)))


def _warn(warnings: Iterable[str]) -> None:
    for warning in dict.fromkeys(warnings):
        write_stderr(f"jaxlint: warning: {escape(warning)}")
