"""unwrapped-collection: `apply` takes the variables by the names of their collections."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.frameworks import UnwrappedCollection
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("unwrapped-collection", code="JX415", category=Category.CORRECTNESS, on=UnwrappedCollection)
def unwrapped_collection(run: UnwrappedCollection) -> Iterator[Finding]:
    """`model.apply` receives only the parameters instead of all variables."""
    given, name = run.variables.text, run.collection
    taken = f"`apply` needs a dict with the key `{name}`"
    message = f"`{given}` is the content of the collection `{name}`, but {taken}; Flax raises"
    notes = (FindingNote(f'wrap it: `{{"{name}": {given}}}`', None),)
    yield run.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
