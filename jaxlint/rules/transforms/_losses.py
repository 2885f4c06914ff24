"""What a differentiated function returned, as its messages name it."""

from __future__ import annotations

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.application import function_label, underlying
from jaxlint.analysis.domain.findings import FindingNote
from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    DictCell,
    Iterable,
    ListCell,
    Object,
    Static,
    Tuple,
    is_none,
)
from jaxlint.analysis.events.contracts import Differentiation
from jaxlint.diagnostics import Confidence


def is_tuple(atom: Atom) -> bool:
    """Whether an atom is a tuple, of whatever length."""
    return isinstance(atom, Tuple) or (isinstance(atom, Iterable) and atom.kind == "tuple")


def label(event: Differentiation) -> str:
    """The differentiated function."""
    function = underlying(event.application.target)
    return "the function" if function is None else function_label(function)


def returned(event: Differentiation) -> tuple[FindingNote, ...]:
    """Where the result is returned."""
    return () if event.returned is None else (FindingNote("this is the returned value", event.returned),)


def sure(event: Differentiation) -> Confidence:
    """Certain, unless an annotation or a convention says what the result is."""
    return event.sure(assumed=event.assumed)


def no_real_scalar(atom: Atom, *, holomorphic: bool) -> str | None:
    """What an atom is that is no real number of shape (); None for what may be one."""
    match atom:
        case Array(shape=shape) if shape:
            lengths = ", ".join("?" if dim is None else str(dim) for dim in shape)
            return f"an array of shape ({lengths}{',' if len(shape) == 1 else ''})"
        case Array(axes=axes) if axes:
            return f"an array of at least {axes} {'axis' if axes == 1 else 'axes'}"
        case Static() if is_none(atom):
            return "None"
        case Array() | Static() if shapes.is_discrete(shapes.dtype_of(atom)):
            return f"a value of dtype {shapes.dtype_of(atom)}"
        case Array() if shapes.dtype_class(atom.dtype) == "complex" and not holomorphic:
            return "a complex number"
        case _:
            return None


def container(event: Differentiation, atom: Atom) -> str | None:
    """What an atom is that is a list or a dict."""
    cell = event.frame.state.heap.get(atom.oid) if isinstance(atom, Object) else None
    return "a list" if isinstance(cell, ListCell) else "a dict" if isinstance(cell, DictCell) else None
