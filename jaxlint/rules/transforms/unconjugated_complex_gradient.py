"""unconjugated-complex-gradient: JAX's gradient of a complex parameter is the conjugate of the way to go."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.optimizers import UnconjugatedStep
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("unconjugated-complex-gradient", code="JX712", category=Category.SUSPICIOUS, on=UnconjugatedStep)
def unconjugated_complex_gradient(step: UnconjugatedStep) -> Iterator[Finding]:
    """A complex parameter makes a step along a gradient that was not conjugated."""
    if step.optimizer is None:
        message = f"`{step.written}` is complex, and this step follows its gradient without `jnp.conj`"
    else:
        message = (
            f"`{step.written}` is a gradient by complex parameters, and `{step.optimizer}` gets it without `jnp.conj`"
        )
    notes = (
        FindingNote("the imaginary part goes the wrong way: JAX's gradient is the conjugate of the direction", None),
        FindingNote(f"the gradient is taken by `{step.transform}` here", step.taken),
    )
    yield step.diagnostic(message, notes=notes, confidence=step.confidence)
