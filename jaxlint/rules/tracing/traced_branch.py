"""traced-branch: Python cannot branch on a value that JAX is tracing."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.tracing import Branch
from jaxlint.analysis.findings import Finding
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule

_BUILTINS = frozenset({"min", "max", "sorted", "any", "all", "filter"})


@rule("traced-branch", code="JX301", category=Category.CORRECTNESS, on=Branch)
def traced_branch(branch: Branch) -> Iterator[Finding]:
    """Python `if`, `assert`, `and`, `not` ... on a value that JAX is tracing."""
    if branch.keyword == "while":
        return
    subject = f"`{branch.test.text}`"
    if branch.keyword in _BUILTINS:
        message = f"`{branch.keyword}()` compares or tests its elements in Python, and one is traced: {subject}"
    elif branch.keyword == "in":
        message = f"`in` compares element by element in Python, and an element of {subject} is traced"
    elif branch.keyword == "comparison chain":
        message = f"a chained comparison tests its first half in Python, which is traced: {subject}"
    else:
        message = f"`{branch.keyword}` needs the value of {subject}, which is traced"
    yield branch.diagnostic(message, notes=branch.test.evidence, confidence=branch.test.confidence)
