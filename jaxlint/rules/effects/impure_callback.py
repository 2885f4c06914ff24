"""impure-callback: JAX runs a pure callback as often as it likes, or not at all."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.effects import ImpureCallback
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("impure-callback", code="JX409", category=Category.SUSPICIOUS, on=ImpureCallback)
def impure_callback(callback: ImpureCallback) -> Iterator[Finding]:
    """A callback declared pure has effects, no result, or no result shape."""
    text = callback.callback.text
    if callback.kind == "no shape":
        message = f"`{callback.detail}` of `{text}` is missing, so JAX takes the first operand as the result shape"
        yield callback.diagnostic(message)
    elif callback.kind == "no result":
        message = f"`{text}` is declared pure and has no result, so JAX never runs it"
        yield callback.diagnostic(message)
    else:
        message = f"`{text}` {callback.detail}, but is declared pure: JAX may run it once, several times or never"
        notes = (FindingNote("the effect", callback.effect_at),)
        yield callback.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
