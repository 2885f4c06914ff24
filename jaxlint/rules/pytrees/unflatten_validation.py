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
    "value": "`{leaf}` is a tracer there, whose value this tests: that raises under `jax.jit`",
    "type": "`{leaf}` is another one under `jax.vmap`, and missing where `jax.tree.map` gives no arrays",
    "host": "`{leaf}` is a tracer there, which this conversion refuses",
    "array": "`{leaf}` may be `None`, `object()` or a shape there, which this conversion refuses",
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
    message = (
        f"JAX calls `{check.class_name}.{check.initializer}` each time it rebuilds a `{check.class_name}`: {failure}"
    )
    notes = (FindingNote(f"{check.by} rebuilds objects by calling the class", None),)
    confidence = Confidence.POSSIBLE if check.kind == "array" else Confidence.LIKELY
    yield check.diagnostic(message, notes=notes, confidence=confidence)
