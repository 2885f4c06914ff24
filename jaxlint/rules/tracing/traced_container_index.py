"""traced-container-index: Python containers cannot be indexed by a traced value."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.events.tracing import IntegerNeeded
from jaxlint.diagnostics import Category, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.rule import rule
from jaxlint.rules.tracing._fix_containers import as_array


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """An array of the elements, or `jax.lax.switch` over functions."""
    return as_array(code, request.at, holds=request.words[0], is_certain=request.is_certain)


@rule("traced-container-index", code="JX310", category=Category.CORRECTNESS, on=IntegerNeeded, fix=_fix)
def traced_container_index(need: IntegerNeeded) -> Iterator[Finding]:
    """A traced value indexes or slices a list, tuple, string or range."""
    if need.use not in ("index", "slice"):
        return
    verb = "slice" if need.use == "slice" else "index"
    message = f"Python needs an integer to {verb} a {need.container}, but `{need.operand.text}` is traced"
    is_fixable = need.use == "index" and need.container in ("list", "tuple")
    fix = need.fix_request(words=(need.holds,)) if is_fixable else None
    yield need.diagnostic(message, notes=need.operand.evidence, confidence=need.confidence, fix=fix)
