"""argument-mutation: under jit an argument is a copy: changes to it are lost."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.effects import Mutation
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("argument-mutation", code="JX405", category=Category.SUSPICIOUS, on=Mutation)
def argument_mutation(change: Mutation) -> Iterator[Finding]:
    """A container argument of a traced function, changed in place and not returned."""
    trace = change.trace
    if trace is None or change.role != "argument" or change.read_later:
        return
    message = f"`{change.receiver.text}` is a copy that JAX made for the trace: the caller's object does not change"
    yield change.diagnostic(message, notes=change.traced_by(), confidence=change.certainty)
