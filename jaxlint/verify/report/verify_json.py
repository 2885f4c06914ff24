"""The JSON of `verify`, schema version 1, as described by `verify_schema_v1.json` beside this file."""

from __future__ import annotations

import json
from typing import Any

from jaxlint.report.paths import PathPrinter
from jaxlint.verify.model import Difference, EagerLine, FunctionCounts, JudgedFinding, Miss, Observation, Site
from jaxlint.verify.report.observed_findings import observed_json, place_json

SCHEMA_VERSION = 1


def json_document(observation: Observation, paths: PathPrinter) -> dict[str, Any]:
    """The report as plain data."""
    runtime = observation.runtime
    return {
        "schema_version": SCHEMA_VERSION,
        "target": {
            "platform": runtime.platform,
            "device_kind": runtime.device_kind,
            "jax": runtime.jax,
            "jaxlib": runtime.jaxlib,
            "python": runtime.python,
        },
        "command": list(observation.command),
        "complete": observation.complete,
        "ended": observation.ended,
        "seconds": round(observation.seconds, 3),
        "problems": list(observation.problems),
        "processes": observation.processes,
        "compilations": {"announced": observation.announced, "counted": observation.counted},
        "functions": [_function(function, paths) for function in observation.functions],
        "eager": [_eager(line, paths) for line in observation.eager],
        "findings": [
            *(_finding(finding, paths) for finding in observation.findings),
            *(observed_json(finding, paths) for finding in observation.observed),
        ],
    }


def json_text(observation: Observation, paths: PathPrinter, *, indent: int | None = None) -> str:
    """The report as one JSON document in ASCII."""
    return json.dumps(json_document(observation, paths), indent=indent)


def _function(function: FunctionCounts, paths: PathPrinter) -> dict[str, Any]:
    return {
        **place_json(function.path, function.line, paths),
        "name": function.name,
        "calls": function.calls,
        "traces": function.traces,
        "lowerings": function.lowerings,
        "compiles": function.compiles,
        "cache_hits": function.cache_hits,
        "trace_seconds": function.trace_seconds,
        "lower_seconds": function.lower_seconds,
        "compile_seconds": function.compile_seconds,
        "recompilations": len(function.recompilations),
        "seconds_lost": round(function.seconds_lost, 6),
        "inputs": list(function.inputs),
        "misses": [_miss(miss, paths) for miss in function.misses],
    }


def _miss(miss: Miss, paths: PathPrinter) -> dict[str, Any]:
    return {
        **_difference(miss.difference),
        "also": [_difference(difference) for difference in miss.also],
        "call": _site(miss.call, paths),
        "seconds": round(miss.seconds, 6),
        "parts": dict(zip(("trace", "lower", "compile"), (round(part, 6) for part in miss.parts), strict=True)),
        "transform": miss.transform,
        "nested": miss.nested,
        "traced": miss.traced,
        "recompilation": miss.is_recompilation,
        "at": round(miss.at, 6),
        "process": miss.process,
        "calls": miss.calls,
        "error": miss.error,
    }


def _difference(difference: Difference) -> dict[str, str | None]:
    return {
        "reason": difference.reason,
        "argument": difference.argument,
        "before": difference.before,
        "now": difference.now,
    }


def _site(site: Site | None, paths: PathPrinter) -> dict[str, Any] | None:
    return None if site is None else place_json(site.path, site.line, paths)


def _eager(line: EagerLine, paths: PathPrinter) -> dict[str, Any]:
    return {
        **place_json(line.path, line.line, paths),
        "ops": dict(line.ops),
        "compiles": line.compiles,
        "seconds": line.seconds,
    }


def _finding(finding: JudgedFinding, paths: PathPrinter) -> dict[str, Any]:
    diagnostic = finding.diagnostic
    return {
        "rule": diagnostic.rule,
        **place_json(diagnostic.path, diagnostic.span.line, paths),
        "column": diagnostic.span.column,
        "fingerprint": diagnostic.fingerprint,
        "message": diagnostic.message,
        "source": "check",
        "verdict": finding.verdict.value,
        "evidence": finding.evidence,
    }
