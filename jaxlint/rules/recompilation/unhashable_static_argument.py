"""unhashable-static-argument: static arguments must be hashable."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.recompilation import StaticArgument
from jaxlint.analysis.findings import Finding, FindingNote
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.recompilation._static_parts import Part, parts
from jaxlint.rules.rule import rule


@rule("unhashable-static-argument", code="JX501", category=Category.CORRECTNESS, on=StaticArgument)
def unhashable_static_argument(argument: StaticArgument) -> Iterator[Finding]:
    """A list, dict, set or other unhashable object for a static parameter."""
    for part in parts(argument):
        if part.unhashable and not (argument.is_default and part.confidence is not Confidence.CERTAIN):
            yield argument.diagnostic(_message(argument, part), notes=_notes(argument), confidence=part.confidence)
            return


def _message(argument: StaticArgument, part: Part) -> str:
    where = " by its annotation" if argument.is_default else ""
    how = "holds" if part.nested else "is"
    return f"`{argument.parameter}` is static and must be hashable, but it {how} {part.unhashable}{where}"


def _notes(argument: StaticArgument) -> tuple[FindingNote, ...]:
    return (FindingNote(f"made static by `{argument.application.short_name}`", argument.application_place),)
