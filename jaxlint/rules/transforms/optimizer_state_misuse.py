"""optimizer-state-misuse: updates are applied, and states and parameters handed on."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.domain.values import Made, Object
from jaxlint.analysis.events.arrays import Discarded
from jaxlint.analysis.events.optimizers import StaleTraining, StateReturned, UpdateWithoutParams
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule

_EVENTS = (Discarded, StaleTraining, StateReturned, UpdateWithoutParams)
_KEPT = {
    "state": "`{}` is the same in every step, because the state that `update` returns is discarded",
    "updates": "`{}` is never applied, so the parameters stay the same",
    "params": "`{}` is the same in every step, because the updated parameters are discarded",
}


@rule("optimizer-state-misuse", code="JX716", category=Category.CORRECTNESS, on=_EVENTS)
def optimizer_state_misuse(
    event: Discarded | StaleTraining | StateReturned | UpdateWithoutParams,
) -> Iterator[Finding]:
    """An optimizer's updates, state or parameters are discarded, or `update` lacks the parameters."""
    match event:
        case UpdateWithoutParams():
            message = f"`{event.text}` raises, because `{event.optimizer}` also needs the parameters"
            note = FindingNote("pass them as the third argument: `update(grads, state, params)`", None)
            yield event.diagnostic(message, notes=(note,), confidence=event.confidence)
        case StaleTraining():
            message = _KEPT[event.kept].format(event.written)
            yield event.diagnostic(message, confidence=Confidence.LIKELY)
        case StateReturned():
            message = f"`{event.written}` is returned unchanged, because the state that `update` returns is discarded"
            yield event.diagnostic(message, confidence=Confidence.LIKELY)
        case Discarded():
            lost = _lost(event)
            if lost is not None and not event.is_shown:
                yield event.diagnostic(f"`{event.text}` changes nothing in place; {lost}")


def _lost(statement: Discarded) -> str | None:
    """What a statement throws away that an optimizer gives."""
    if statement.optimized == "parameters":
        return "the updated parameters are discarded"
    receiver = None if statement.receiver is None else statement.receiver.value
    if statement.method == "apply_gradients" and isinstance(receiver, Made | Object):
        return "the new state is discarded"
    if statement.optimized == "updates":
        return "the updates and the new state are discarded"
    return None
