"""traced-while: a Python `while` cannot loop on a value that JAX is tracing."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.tracing import Branch
from jaxlint.analysis.findings import Finding
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("traced-while", code="JX302", category=Category.CORRECTNESS, on=Branch)
def traced_while(branch: Branch) -> Iterator[Finding]:
    """Python `while` on a value that JAX is tracing."""
    if branch.keyword != "while":
        return
    message = f"`while` needs the value of `{branch.test.text}` at each step, which is traced"
    yield branch.diagnostic(message, notes=branch.test.evidence, confidence=branch.test.confidence)
