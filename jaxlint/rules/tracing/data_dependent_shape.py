"""data-dependent-shape: the shape of a result must not depend on data under a trace."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.domain.values import Array, atoms_of
from jaxlint.analysis.events.tracing import DataDependentShape
from jaxlint.diagnostics import Applicability, Category, Confidence, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.rule import rule
from jaxlint.rules.tracing._fix_masks import first_or_count, mask_of, only_first, without_selection
from jaxlint.rules.tracing._fix_static_parameters import make_static
from jaxlint.syntax import ir


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """What needs no places: the first one, their number, and selections that a mask makes; or a static count."""
    if request.ordinals:
        return make_static(code, request.ordinals[0], is_certain=request.is_certain)
    call = code.node(request.at)
    if not isinstance(call, ir.Call):
        return None
    changes = first_or_count(code, call)
    if changes is not None:
        reason = "`argmax` returns 0 if nothing is found, and this assumes that the array has one axis"
        return code.fix("Compute without the indices", changes, Applicability.UNSAFE, reason)
    changes = only_first(code, call)
    if changes is not None:
        return code.fix("Find the first index", changes, Applicability.UNSAFE, "the index is 0 if nothing is found")
    subscript = next((node for node in code.ancestors(call.at) if isinstance(node, ir.Subscript)), None)
    if subscript is not None and subscript.index[0].at != call.at:
        subscript = code.parent(subscript.at) if subscript.base.at == call.at else None
    mask = mask_of(code, subscript, 0, "") if isinstance(subscript, ir.Subscript) else None
    if mask is None or mask.at != getattr(call.args[0] if call.args else None, "at", -1):
        return None
    changes = without_selection(code, subscript, mask)  # type: ignore[arg-type]
    reason = f"`{mask.text}` is assumed to have the shape of the array that it selects from"
    return None if changes is None else code.fix("Use the mask itself", changes, Applicability.UNSAFE, reason)


@rule("data-dependent-shape", code="JX309", category=Category.CORRECTNESS, on=DataDependentShape, fix=_fix)
def data_dependent_shape(call: DataDependentShape) -> Iterator[Finding]:
    """`jnp.nonzero`, `jnp.unique`, one-argument `jnp.where` ... in traced code, without `size=`."""
    if call.is_counter:
        function = call.function.replace("jax.numpy.", "jnp.", 1)
        message = f"the shape of the result of `{function}` depends on `{call.operand.text}`, which is traced"
        fix = call.fix_request(call.operand.at)
        confidence, notes = call.operand.confidence, call.operand.evidence
    else:
        message, fix = f"the shape of `{call.text}` depends on traced data", call.fix_request()
        confidence = call.operand.confidence if call.operand.traced else Confidence.CERTAIN
        notes = call.operand.evidence if call.operand.traced else call.traced_by()
    yield call.diagnostic(f"{message}{_remedy(call)}", notes=notes, confidence=confidence, fix=fix)


def _remedy(call: DataDependentShape) -> str:
    """The argument that helps, where one does."""
    if call.remedy == "assume_unique_indices":
        is_mask = all(isinstance(atom, Array) and atom.dtype == "bool" for atom in atoms_of(call.operand.value))
        return "" if is_mask else f"; if no index repeats, `{call.remedy}=True` fixes the shape"
    return f"; `{call.remedy}=` fixes the shape" if call.remedy else ""
