"""iterator-in-traced-code: an iterator is consumed while tracing only."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.effects import IteratorUse
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("iterator-in-traced-code", code="JX408", category=Category.CORRECTNESS, on=IteratorUse)
def iterator_in_traced_code(use: IteratorUse) -> Iterator[Finding]:
    """Traced code consumes an iterator from outside."""
    if "." in use.how:
        message = f"`{use.how}` takes arrays, but `{use.iterator.text}` is an iterator"
        yield use.diagnostic(message)
        return
    trace = use.trace
    if trace is None or not trace.runs_once or use.birth is None or use.birth.frame >= trace.entry:
        return
    if trace.parent is not None and all(crossed.is_branch for crossed in trace.crossed(use.birth.frame)):
        return  # made by the code around it, which is traced with it
    message = f"`{use.iterator.text}` comes from outside the traced function, and advances only during tracing"
    yield use.diagnostic(message, notes=use.traced_by())
