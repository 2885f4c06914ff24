"""missing-has-aux: a loss that returns more than the loss says so."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.domain.values import Array, Atom, Iterable, Static, Tuple, atoms_of
from jaxlint.analysis.events.contracts import Differentiation, MisreadDerivative
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule
from jaxlint.rules.transforms import _losses
from jaxlint.rules.transforms._fix_pairs import ask_for_aux

_EVENTS = (Differentiation, MisreadDerivative)


@rule("missing-has-aux", code="JX703", category=Category.CORRECTNESS, on=_EVENTS, fix=ask_for_aux)
def missing_has_aux(event: Differentiation | MisreadDerivative) -> Iterator[Finding]:
    """`grad` of a function that returns a tuple without `has_aux`, or not a pair with `has_aux`."""
    if isinstance(event, MisreadDerivative):
        yield event.diagnostic(event.fault[0].upper() + event.fault[1:], confidence=event.confidence)
        return
    atoms, fix = atoms_of(event.result), None
    transform, function = event.application.short_name, _losses.label(event)
    if event.has_aux is False and all(map(_losses.is_tuple, atoms)):
        message = f"{function} returns {_shown(atoms[0])}, but `{transform}` lacks `has_aux=True`"
        fix = _request(event) if all(_is_pair(atom) for atom in atoms) else None
    elif event.has_aux and all(_is_no_pair(event, atom) for atom in atoms):
        message = f"`{transform}` with `has_aux=True` needs a pair, but {function} returns {_shown(atoms[0])}"
    else:
        return
    notes = _losses.returned(event)
    yield event.diagnostic(message[0].upper() + message[1:], notes=notes, confidence=_losses.sure(event), fix=fix)


def _request(event: Differentiation) -> FixRequest:
    """Where the function is differentiated, and whether its value is given as well."""
    gives_value = event.application.short_name.endswith("value_and_grad")
    return FixRequest(event.place.at, words=("value",) if gives_value else ())


def _is_pair(atom: Atom) -> bool:
    return isinstance(atom, Tuple) and len(atom.elements) == 2


def _is_no_pair(event: Differentiation, atom: Atom) -> bool:
    if isinstance(atom, Tuple):
        return len(atom.elements) != 2
    return isinstance(atom, Array | Static) or _losses.container(event, atom) == "a dict"


def _shown(atom: Atom) -> str:
    match atom:
        case Tuple():
            return f"a tuple of {len(atom.elements)}"
        case Iterable():
            return "a tuple"
        case Static(value=None):
            return "None"
        case Array() | Static():
            return "one value"
        case _:
            return "a dict"
