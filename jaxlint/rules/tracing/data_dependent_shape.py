"""data-dependent-shape: the shape of a result must not depend on data under a trace."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.tracing import DataDependentShape
from jaxlint.analysis.findings import Finding
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("data-dependent-shape", code="JX309", category=Category.CORRECTNESS, on=DataDependentShape)
def data_dependent_shape(call: DataDependentShape) -> Iterator[Finding]:
    """`jnp.nonzero`, `jnp.unique`, one-argument `jnp.where` ... in traced code, without `size=`."""
    function = call.function.replace("jax.numpy.", "jnp.", 1)
    message = (
        f"the shape of `{function}({call.operand.text})` depends on data, which is traced; `{call.remedy}=` fixes it"
    )
    confidence = call.operand.confidence if call.operand.traced else Confidence.CERTAIN
    notes = call.operand.evidence if call.operand.traced else call.traced_by()
    yield call.diagnostic(message, notes=notes, confidence=confidence)
