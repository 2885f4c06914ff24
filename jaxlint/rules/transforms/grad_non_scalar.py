"""grad-non-scalar: a gradient is that of one real number."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.domain.values import Atom, Tuple, Value, atoms_of
from jaxlint.analysis.events.contracts import Differentiation
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule
from jaxlint.rules.transforms import _losses


@rule("grad-non-scalar", code="JX701", category=Category.CORRECTNESS, on=Differentiation)
def grad_non_scalar(event: Differentiation) -> Iterator[Finding]:
    """`grad` of a function that does not return a real scalar."""
    value = _value(event)
    faults = [] if value is None else [_fault(event, atom) for atom in atoms_of(value)]
    if not faults or not all(faults):
        return
    message = (
        f"`{event.application.short_name}` needs a real scalar, but {_losses.label(event)} returns {faults[0]}"
        + (" before its auxiliary data" if event.has_aux else "")
    )
    yield event.diagnostic(message, notes=_losses.returned(event), confidence=_losses.sure(event))


def _value(event: Differentiation) -> Value | None:
    """What is differentiated: the result, or the first of a pair; None where that is not known."""
    if event.has_aux is None or not event.has_aux:
        return event.result if event.has_aux is False else None
    pair = event.result
    return pair.elements[0] if isinstance(pair, Tuple) and len(pair.elements) == 2 else None


def _fault(event: Differentiation, atom: Atom) -> str | None:
    if event.has_aux and _losses.is_tuple(atom):
        return "a tuple"
    return _losses.no_real_scalar(atom, holomorphic=event.holomorphic) or _losses.container(event, atom)
