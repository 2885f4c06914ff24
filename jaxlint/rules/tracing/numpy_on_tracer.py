"""numpy-on-tracer: NumPy cannot compute with a value that JAX is tracing."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.tracing import ArraySubscript, NumpyCall
from jaxlint.analysis.findings import Finding
from jaxlint.analysis.values import Array, Level, atoms_of
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("numpy-on-tracer", code="JX305", category=Category.CORRECTNESS, on=(NumpyCall, ArraySubscript))
def numpy_on_tracer(event: NumpyCall | ArraySubscript) -> Iterator[Finding]:
    """A NumPy or SciPy function, or an index into a NumPy array, that is given a traced value."""
    if isinstance(event, NumpyCall):
        name = event.function.replace("numpy.", "np.", 1) if event.function.startswith("numpy.") else event.function
        state = "traced" if event.operand.traced else "being differentiated"
        message = f"`{name}` turns `{event.operand.text}` into a NumPy array, but it is {state}"
        yield event.diagnostic(message, notes=event.operand.evidence, confidence=event.operand.confidence)
        return
    if event.is_update or not _is_host(event):
        return
    for index in event.index:
        if index.traced:
            message = f"the NumPy array `{event.base.text}` cannot be indexed by `{index.text}`, which is traced"
            yield event.diagnostic(message, notes=index.evidence, confidence=index.confidence)
            return


def _is_host(event: ArraySubscript) -> bool:
    return all(isinstance(atom, Array) and atom.level is Level.HOST for atom in atoms_of(event.base.value))
