"""missing-rng-stream: a model that draws random numbers needs a key for them."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.frameworks import MissingKey, MissingStream
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("missing-rng-stream", code="JX413", category=Category.CORRECTNESS, on=(MissingStream, MissingKey))
def missing_rng_stream(run: MissingStream | MissingKey) -> Iterator[Finding]:
    """A model runs without a key for dropout or other random draws."""
    if isinstance(run, MissingKey):
        message = f"`{run.layer}` is in training mode, but receives no key; Equinox raises"
        advice = "pass `key=key`, or use `equinox.nn.inference_mode(model)`, which draws nothing"
        confidence = Confidence.POSSIBLE if run.is_declared else Confidence.LIKELY
        yield run.diagnostic(message, notes=(FindingNote(advice, None),), confidence=confidence)
        return
    message = f"the model draws from `{run.stream}`, but `rngs` has no key for it; Flax raises"
    notes = (
        FindingNote("drawn here", run.drawn_at),
        FindingNote(f'pass `rngs={{"{run.stream}": key}}`, or run the model in its deterministic mode', None),
    )
    yield run.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
