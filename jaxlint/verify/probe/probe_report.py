"""The report of a probe: for a person, verdict by verdict; and as the JSON document that all of `verify` writes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from jaxlint.report.paint import Paint
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape, plural
from jaxlint.verify.model import JudgedFinding, ObservedFinding, Runtime, Verdict
from jaxlint.verify.probe.module_runs import ModuleRun
from jaxlint.verify.probe.probe_errors import error_text, unprobed_reason
from jaxlint.verify.report.observed_findings import observed_json, observed_lines

SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Probed:
    """All that a probe found: findings with their verdicts in order of place, and the modules that were run."""

    judged: Sequence[JudgedFinding]
    modules: Sequence[ModuleRun]
    lower_for: Sequence[str]
    command: Sequence[str]
    observed: Sequence[ObservedFinding] = ()

    @property
    def runtime(self) -> Runtime:
        """Where it was run; None for what was not asked of the child."""
        found = next((module.versions for module in self.modules if module.versions), {})
        return Runtime(**{name: found.get(name) for name in ("platform", "device_kind", "jax", "jaxlib", "python")})

    @property
    def incomplete(self) -> list[str]:
        """Why records are missing, one line per process that did not come to its end."""
        reasons = [module.failure for module in self.modules if module.incomplete and module.failure]
        return reasons + [
            f"{run.target.qualname}: {run.failure}"
            for module in self.modules
            for run in module.targets
            if run.incomplete
        ]


def text_lines(probed: Probed, paths: PathPrinter, paint: Paint) -> Iterator[str]:
    """The report for a person."""
    for judged in probed.judged:
        finding = judged.diagnostic
        place = f"{paths(finding.path)}:{finding.span.line}:{finding.span.column}"
        yield f"{paint.strong(place)}: {escape(finding.code)} {escape(finding.rule)}: {escape(finding.message)}"
        yield f"  {paint.strong(judged.verdict.value)}: {escape(judged.evidence)}"
    yield from observed_lines(probed.observed, paths, paint)
    shown = {judged.evidence for judged in probed.judged}
    for module in probed.modules:
        yield from _unprobed_lines(module, paths)
        yield from _compiled_lines(module, paths, shown)
    yield from (f"incomplete: {escape(reason)}" for reason in probed.incomplete)
    yield _summary(probed)


def _unprobed_lines(module: ModuleRun, paths: PathPrinter) -> Iterator[str]:
    """The functions that could not be called, where no verdict says so, and why."""
    plan = module.plan
    refused = plan.refused or module.failure or (module.import_error and error_text(module.import_error))
    if plan.targets and refused and not plan.findings:
        yield f"{paths(plan.path)}: not probed: {escape(str(refused))}"
    for run in (run for run in module.targets if not run.target.findings):
        reasons = [reason for record in run.runs if (reason := unprobed_reason(run.target.qualname, record))]
        if reasons and not any("mode" in record for record in run.runs):
            place = f"{paths(plan.path)}:{run.target.line} {escape(run.target.qualname)}"
            yield f"{place}: not probed: {escape(reasons[0])}"


def _compiled_lines(module: ModuleRun, paths: PathPrinter, shown: set[str]) -> Iterator[str]:
    """What compiling gave, and why a target could not be traced where no evidence says it already."""
    for run in module.targets:
        place = f"{paths(run.target.path)}:{run.target.line} {escape(run.target.qualname)}"
        if run.compiled is None:
            problems = (text for text in _problems(run.runs) if not any(text in evidence for evidence in shown))
            yield from (f"{place}: {escape(text)}" for text in problems)
            continue
        report = run.compiled
        if report.get("error"):
            yield f"{place}: does not compile: {escape(report['error'])}"
        elif "compile_seconds" in report:
            yield f"{place}: {_cost_text(report)}"
        for platform, problem in report["lowered_for"].items():
            yield f"{place}: for {platform}: {'can be lowered' if problem is None else escape(problem)}"


def _problems(runs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What ended the call, in one line, where no call came to its end and no defect says why."""
    called = [run for run in runs if "mode" in run]
    if called and all(run["error"] and not run["observed"] for run in called):
        yield str(error_text(called[0]))[:200]


