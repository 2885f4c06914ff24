"""Runs the plans of modules through the sandbox, and goes on with the next target where one ends its process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jaxlint.config import ConfigError
from jaxlint.diagnostics import Diagnostic
from jaxlint.verify.probe.probe_model import FileOutline, Target, TargetRun
from jaxlint.verify.probe.proof_table import proof_of
from jaxlint.verify.probe.sandbox import Child
from jaxlint.verify.probe.targets import ModulePlan
from jaxlint.verify.verify_options import VerifyOptions


class PlatformAbsentError(Exception):
    """The platform asked for is not there; nothing was run."""


@dataclass(slots=True)
class ModuleRun:
    """What came of one module: its targets, or why it could not be imported."""

    plan: ModulePlan
    targets: list[TargetRun] = field(default_factory=list)
    import_error: Mapping[str, Any] | None = None
    failure: str | None = None
    incomplete: bool = False
    imported: Mapping[str, Any] | None = None
    versions: Mapping[str, Any] = field(default_factory=dict)


def outlines(child: Child, paths: Sequence[str]) -> dict[str, FileOutline]:
    """What the user's interpreter reads in the files; nothing of theirs is run. Raises ConfigError."""
    found = {
        record["path"]: FileOutline(
            record["path"],
            record["error"],
            record.get("refused"),
            record.get("functions", ()),
            record.get("loose", ()),
        )
        for record in child.records({"kind": "outline", "paths": list(paths)})
    }
    if child.ending.reason is not None:
        raise ConfigError(f"{child.python} is no Python that can be used: {child.ending.text}")
    return found


def run_module(child: Child, plan: ModulePlan, options: VerifyOptions, texts: Mapping[str, Sequence[str]]) -> ModuleRun:
    """Probe the targets of one module. Raises PlatformAbsentError, and ConfigError for an interpreter without JAX."""
    result = ModuleRun(plan)
    waiting = list(plan.targets)
    while waiting or result.imported is None:
        current = _listen(child, _job(plan, waiting, options, texts), result, waiting)
        if current is None and result.import_error is None and child.ending.reason is not None:
            result.failure = child.ending.text
            result.incomplete = True
        if current is None or result.import_error is not None:
            break
        current.failure = child.ending.text
        current.incomplete = True
    return result


def _listen(child: Child, job: Mapping[str, Any], result: ModuleRun, waiting: list[Target]) -> TargetRun | None:
    """Take in a child's records; the target in which it ended, if it did not end well."""
    current: TargetRun | None = None
    for record in child.records(job):
        match record["event"]:
            case "no-jax":
                raise ConfigError(f"JAX cannot be imported by {child.python}: {record['message']}; see `--python`")
            case "platform-absent":
                raise PlatformAbsentError(_absent(record))
            case "target":
                result.versions = record
            case "imported":
                result.imported = record["run"]
            case "import-failed":
                result.import_error = record
            case "begin":
                target = waiting.pop(0)
                current = TargetRun(target)
                result.targets.append(current)
            case "run" if current is not None:
                current.runs.append(record)
            case "compiled" if current is not None:
                current.compiled = record
            case "end":
                current = None
    if child.ending.reason is None:
        waiting.clear()
    return current


def _absent(record: Mapping[str, Any]) -> str:
    found = f"JAX computes on `{record['found']}` here" if record["found"] else record["message"]
    return f"platform `{record['wanted']}` is absent: {found}"


def _job(
    plan: ModulePlan, targets: Sequence[Target], options: VerifyOptions, texts: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    by_path: dict[str, list[dict[str, Any]]] = {}
    for finding in plan.findings:
        by_path.setdefault(finding.path, []).append(_point(finding, texts[finding.path]))
    traced = [f.fingerprint for f in plan.findings if proof_of(f.rule).traced]
    return {
        "kind": "probe",
        "path": plan.path,
        "module": plan.module,
        "sys_path": list(plan.sys_path),
        "roots": [plan.root],
        "files": sorted({plan.path, *by_path}),
        "points": by_path,
        "platform": options.platform,
        "lower_for": list(options.lower_for),
        "compile": options.platform is not None,
        "execute": options.execute,
        "drops": any(proof_of(f.rule).reads_results for f in plan.findings),
        "targets": [_target(target, traced) for target in targets],
    }


def _target(target: Target, traced: Sequence[str]) -> dict[str, Any]:
    return {
        "id": target.id,
        "qualname": target.qualname,
        "inputs": [{"values": spec.values, "sizes": spec.sizes} for spec in target.specs],
        "points": list(target.findings),
        "traced_points": [point for point in traced if point in target.findings],
    }


def _point(finding: Diagnostic, lines: Sequence[str]) -> dict[str, Any]:
    """A finding's span for the child, with columns in bytes as Python's own trees count them, from 0."""
    span = finding.span
    return {
        "id": finding.fingerprint,
        "line": span.line,
        "end_line": span.end_line,
        "start_byte": _byte(lines, span.line, span.column),
        "end_byte": _byte(lines, span.end_line, span.end_column),
    }


def _byte(lines: Sequence[str], line: int, column: int) -> int:
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    return len(text[: column - 1].encode("utf-8", "surrogatepass"))
