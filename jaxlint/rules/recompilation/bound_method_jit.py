"""bound-method-jit: a method that is compiled where it is called is compiled at each call."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.compilation import CompiledMethod
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule(
    "bound-method-jit",
    code="JX514",
    category=Category.SUSPICIOUS,
    on=CompiledMethod,
    yields_to=("jit-in-loop", "jit-in-function"),
)
def bound_method_jit(made: CompiledMethod) -> Iterator[Finding]:
    """A method compiles another method of its object in every call, or returns one that is called once."""
    function, jit = made.frame.qualname.rpartition(".")[2], made.application.short_name
    message = (
        f"`{jit}` receives a new bound method `{made.name}` at each use of `{function}`, so each use compiles again"
    )
    why = FindingNote(
        "each method access creates a new object, and JAX looks up compiled programs by that object", None
    )
    notes = (why,) if made.loop is None else (FindingNote(f"`{function}` is used in this loop", made.loop), why)
    yield made.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
