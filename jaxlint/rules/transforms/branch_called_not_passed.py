"""branch-called-not-passed: transforms take functions, not what functions return."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.contracts import ValueAsFunction
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule
from jaxlint.rules.transforms._fix_called_functions import pass_functions


@rule("branch-called-not-passed", code="JX708", category=Category.CORRECTNESS, on=ValueAsFunction, fix=pass_functions)
def branch_called_not_passed(given: ValueAsFunction) -> Iterator[Finding]:
    """A transform receives a value, often the result of a call, instead of a function."""
    shown = " and ".join(f"`{operand.text}`" for operand in given.operands)
    are = "is not a function" if len(given.operands) == 1 else "are not functions"
    message = f"`{given.transform}` calls its argument, but {shown} {are}"
    note = FindingNote("pass the function itself; JAX calls it during tracing", None)
    whole = "whole" if len(given.operands) == given.functions else ""
    request = given.fix_request(words=("alone" if given.is_alone else "", whole))
    yield given.diagnostic(message, notes=(note,), confidence=given.confidence, fix=request)
