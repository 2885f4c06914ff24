"""weak-type-recompile: a number of Python, a whole number and an array are three programs."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.application import function_label, underlying
from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.compilation import RetypedArgument
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("weak-type-recompile", code="JX508", category=Category.SUSPICIOUS, on=RetypedArgument)
def weak_type_recompile(argument: RetypedArgument) -> Iterator[Finding]:
    """One parameter of a compiled function receives Python numbers and arrays, or integers and floats."""
    then, now = argument.types
    target = underlying(argument.application.target)
    name = "the function" if target is None else function_label(target)
    if argument.loop is not None:
        where = f"`{argument.part}` is {then} in the first iteration and {now} in later ones"
        notes: tuple[FindingNote, ...] = (FindingNote("the loop", argument.loop),)
        if argument.earlier.at != argument.at:
            notes = (FindingNote("the call", argument.earlier), *notes)
    else:
        where = f"`{argument.part}` is {now} here and {then} in another call"
        notes = (FindingNote(f"{then} here", argument.earlier),)
    message = f"{where}, so JAX traces and compiles {name} {_times(argument.programs)}, once per type"
    yield argument.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"
