"""mutable-global-read: traced code keeps the value that a name had while tracing."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.domain.values import Array, Static, atoms_of
from jaxlint.analysis.events.effects import OuterRead
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.effects._fix_parameters import as_parameter
from jaxlint.rules.rule import rule

_NUMBERS = frozenset({"int", "float", "bool", "complex"})


@rule(
    "mutable-global-read",
    code="JX407",
    category=Category.SUSPICIOUS,
    on=OuterRead,
    yields_to=("untracked-static-state",),
    fix=as_parameter,
)
def mutable_global_read(read: OuterRead) -> Iterator[Finding]:
    """Traced code reads a name that other code assigns again."""
    if read.static_parameter:
        return  # untracked-static-state
    notes = (FindingNote(f"`{read.name}` is assigned again here", read.reassigned_at), *read.traced_by())
    message = f"`{read.name}` is read once, during tracing; the compiled function keeps that value"
    confidence = Confidence.LIKELY if read.is_seen else Confidence.POSSIBLE
    yield read.diagnostic(message, notes=notes, confidence=confidence, fix=_request(read))


def _request(read: OuterRead) -> FixRequest | None:
    """The read of a number or an array, which may become an argument."""
    is_data = all(
        isinstance(atom, Array) or (isinstance(atom, Static) and atom.type in _NUMBERS)
        for atom in atoms_of(read.value.value)
    )
    return read.fix_request() if is_data else None
