"""unflatten-validation: an initializer that JAX runs with tracers and placeholders must not ask what they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.pytrees import InitializerCheck
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule

#: What fails, by what is asked.
_FAILURES: Final = {
    "value": "`{leaf}` can be a tracer, and testing its value raises under `jax.jit`",
    "type": "`{leaf}` changes under `jax.vmap`, and is missing if `jax.tree.map` returns no arrays",
    "host": "`{leaf}` can be a tracer, which this conversion rejects",
    "array": "`{leaf}` may be `None`, `object()` or a shape, which this conversion rejects",
}


@rule(
    "unflatten-validation",
    code="JX606",
    category=Category.SUSPICIOUS,
    on=InitializerCheck,
    yields_to=("traced-branch", "concretization", "numpy-on-tracer"),
)
def unflatten_validation(check: InitializerCheck) -> Iterator[Finding]:
    """The initializer of a pytree class validates or converts its leaves."""
    failure = _FAILURES[check.kind].format(leaf=check.leaf)
    message = f"JAX calls `{check.class_name}.{check.initializer}` each time it rebuilds an instance: {failure}"
    notes = (FindingNote(f"{check.by} rebuilds objects by calling the class", None),)
    confidence = Confidence.POSSIBLE if check.kind == "array" else Confidence.LIKELY
    yield check.diagnostic(message, notes=notes, confidence=confidence)
