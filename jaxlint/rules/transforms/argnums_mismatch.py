"""argnums-mismatch: `argnums` count positional arguments of the call."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, Place
from jaxlint.analysis.events.contracts import MissingArgument
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule
from jaxlint.text import plural


@rule("argnums-mismatch", code="JX704", category=Category.CORRECTNESS, on=MissingArgument)
def argnums_mismatch(missing: MissingArgument) -> Iterator[Finding]:
    """`argnums` names a positional argument that does not exist."""
    application = missing.application
    made = Place(application.frame.path, application.at)
    transform = application.short_name
    if not missing.is_call:
        takes = f"the function takes {plural(missing.given, 'positional argument')}"
        message = f"`{transform}` differentiates argument {missing.number}, but {takes}"
        yield missing.diagnostic(message, confidence=missing.confidence, place=made)
        return
    if missing.by_keyword is not None:
        message = f"`{transform}` differentiates positional arguments, but `{missing.by_keyword}` is a keyword argument"
    else:
        given = plural(missing.given, "positional argument")
        message = f"`{transform}` differentiates argument {missing.number}, but the call has {given}"
    note = FindingNote(f"differentiated here with respect to argument {missing.number}, counting from 0", made)
    yield missing.diagnostic(message, notes=(note,), confidence=missing.confidence)
