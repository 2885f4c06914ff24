"""What a probe found as the page for browsers: the model that all reports share, filled from its records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jaxlint.files.read import read_text
from jaxlint.report.paths import PathPrinter
from jaxlint.verify.model import Observation, ProbeCall, ProbedFunction
from jaxlint.verify.probe.probe_errors import error_text
from jaxlint.verify.probe.probe_model import TargetRun
from jaxlint.verify.probe.probe_report import Probed
from jaxlint.verify.probe.proof_table import proof_of
from jaxlint.verify.report.html.document import page_text


def page(probed: Probed, paths: PathPrinter) -> str:
    """The page as text."""
    functions = [_function(run) for module in probed.modules for run in module.targets]
    return page_text(_observation(probed), paths, read_text, lambda rule: proof_of(rule).text, functions)


def _observation(probed: Probed) -> Observation:
    incomplete = tuple(probed.incomplete)
    return Observation(
        command=tuple(probed.command),
        ended="",
        runtime=probed.runtime,
        complete=not incomplete,
        functions=(),
        eager=(),
        findings=tuple(probed.judged),
        problems=incomplete,
        observed=tuple(probed.observed),
    )


def _function(run: TargetRun) -> ProbedFunction:
    compiled = run.compiled or {}
    cost = compiled.get("cost") or {}
    memory = cost.get("memory") or {}
    return ProbedFunction(
        path=run.target.path,
        line=run.target.line,
        name=run.target.qualname,
        calls=tuple(_calls(run)),
        trace_seconds=sum(record["seconds"] for record in run.runs if record.get("mode") in ("trace", "jit")),
        lower_seconds=compiled.get("lower_seconds"),
        compile_seconds=compiled.get("compile_seconds"),
        flops=cost.get("flops"),
        bytes_accessed=cost.get("bytes_accessed"),
        memory={name.removesuffix("_bytes"): size for name, size in memory.items()},
        lowered_for=compiled.get("lowered_for") or {},
        error=compiled.get("error"),
    )


def _calls(run: TargetRun) -> Iterator[ProbeCall]:
    for record in run.runs:
        yield ProbeCall(record.get("mode"), _inputs(record), error_text(record))
    if run.failure is not None:
        yield ProbeCall(None, {}, run.failure)


def _inputs(record: Mapping[str, Any]) -> dict[str, str]:
    """The texts of the arguments, each with where it comes from."""
    inputs = {name: f"{value['text']} ({value['source']})" for name, value in record.get("inputs", {}).items()}
    return inputs or ({"call": f"line {record['site']}"} if record.get("site") else {})
