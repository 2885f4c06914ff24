"""Runs the linter's rules on a piece of source, as the rulebook's tests need it."""

from __future__ import annotations

from collections.abc import Mapping

from jaxlint.analysis import analyse
from jaxlint.analysis.domain.findings import AnalysisOptions, Finding, Project
from jaxlint.diagnostics import Confidence, Diagnostic
from jaxlint.engine.reporter import Reporter, Shown
from jaxlint.fixes.edits import choose, put
from jaxlint.rules.rule import Rule, registry
from jaxlint.syntax.positions import LineIndex
from jaxlint.syntax.source import Failure, SourceFile, read


def findings(source: str, *, confidence: Confidence = Confidence.LIKELY) -> list[tuple[SourceFile, Finding]]:
    """What all default rules together say of one module, at least as sure as `confidence`."""
    rules = default_rules()
    module = read("block.py", source.encode(), "block", False)
    assert not isinstance(module, Failure), module
    analysis = analyse(Project({"block.py": module}, lambda _: None), list(rules.values()), AnalysisOptions())
    assert not analysis.failures, analysis.failures
    kept = [f for f in analysis.findings if f.confidence.rank <= confidence.rank]
    return [(module, finding) for finding in kept if not _yields(finding, kept, rules)]


def marked_lines(source: str) -> frozenset[tuple[int, str]]:
    """The (line, slug) pairs of what is found."""
    return frozenset((module.span(f.place.at).line, f.rule) for module, f in findings(source))


def default_rules() -> Mapping[str, Rule]:
    """The rules that are on without any setting."""
    return {slug: rule for slug, rule in registry().items() if rule.enabled}


def _yields(finding: Finding, others: list[Finding], rules: Mapping[str, Rule]) -> bool:
    speaking = {other.rule for other in others if other.place == finding.place}
    return any(slug in speaking for slug in rules[finding.rule].yields_to)


def fixed(source: str, slug: str, target_jax: str | None = None) -> str:
    """What the fixes of one rule, unsafe ones too, make of a module that is for a release of JAX."""
    for _ in range(10):
        fixes = [d.fix for d in diagnostics(source, slug, target_jax) if d.fix and d.fix.applicability.rank < 2]
        chosen, edits = choose(LineIndex(source), fixes)
        if not chosen:
            return source
        source = put(source, edits)
    raise AssertionError(f"the fixes never settle:\n{source}")


def diagnostics(source: str, slug: str, target_jax: str | None = None) -> list[Diagnostic]:
    """What one rule says of a module, as it is reported."""
    rule = registry()[slug]
    module = read("block.py", source.encode(), "block", False)
    assert not isinstance(module, Failure), module
    analysis = analyse(Project({"block.py": module}, lambda _: None), [rule], AnalysisOptions(target_jax=target_jax))
    shown = {"block.py": Shown(frozenset({slug}), Confidence.LIKELY)}
    reporter = Reporter("", {slug: rule}, shown, {"block.py": module}.get)
    found = reporter.diagnostics(analysis.findings)
    assert not reporter.warnings, reporter.warnings
    return found
