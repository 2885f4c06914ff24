"""reverse-grad-through-while: derivatives go backwards only through loops whose number of passes is known."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.application import function_label, underlying
from jaxlint.analysis.domain.findings import Finding, FindingNote, Place
from jaxlint.analysis.events.contracts import ReverseThroughLoop
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("reverse-grad-through-while", code="JX714", category=Category.CORRECTNESS, on=ReverseThroughLoop)
def reverse_grad_through_while(loss: ReverseThroughLoop) -> Iterator[Finding]:
    """A loss that depends on a `while_loop` is differentiated in reverse mode."""
    application = loss.application
    function = underlying(application.target)
    label = "the loss" if function is None else function_label(function)
    loop = f"{loss.loop.detail} with a traced bound" if "fori_loop" in loss.loop.detail else loss.loop.detail
    message = f"{loop} does not support reverse-mode differentiation, but {label} depends on its result"
    place = Place(application.frame.path, application.at)
    note = FindingNote(f"differentiated by `{application.short_name}` here", place)
    yield loss.diagnostic(message, notes=(note,), confidence=loss.confidence)
