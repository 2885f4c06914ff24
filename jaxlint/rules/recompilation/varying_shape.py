"""varying-shape: each new shape of an argument is compiled for."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.application import function_label, underlying
from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.compilation import VaryingShape
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("varying-shape", code="JX507", category=Category.SUSPICIOUS, on=VaryingShape)
def varying_shape(argument: VaryingShape) -> Iterator[Finding]:
    """A loop calls a compiled function with a different argument shape in each iteration."""
    variation = argument.variation
    target = underlying(argument.application.target)
    name = "the function" if target is None else function_label(target)
    how = variation.how if variation.is_sure else variation.how.replace("is", "may be", 1)
    message = f"`{argument.operand.text}` {how}, so JAX traces and compiles {name} {_times(variation.programs)}"
    notes = (FindingNote("the loop", variation.loop),)
    confidence = Confidence.LIKELY if variation.is_sure else Confidence.POSSIBLE
    yield argument.diagnostic(message, notes=notes, confidence=confidence)


def _times(programs: int | None) -> str:
    if programs is None:
        return "once per shape"
    return "twice, once per shape" if programs == 2 else f"up to {programs} times, once per shape"
