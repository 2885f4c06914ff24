"""call-form-recompile: a parameter by position and the same one by name are two programs."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.compilation import MixedCallForm
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("call-form-recompile", code="JX512", category=Category.PEDANTIC, on=MixedCallForm)
def call_form_recompile(call: MixedCallForm) -> Iterator[Finding]:
    """One compiled function receives the same argument by position and by name."""
    names, verb = " and ".join(f"`{name}`" for name in call.names), "is" if len(call.names) == 1 else "are"
    now, then = ("by name", "by position") if call.by_name else ("by position", "by name")
    message = f"{names} {verb} passed {now} here and {then} elsewhere, so JAX traces and compiles once per form"
    notes = (FindingNote(f"passed {then} here", call.earlier),)
    yield call.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
