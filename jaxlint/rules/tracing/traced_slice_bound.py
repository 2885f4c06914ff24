"""traced-slice-bound: slices of arrays need bounds that are known while tracing."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.domain.values import Array, Leaves, Unknown, atoms_of
from jaxlint.analysis.events.tracing import ArraySubscript
from jaxlint.diagnostics import Category, Confidence, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.rule import rule
from jaxlint.rules.tracing._fix_windows import window
from jaxlint.syntax import ir


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """A window of fixed size, or a mask."""
    subscript = code.node(request.at)
    return window(code, subscript) if isinstance(subscript, ir.Subscript) else None


@rule("traced-slice-bound", code="JX307", category=Category.CORRECTNESS, on=ArraySubscript, fix=_fix)
def traced_slice_bound(subscript: ArraySubscript) -> Iterator[Finding]:
    """`x[:n]` and `x[i:i + k]` with traced bounds."""
    atoms = atoms_of(subscript.base.value)
    if not all(isinstance(atom, Array | Leaves | Unknown) for atom in atoms):
        return
    # Lists and NumPy arrays refuse such a bound as well; an object of a class we do not see might take it.
    is_known = not any(isinstance(atom, Unknown) for atom in atoms)
    for parts in subscript.slices:
        for bound in parts:
            if bound.traced:
                message = (
                    f"a slice of `{subscript.base.text}` has a traced bound, so its shape is unknown during tracing"
                )
                confidence = (
                    bound.confidence if is_known else max(bound.confidence, Confidence.LIKELY, key=lambda c: c.rank)
                )
                yield subscript.diagnostic(
                    message, notes=bound.evidence, confidence=confidence, fix=subscript.fix_request()
                )
                return
