"""unconjugated-complex-gradient: JAX's gradient of a complex parameter is the conjugate of the way to go."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.optimizers import UnconjugatedStep
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule
from jaxlint.rules.transforms._fix_conjugate import conjugate


@rule("unconjugated-complex-gradient", code="JX712", category=Category.SUSPICIOUS, on=UnconjugatedStep, fix=conjugate)
def unconjugated_complex_gradient(step: UnconjugatedStep) -> Iterator[Finding]:
    """A complex parameter follows a gradient that is not conjugated."""
    if step.optimizer is None:
        message = f"`{step.written}` is complex, and this step follows its gradient without `jnp.conj`"
    else:
        gradient = f"`{step.written}` is a gradient of complex parameters"
        message = f"{gradient}, and `{step.optimizer}` receives it without `jnp.conj`"
    notes = (
        FindingNote(
            "JAX returns the conjugate of the ascent direction, so the imaginary part moves the wrong way", None
        ),
        FindingNote(f"`{step.transform}` computes the gradient here", step.taken),
    )
    taken = (step.taken.at,) if step.taken.path == step.frame.path else ()
    fix = step.fix_request(*taken)
    yield step.diagnostic(message, notes=notes, confidence=step.confidence, fix=fix)
