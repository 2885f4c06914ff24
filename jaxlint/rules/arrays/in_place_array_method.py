"""in-place-array-method: arrays of JAX have no methods that change them."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.domain.values import Array, Atom, atoms_of
from jaxlint.analysis.events.arrays import Discarded, InPlaceCall, ItemStore
from jaxlint.analysis.events.event import Operand
from jaxlint.diagnostics import Category
from jaxlint.rules.arrays._fix_bound_results import replace_method
from jaxlint.rules.arrays._immutable import immutable_confidence
from jaxlint.rules.rule import rule


@rule(
    "in-place-array-method",
    code="JX104",
    category=Category.CORRECTNESS,
    on=(InPlaceCall, ItemStore, Discarded),
    fix=replace_method,
)
def in_place_array_method(event: InPlaceCall | ItemStore | Discarded) -> Iterator[Finding]:
    """`x.sort()`, `x.fill(0)`, `out=x`, `np.copyto(x, ...)`, `np.add.at(x, ...)` and `del x[i]` on a JAX array."""
    found = _write(event)
    if found is None:
        return
    target, how = found
    confidence = immutable_confidence(target.value)
    if confidence is None:
        return
    name = how.replace("numpy.", "np.", 1)
    what = "a read-only view of a JAX array" if all(map(_is_readonly, atoms_of(target.value))) else "a JAX array"
    message = f"`{name}` writes to `{target.text}` in place, but `{target.text}` is {what}, which is immutable"
    has_views = any(map(_is_readonly, atoms_of(target.value)))
    method = event.method if isinstance(event, InPlaceCall) else ""
    request = None if has_views else event.fix_request(words=(how, method))
    yield event.diagnostic(message, notes=target.evidence, confidence=confidence, fix=request)


def _write(event: InPlaceCall | ItemStore | Discarded) -> tuple[Operand, str] | None:
    """What is written to, and how; None where nothing is."""
    if isinstance(event, InPlaceCall):
        return event.target, event.how
    if isinstance(event, Discarded):
        return (event.receiver, ".sort()") if event.method == "sort" and event.receiver is not None else None
    if event.op == "del":
        return event.base, "del"
    return (event.base, "[...] =") if all(map(_is_readonly, atoms_of(event.base.value))) else None


def _is_readonly(atom: Atom) -> bool:
    return isinstance(atom, Array) and atom.readonly
