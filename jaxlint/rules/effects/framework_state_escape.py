"""framework-state-escape: a layer that changes in a trace must come in as an argument of its framework's transform."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.frameworks import EscapingState
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule

_INSTEAD = "give the model to a transform of `nnx`, as an argument: it carries changes back to the caller"


@rule("framework-state-escape", code="JX412", category=Category.CORRECTNESS, on=EscapingState, preview=True)
def framework_state_escape(escape: EscapingState) -> Iterator[Finding]:
    """A layer with state of its own runs in a trace that it was made outside of."""
    layer = escape.layer.text
    if escape.is_refused:
        where = f"and the function that `{escape.transform}` traces closes over it: Flax raises TraceContextError"
    else:
        where = f"but `{escape.transform}` makes a copy of it: the change does not reach the caller"
    message = f"`{escape.text}` changes the state of `{layer}`, {where}"
    notes = (FindingNote(_INSTEAD, None), *escape.traced_by())
    yield escape.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
