"""grad-integer-input: whole numbers and truth values have no derivative."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.contracts import DifferentiatedArgument
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("grad-integer-input", code="JX702", category=Category.CORRECTNESS, on=DifferentiatedArgument)
def grad_integer_input(argument: DifferentiatedArgument) -> Iterator[Finding]:
    """A function differentiated at whole numbers or truth values."""
    transform = argument.application.short_name
    of_it = f"`{argument.part}` of `{argument.operand.text}`" if argument.part else f"`{argument.operand.text}`"
    message = f"`{transform}` differentiates by floats, but {of_it} has dtype {argument.dtype}"
    note = FindingNote("write the number with a point, cast with `.astype(float)`, or choose `argnums`", None)
    yield argument.diagnostic(message, notes=(note,), confidence=argument.sure(assumed=argument.assumed))
