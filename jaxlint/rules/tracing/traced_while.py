"""traced-while: a Python `while` cannot loop on a value that JAX is tracing."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.events.tracing import Branch
from jaxlint.diagnostics import Category, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.rule import rule
from jaxlint.rules.tracing._fix_loops import conditional
from jaxlint.rules.tracing._fix_reverse import is_reversed


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """`jax.lax.while_loop`, where the block only computes names."""
    return conditional(code, request.at)


@rule("traced-while", code="JX302", category=Category.CORRECTNESS, on=Branch, fix=_fix)
def traced_while(branch: Branch) -> Iterator[Finding]:
    """Python `while` on a value that JAX is tracing."""
    if branch.keyword != "while":
        return
    message = f"`while` needs the value of `{branch.test.text}` in each iteration, which is traced"
    fix = None if is_reversed(branch.trace) else branch.fix_request()
    yield branch.diagnostic(message, notes=branch.test.evidence, confidence=branch.test.confidence, fix=fix)
