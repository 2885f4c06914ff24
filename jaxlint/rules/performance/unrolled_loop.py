"""unrolled-loop: a loop in compiled code is traced pass by pass."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.performance import UnrolledLoop
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("unrolled-loop", code="JX803", category=Category.PERFORMANCE, on=UnrolledLoop, preview=True)
def unrolled_loop(loop: UnrolledLoop) -> Iterator[Finding]:
    """JAX traces each iteration of a loop that is long, or as long as the data."""
    over = loop.iterable.text
    each = f"{loop.operations} operations" if loop.operations > 1 else "an operation"
    if loop.count is None:
        message = f"`{over}` is as long as the data, so the program has {each} for each element"
    else:
        message = f"`{over}` is unrolled: JAX traces and compiles {loop.count} iterations with {each} each"
    note = FindingNote("`jax.lax.fori_loop`, `jax.lax.scan` and `jax.vmap` trace the loop body once", None)
    around = () if loop.repeats == 1 else (FindingNote(f"the loops around it repeat it {loop.repeats} times", None),)
    yield loop.diagnostic(message, notes=(note, *around, *loop.traced_by()), confidence=Confidence.LIKELY)
