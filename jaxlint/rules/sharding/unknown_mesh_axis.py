"""unknown-mesh-axis: a spec names only axes that its mesh has, and there is a mesh."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.application import short_name
from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.sharding import BareSpec, UnknownAxis
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("unknown-mesh-axis", code="JX751", category=Category.CORRECTNESS, on=(UnknownAxis, BareSpec))
def unknown_mesh_axis(event: UnknownAxis | BareSpec) -> Iterator[Finding]:
    """A spec names an axis that its mesh does not have, or is used while no mesh is set."""
    match event:
        case UnknownAxis():
            axes = ", ".join(map(repr, event.mesh.names))
            yield event.diagnostic(f"the mesh has no axis {event.axis!r}: its axes are {axes}")
        case BareSpec():
            message = f"`{event.spec}` is not a sharding for `{short_name(event.function)}`, because no mesh is set"
            note = FindingNote(
                "use `NamedSharding(mesh, spec)`, or set a mesh for specs with `jax.set_mesh(mesh)`", None
            )
            yield event.diagnostic(message, notes=(note,))
