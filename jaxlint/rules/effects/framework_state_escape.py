"""framework-state-escape: a layer that changes in a trace must come in as an argument of its framework's transform."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.frameworks import EscapingState
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule

_INSTEAD = "pass the model as an argument to an `nnx` transform, which copies changes back to the caller"


@rule("framework-state-escape", code="JX412", category=Category.CORRECTNESS, on=EscapingState)
def framework_state_escape(escape: EscapingState) -> Iterator[Finding]:
    """A stateful layer runs in a trace, but was made outside of it."""
    layer = escape.layer.text
    if escape.is_refused:
        where = f"but the function that `{escape.transform}` traces closes over it; Flax raises TraceContextError"
    else:
        where = f"but `{escape.transform}` copies it, so the change does not reach the caller"
    message = f"`{escape.text}` changes the state of `{layer}`, {where}"
    notes = (FindingNote(_INSTEAD, None), *escape.traced_by())
    yield escape.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
