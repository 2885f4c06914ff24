"""discarded-at-update: `.at[...].set(...)` and other array methods give new arrays."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.arrays import Discarded
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.arrays._fix_bound_results import bind_update
from jaxlint.rules.arrays._immutable import immutable_confidence
from jaxlint.rules.rule import rule

_PURE_METHODS = frozenset(
    {
        "astype", "reshape", "ravel", "flatten", "transpose", "swapaxes", "squeeze", "clip", "round", "conj",
        "cumsum", "cumprod", "repeat", "sum", "mean", "max", "min", "prod", "dot", "argsort", "take", "copy", "view",
    }
)  # fmt: skip


@rule("discarded-at-update", code="JX103", category=Category.CORRECTNESS, on=Discarded, fix=bind_update)
def discarded_at_update(statement: Discarded) -> Iterator[Finding]:
    """The result of `x.at[i].set(v)`, or of a pure array method or function, is discarded."""
    receiver = statement.receiver
    if receiver is not None and statement.method.startswith("at."):
        if statement.is_shown and statement.method == "at.get":
            return
        confidence = Confidence.POSSIBLE if statement.is_shown else Confidence.CERTAIN
        changed = receiver.text.removesuffix(".at")
        message = f"`{statement.text}` returns a new array, which is discarded; `{changed}` is unchanged"
        yield statement.diagnostic(message, notes=receiver.evidence, confidence=confidence, fix=statement.fix_request())
    elif receiver is not None and statement.method in _PURE_METHODS and statement.frame.kind != "module":
        certainty = immutable_confidence(receiver.value)
        if certainty is not None:
            message = f"`.{statement.method}()` returns a new array, which is discarded; `{receiver.text}` is unchanged"
            yield statement.diagnostic(message, notes=receiver.evidence, confidence=certainty)
    elif statement.function == "jax.lax.stop_gradient":
        message = f"`{statement.text}` returns its result, which is discarded; gradients still flow"
        yield statement.diagnostic(message)
    elif statement.is_array_function:
        message = f"`{statement.text}` returns a new array, which is discarded"
        yield statement.diagnostic(message, confidence=Confidence.LIKELY)
