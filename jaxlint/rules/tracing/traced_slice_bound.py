"""traced-slice-bound: slices of arrays need bounds that are known while tracing."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.tracing import ArraySubscript
from jaxlint.analysis.findings import Finding
from jaxlint.analysis.values import Array, Leaves, atoms_of
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("traced-slice-bound", code="JX307", category=Category.CORRECTNESS, on=ArraySubscript)
def traced_slice_bound(subscript: ArraySubscript) -> Iterator[Finding]:
    """`x[:n]` and `x[i:i + k]` with traced bounds."""
    if not all(isinstance(atom, Array | Leaves) for atom in atoms_of(subscript.base.value)):
        return
    for parts in subscript.slices:
        for bound in parts:
            if bound.traced:
                message = (
                    f"a slice of `{subscript.base.text}` has a traced bound, so its shape is not known while tracing"
                )
                yield subscript.diagnostic(message, notes=bound.evidence, confidence=bound.confidence)
                return
