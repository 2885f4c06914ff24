"""static-field-array: what is static in a pytree is compared and hashed."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.pytrees import StaticFieldArray
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("static-field-array", code="JX607", category=Category.CORRECTNESS, on=StaticFieldArray)
def static_field_array(made: StaticFieldArray) -> Iterator[Finding]:
    """A static field of a pytree holds an array."""
    name = f"`{made.class_name}.{made.field}`"
    message = f"{name} is static, but holds an array, which JAX cannot compare to look up a compiled function"
    note = FindingNote("static fields belong to the tree structure, which JAX uses to look up compiled functions", None)
    yield made.diagnostic(message, notes=(note,))
