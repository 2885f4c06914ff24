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
    "state": "`{}` is the same in each pass of the loop: the state that `update` returns is dropped",
    "params": "`{}` is the same in each pass of the loop: the updated parameters are dropped",
}


@rule("optimizer-state-misuse", code="JX716", category=Category.CORRECTNESS, on=_EVENTS)
def optimizer_state_misuse(
    event: Discarded | StaleTraining | StateReturned | UpdateWithoutParams,
) -> Iterator[Finding]:
    """An optimizer's updates, its state or the parameters are dropped, or `update` lacks the parameters."""
    match event:
        case UpdateWithoutParams():
            message = f"`{event.text}` raises: `{event.optimizer}` computes updates from the parameters, too"
            note = FindingNote("`update(grads, state, params)` takes them as its third argument", None)
            yield event.diagnostic(message, notes=(note,), confidence=event.confidence)
        case StaleTraining():
            message = _KEPT[event.kept].format(event.written)
            yield event.diagnostic(message, confidence=Confidence.LIKELY)
        case StateReturned():
            message = f"`{event.written}` is returned as it was: the state that `update` returns is dropped"
            yield event.diagnostic(message, confidence=Confidence.LIKELY)
        case Discarded():
            lost = _lost(event)
            if lost is not None and not event.is_shown:
                yield event.diagnostic(f"`{event.text}` changes nothing in place: {lost}")


def _lost(statement: Discarded) -> str | None:
    """What a statement throws away that an optimizer gives."""
    if statement.optimized == "parameters":
        return "the updated parameters are dropped"
    receiver = None if statement.receiver is None else statement.receiver.value
    if statement.method == "apply_gradients" and isinstance(receiver, Made | Object):
        return "the new state is dropped"
    if statement.optimized == "updates":
        return "the updates and the new state are dropped"
    return None
