"""transfer-in-loop: an array of NumPy is copied to the device again at each pass of a loop."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.performance import RepeatedTransfer
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("transfer-in-loop", code="JX806", category=Category.PERFORMANCE, on=RepeatedTransfer, preview=True)
def transfer_in_loop(transfer: RepeatedTransfer) -> Iterator[Finding]:
    """A NumPy array that a loop does not change is handed to JAX at each of its passes."""
    array = transfer.operand.text
    message = f"`{array}` is an array of NumPy: `{transfer.function}` copies it to the device at each pass of the loop"
    notes = (
        FindingNote("the loop", transfer.loop),
        FindingNote(f"put it there once before the loop: `jax.device_put({array})`", None),
    )
    yield transfer.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
