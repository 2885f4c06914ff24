"""axes-mismatch: mapped arguments have the axes that they are mapped along."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, Place
from jaxlint.analysis.events.contracts import AxesMismatch
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule
from jaxlint.rules.transforms._fix_axes import map_as_given


@rule("axes-mismatch", code="JX706", category=Category.CORRECTNESS, on=AxesMismatch, fix=map_as_given)
def axes_mismatch(call: AxesMismatch) -> Iterator[Finding]:
    """Arguments of a mapped function do not match `in_axes` or each other."""
    application = call.application
    note = FindingNote(f"mapped by `{application.short_name}` here", Place(application.frame.path, application.at))
    is_here = application.frame.path == call.frame.path
    fix = call.fix_request(call.call, application.at, *call.without_axes, words=call.named) if is_here else None
    yield call.diagnostic(call.fault[0].upper() + call.fault[1:], notes=(note,), confidence=call.confidence, fix=fix)
