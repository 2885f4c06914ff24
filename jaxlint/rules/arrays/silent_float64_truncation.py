"""silent-float64-truncation: JAX computes in 32 bits unless it is told otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.arrays import WideDtype
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("silent-float64-truncation", code="JX107", category=Category.SUSPICIOUS, on=WideDtype)
def silent_float64_truncation(wide: WideDtype) -> Iterator[Finding]:
    """A dtype of 64 bits is asked for while JAX computes in 32."""
    message = f"`{wide.written}` asks for 64 bits, but gives {wide.cut_to}: nothing in view turns 64-bit types on"
    notes = (
        FindingNote('`jax.config.update("jax_enable_x64", True)` right after `import jax` does', None),
        FindingNote("where something else does, say `x64 = true` in the settings of jaxlint", None),
    )
    yield wide.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
