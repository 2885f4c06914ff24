"""What probes showed that no finding of the check is about: each defect once, over all runs of all targets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jaxlint.verify.model import JudgedFinding, ObservedFinding, Verdict
from jaxlint.verify.probe.case import inputs_text
from jaxlint.verify.probe.module_runs import ModuleRun


def observed_findings(modules: Sequence[ModuleRun], judged: Sequence[JudgedFinding]) -> tuple[ObservedFinding, ...]:
    """The defects that probes showed on their own, by place."""
    found: dict[tuple[str, int, str], ObservedFinding] = {}
    counts: Counter[tuple[str, int, str]] = Counter()
    for record in _records(modules):
        for hazard in record.get("observed", ()):
            key = (hazard["path"], hazard["line"], hazard["rule"])
            counts[key] += 1
            if key not in found and not any(_is_about(finding, key) for finding in judged):
                found[key] = _observed(hazard, record)
    return tuple(found[key] for key in sorted(found))


def _records(modules: Sequence[ModuleRun]) -> Iterator[Mapping[str, Any]]:
    for module in modules:
        yield from filter(None, [module.import_error])
        for run in module.targets:
            yield from run.runs


def _is_about(finding: JudgedFinding, key: tuple[str, int, str]) -> bool:
    """Whether the check has reported it: at the same line by the same rule, or by one that the probe confirmed."""
    path, line, rule = key
    diagnostic = finding.diagnostic
    is_here = diagnostic.path == path and diagnostic.span.line <= line <= diagnostic.span.end_line
    return is_here and (diagnostic.rule == rule or finding.verdict is Verdict.CONFIRMED)


def _observed(hazard: Mapping[str, Any], record: Mapping[str, Any]) -> ObservedFinding:
    how = "traced as `jax.jit` would" if hazard["own"] else "traced by the program"
    called = f"{inputs_text(record).strip() or 'called without arguments'} ({how})"
    if "mode" not in record:
        called = "when the module is imported"
    evidence = tuple(text for text in (hazard["evidence"], called) if text)
    return ObservedFinding(hazard["rule"], hazard["path"], hazard["line"], None, hazard["message"], evidence)
