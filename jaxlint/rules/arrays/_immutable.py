"""Which values are arrays of JAX, and so cannot be written to."""

from __future__ import annotations

from jaxlint.analysis.domain.values import Array, Key, Level, Value, atoms_of
from jaxlint.diagnostics import Confidence


def immutable_confidence(value: Value, *, views: bool = True) -> Confidence | None:
    """How sure it is that writing into the value fails; None where it may well work.

    `views`: read-only NumPy views of arrays count as well.

    Pytrees of arrays (`Leaves`) may be dicts or lists, which can be written to.
    """
    atoms = atoms_of(value)
    arrays = [
        a
        for a in atoms
        if isinstance(a, Key) or (isinstance(a, Array) and (a.level is not Level.HOST or (views and a.readonly)))
    ]
    if not arrays:
        return None
    if len(arrays) == len(atoms):
        assumed = any(isinstance(a, Array) and a.assumed for a in arrays)
        return Confidence.LIKELY if assumed else Confidence.CERTAIN
    return Confidence.POSSIBLE
