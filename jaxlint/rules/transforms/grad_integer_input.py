"""grad-integer-input: whole numbers and truth values have no derivative."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.domain.values import Array, atoms_of
from jaxlint.analysis.events.contracts import DifferentiatedArgument
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule
from jaxlint.rules.transforms._fix_floats import as_float


@rule("grad-integer-input", code="JX702", category=Category.CORRECTNESS, on=DifferentiatedArgument, fix=as_float)
def grad_integer_input(argument: DifferentiatedArgument) -> Iterator[Finding]:
    """A function is differentiated with respect to integers or booleans."""
    transform = argument.application.short_name
    of_it = f"`{argument.part}` of `{argument.operand.text}`" if argument.part else f"`{argument.operand.text}`"
    message = f"`{transform}` needs float inputs, but {of_it} has dtype {argument.dtype}"
    note = FindingNote("write the number as a float, cast it with `.astype(float)`, or set `argnums`", None)
    sure, fix = argument.sure(assumed=argument.assumed), None if argument.part else _request(argument)
    yield argument.diagnostic(message, notes=(note,), confidence=sure, fix=fix)


def _request(argument: DifferentiatedArgument) -> FixRequest | None:
    """The number or the array, where it is written in this call and is no truth value."""
    operand = argument.operand
    if argument.dtype == "bool" or operand.frame is not argument.frame:
        return None
    is_array = all(isinstance(atom, Array) for atom in atoms_of(operand.value))
    return argument.fix_request(words=("array",) if is_array else ())
