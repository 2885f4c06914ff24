"""unknown-mesh-axis: a spec names only axes that its mesh has."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.sharding import UnknownAxis
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("unknown-mesh-axis", code="JX751", category=Category.CORRECTNESS, on=UnknownAxis)
def unknown_mesh_axis(unknown: UnknownAxis) -> Iterator[Finding]:
    """A spec names an axis that its mesh does not have."""
    axes = ", ".join(map(repr, unknown.mesh.names))
    yield unknown.diagnostic(f"the mesh has no axis {unknown.axis!r}: its axes are {axes}")