def _cost_text(report: Mapping[str, Any]) -> str:
    cost = report["cost"]
    parts = [f"compiled in {report['compile_seconds']:.2f} s (lowered in {report['lower_seconds']:.2f} s)"]
    if cost["flops"] is not None:
        parts.append(f"{cost['flops']:,.0f} flops")
    if cost["bytes_accessed"] is not None:
        parts.append(f"{cost['bytes_accessed']:,.0f} bytes read and written")
    if cost["memory"]["temp_bytes"] is not None:
        memory = cost["memory"]
        total = sum(memory[name] or 0 for name in ("argument_bytes", "output_bytes", "temp_bytes"))
        parts.append(f"{total:,} bytes of memory")
    return ", ".join(parts)


def _summary(probed: Probed) -> str:
    counts = Counter(judged.verdict for judged in probed.judged)
    shown = ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict])
    jax, platform = probed.runtime.jax, probed.runtime.platform
    where = [f"JAX {jax}" if jax else "", f"on {platform}" if platform else ""]
    place = " ".join(filter(None, where))
    found = f"{plural(len(probed.judged), 'finding')}: {shown}" if probed.judged else ""
    calls = [any("mode" in record for record in run.runs) for module in probed.modules for run in module.targets]
    functions = f"{plural(sum(calls), 'function')} probed" if any(calls) and not probed.judged else ""
    observed = f"{len(probed.observed)} observed" if probed.observed or functions else ""
    said = ", ".join(filter(None, (found, functions, observed))) or "nothing to prove"
    return said + (f" ({place})" if place else "")


def document(probed: Probed, paths: PathPrinter) -> dict[str, Any]:
    """The JSON document."""
    return {
        "schema_version": SCHEMA_VERSION,
        "target": asdict(probed.runtime),
        "command": list(probed.command),
        "complete": not probed.incomplete,
        "ended": probed.incomplete[0] if probed.incomplete else "all targets were probed",
        "functions": [entry for module in probed.modules for entry in _functions(module, paths)],
        "eager": [],
        "findings": [
            *(_finding(judged, paths) for judged in probed.judged),
            *(observed_json(observed, paths) for observed in probed.observed),
        ],
    }


def json_lines(probed: Probed, paths: PathPrinter) -> Iterator[str]:
    """The JSON document as text."""
    yield json.dumps(document(probed, paths), indent=2)


def _functions(module: ModuleRun, paths: PathPrinter) -> Iterator[dict[str, Any]]:
    for run in module.targets:
        compiled = run.compiled or {}
        traced = [record for record in run.runs if record.get("mode") in ("trace", "jit")]
        yield {
            "path": paths.relative(run.target.path),
            "line": run.target.line,
            "name": run.target.qualname,
            "calls": None,
            "traces": len(traced),
            "lowerings": int("lower_seconds" in compiled),
            "compiles": int("compile_seconds" in compiled),
            "cache_hits": 0,
            "trace_seconds": sum(record["seconds"] for record in traced),
            "lower_seconds": compiled.get("lower_seconds", 0.0),
            "compile_seconds": compiled.get("compile_seconds", 0.0),
            "misses": [],
            "cost": compiled.get("cost"),
            "lowered_for": compiled.get("lowered_for"),
            "error": compiled.get("error"),
            "probes": [_probe(record) for record in run.runs],
        }


def _probe(record: Mapping[str, Any]) -> dict[str, Any]:
    """How one probe was made and ended."""
    return {"mode": record.get("mode"), "inputs": record.get("inputs", {}), "error": error_text(record)}


def _finding(judged: JudgedFinding, paths: PathPrinter) -> dict[str, Any]:
    finding = judged.diagnostic
    return {
        "rule": finding.rule,
        "path": paths.relative(finding.path),
        "line": finding.span.line,
        "column": finding.span.column,
        "fingerprint": finding.fingerprint,
        "message": finding.message,
        "source": "check",
        "verdict": judged.verdict.value,
        "evidence": judged.evidence,
    }
