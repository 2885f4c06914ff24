"""boolean-mask-index: a mask that is traced selects an unknown number of elements."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.tracing import ArraySubscript
from jaxlint.analysis.findings import Finding
from jaxlint.analysis.shapes import dtype_class
from jaxlint.analysis.values import Array, Level, atoms_of
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("boolean-mask-index", code="JX308", category=Category.CORRECTNESS, on=ArraySubscript)
def boolean_mask_index(subscript: ArraySubscript) -> Iterator[Finding]:
    """`x[mask]` and `x.at[mask].set(v)` with a traced mask."""
    if all(isinstance(atom, Array) and atom.level is Level.HOST for atom in atoms_of(subscript.base.value)):
        return
    for index in subscript.index:
        if _is_traced_mask(index):
            yield subscript.diagnostic(_message(subscript, index), notes=index.evidence, confidence=index.confidence)
            return


def _message(subscript: ArraySubscript, index: Operand) -> str:
    if subscript.is_update:
        return f"the mask `{index.text}` is traced, so the elements it updates cannot be counted; use `jnp.where`"
    return f"the mask `{index.text}` is traced, so the shape of `{subscript.text}` is not known while tracing"


def _is_traced_mask(index: Operand) -> bool:
    """Boolean in every case, traced in one, and no scalar: `x[i == 0]` adds an axis and raises as well, but is rare."""
    atoms = atoms_of(index.value)
    masks = [atom for atom in atoms if isinstance(atom, Array) and dtype_class(atom.dtype) == "bool"]
    return len(masks) == len(atoms) and any(mask.level.has_no_value for mask in masks)
