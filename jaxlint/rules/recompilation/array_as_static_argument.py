"""array-as-static-argument: an array cannot be a static argument."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.recompilation import StaticArgument
from jaxlint.analysis.findings import Finding, FindingNote
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.recompilation._static_parts import parts
from jaxlint.rules.rule import rule


@rule("array-as-static-argument", code="JX502", category=Category.CORRECTNESS, on=StaticArgument)
def array_as_static_argument(argument: StaticArgument) -> Iterator[Finding]:
    """An array of JAX or NumPy for a static parameter, or inside one."""
    for part in parts(argument):
        if part.array and not (argument.is_default and part.confidence is not Confidence.CERTAIN):
            where = " by its annotation" if argument.is_default else ""
            how = "holds" if part.nested else "is"
            message = f"`{argument.parameter}` is static and must be hashable, but it {how} an array{where}"
            note = FindingNote(f"made static by `{argument.application.short_name}`", argument.application_place)
            yield argument.diagnostic(message, notes=(note,), confidence=part.confidence)
            return
