"""device-grid: devices are no numbers, and a mesh has an axis for each dimension of their grid."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.events.sharding import DeviceGrid
from jaxlint.diagnostics import Category, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.rules.rule import rule
from jaxlint.syntax import ir
from jaxlint.text import plural


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """The same array of NumPy, which holds objects."""
    call = code.node(request.at)
    named = name_of(code, call.at, "numpy.asarray")
    if not isinstance(call, ir.Call) or named is None or len(call.args) != 1 or call.keywords:
        return None
    return code.fix(f"Replace with `{named.text}`", [Change(*code.outer(call.func.at), named.text), *named.changes])


@rule("device-grid", code="JX758", category=Category.CORRECTNESS, on=DeviceGrid, fix=_fix)
def device_grid(grid: DeviceGrid) -> Iterator[Finding]:
    """An array function receives devices, or the device grid has a different rank than the mesh."""
    if not grid.names:
        message = f"`{grid.text}` raises, because a JAX array cannot hold device objects"
        note = FindingNote("a NumPy array can; `jax.make_mesh` arranges the devices itself", None)
        yield grid.diagnostic(message, notes=(note,), fix=grid.fix_request())
        return
    names = ", ".join(map(repr, grid.names))
    given, wanted = plural(grid.rank, "dimension"), plural(len(grid.names), "axis name")
    message = f"the device grid has {given}, but the mesh has {wanted}: {names}"
    note = FindingNote("each dimension of the device grid is a mesh axis", None)
    yield grid.diagnostic(message, notes=(note,))
