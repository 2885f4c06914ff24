"""in-place-array-method: arrays of JAX have no methods that change them."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events import InPlaceCall, ItemStore
from jaxlint.analysis.findings import Finding
from jaxlint.diagnostics import Category
from jaxlint.rules.arrays._immutable import immutable_confidence
from jaxlint.rules.rule import rule

@rule("in-place-array-method", code="JX104", category=Category.CORRECTNESS, on=(InPlaceCall, ItemStore))
def in_place_array_method(event: InPlaceCall | ItemStore) -> Iterator[Finding]:
    """`x.sort()`, `x.fill(0)`, `out=x`, `np.copyto(x, ...)`, `np.add.at(x, ...)` and `del x[i]` on an array of JAX."""
    target = event.base if isinstance(event, ItemStore) else event.target
    if isinstance(event, ItemStore) and event.op != "del":
        return
    confidence = immutable_confidence(target.value)
    if confidence is None:
        return
    how = "del" if isinstance(event, ItemStore) else event.how
    name = how.replace("numpy.", "np.", 1)
    message = f"`{name}` would change `{target.text}` in place, but it is an array of JAX, which cannot change"
    yield event.diagnostic(message, notes=target.evidence, confidence=confidence)
