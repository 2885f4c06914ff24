"""unbound-axis-name: a collective runs along an axis that a transform around it binds."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest, Place
from jaxlint.analysis.events.contracts import AxisBinder, UnboundAxis
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule
from jaxlint.rules.transforms._fix_axes import bind_axis


@rule("unbound-axis-name", code="JX705", category=Category.CORRECTNESS, on=UnboundAxis, fix=bind_axis)
def unbound_axis_name(unbound: UnboundAxis) -> Iterator[Finding]:
    """A collective uses an axis name that no enclosing transform binds."""
    collective, place = (
        f"`{unbound.collective.text}` uses the axis {unbound.axis!r}",
        Place(unbound.collective.frame.path, unbound.collective.at),
    )
    notes = tuple(FindingNote(_binds(binder), binder.place) for binder in unbound.binders)
    confidence = Confidence.POSSIBLE if unbound.is_guarded else unbound.confidence
    if place.at != unbound.at:
        message = f"`{unbound.binders[0].transform}` has no `axis_name`, but {collective}"
        notes = (FindingNote("the collective", place), *notes[1:])
        yield unbound.diagnostic(message, notes=notes, confidence=confidence, fix=_request(unbound))
        return
    message = f"{collective}, which no enclosing transform binds"
    if not notes:
        binding = "`pmap` and `vmap` bind their `axis_name`; `shard_map` binds the axes of its mesh"
        notes = (FindingNote(binding, None),)
    yield unbound.diagnostic(message, notes=notes, confidence=confidence)


def _request(unbound: UnboundAxis) -> FixRequest:
    """The axis, and whether the transform that has no name for it is the only one that maps the function."""
    alone = ("alone",) if len(unbound.binders) == 1 else ()
    return unbound.fix_request(words=(unbound.axis, *alone))


def _binds(binder: AxisBinder) -> str:
    """What a transform around binds."""
    names = ", ".join(map(repr, binder.axes))
    given = f"binds {names}" if names else "binds no name, because it has no `axis_name`"
    return f"`{binder.transform}` of {binder.function} {given}"
