"""varying-static-argument: each new value of a static argument is compiled for."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.recompilation import VaryingStatic
from jaxlint.analysis.findings import Finding, FindingNote, Place
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule(
    "varying-static-argument",
    code="JX506",
    category=Category.SUSPICIOUS,
    on=VaryingStatic,
    yields_to=("array-as-static-argument", "unhashable-static-argument"),
)
def varying_static_argument(argument: VaryingStatic) -> Iterator[Finding]:
    """A value that is another one at each pass of a loop, for a static parameter."""
    application, variation = argument.application, argument.variation
    value = argument.operand.text
    message = f"`{value}` {variation.how}, and `{argument.parameter}` is static: each new value is compiled for"
    notes = (
        FindingNote("the loop", variation.loop),
        FindingNote(f"made static by `{application.short_name}`", Place(application.frame.path, application.at)),
    )
    yield argument.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
