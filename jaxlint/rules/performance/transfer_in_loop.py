"""transfer-in-loop: an array of NumPy is copied to the device again at each pass of a loop."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.performance import RepeatedTransfer
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("transfer-in-loop", code="JX806", category=Category.PERFORMANCE, on=RepeatedTransfer, preview=True)
def transfer_in_loop(transfer: RepeatedTransfer) -> Iterator[Finding]:
    """A loop passes a NumPy array to JAX in every iteration and does not change it."""
    array = transfer.operand.text
    message = f"`{array}` is a NumPy array, which `{transfer.function}` copies to the device in each iteration"
    notes = (
        FindingNote("the loop", transfer.loop),
        FindingNote(f"copy it once before the loop: `jax.device_put({array})`", None),
    )
    yield transfer.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
