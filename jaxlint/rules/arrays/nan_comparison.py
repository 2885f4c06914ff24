"""nan-comparison: nothing equals NaN."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.events.arrays import NanComparison
from jaxlint.diagnostics import Applicability, Category, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.rules.rule import rule
from jaxlint.syntax import ir

_TEST = "jax.numpy.isnan"


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """`isnan(x)` for `x == nan`, `~isnan(x)` for `x != nan`."""
    comparison, named = code.node(request.at), name_of(code, request.at, _TEST)
    if named is None or not isinstance(comparison, ir.Comparison) or len(comparison.rest) != 1:
        return None
    start, end = code.span(request.at)
    value = code.text[slice(*code.span(request.ordinals[0]))]
    test = f"{named.text}({value})"
    new = f"(~{test})" if request.words[0] in ("!=", "is not") else test
    changes = [Change(start, end, new), *named.changes]
    return code.fix(f"Replace with `{named.text}`", changes, Applicability.UNSAFE, "the test becomes true for NaN")


@rule("nan-comparison", code="JX111", category=Category.CORRECTNESS, on=NanComparison, fix=_fix)
def nan_comparison(comparison: NanComparison) -> Iterator[Finding]:
    """An array is compared with NaN."""
    answer = "true" if comparison.op in ("!=", "is not") else "false"
    message = f"`{comparison.text}` is always {answer}, because nothing equals NaN"
    note = FindingNote("`jnp.isnan` finds it", None)
    fix = comparison.fix_request(comparison.operand.at, words=(comparison.op,))
    yield comparison.diagnostic(message, notes=(note,), fix=fix)
