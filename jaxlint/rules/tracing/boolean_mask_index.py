"""boolean-mask-index: a mask that is traced selects an unknown number of elements."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.domain.shapes import dtype_class
from jaxlint.analysis.domain.values import Array, Level, Static, atoms_of
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.tracing import ArraySubscript
from jaxlint.diagnostics import Applicability, Category, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.rules.rule import rule
from jaxlint.rules.tracing._fix_mask_slopes import stays_finite
from jaxlint.rules.tracing._fix_masks import Mask, is_of_itself, mask_of, reduction, update
from jaxlint.syntax import ir


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """`jnp.where(mask, v, x)` for updates, `where=mask` for reductions of what is read."""
    subscript, (missing, dtype) = code.node(request.at), request.words
    mask = mask_of(code, subscript, int(missing or 0), dtype)
    if mask is None:
        return None
    if isinstance(subscript.base, ir.Attribute) and subscript.base.attr == "at":
        changes = update(code, subscript, mask)
        title, array = "Replace with `jnp.where`", subscript.base.base
        return None if changes is None else _fix_as_assumed(request, code, mask, title, array, changes)
    reduced = reduction(code, subscript, mask)
    if reduced is None:
        return None
    title = "Reduce with `where=`"
    if not request.is_certain or not (missing == "0" or is_of_itself(code, subscript, mask)):
        return _fix_as_assumed(request, code, mask, title, subscript.base, reduced.changes)
    if not stays_finite(code, reduced.computed, mask.at):
        reason = "gradients may be NaN, because the derivative may be infinite where the mask is false"
        return code.fix(title, reduced.changes, Applicability.UNSAFE, reason)
    return code.fix(title, reduced.changes)


def _fix_as_assumed(
    request: FixRequest, code: Code, mask: Mask, title: str, array: ir.Expr, changes: list[Change]
) -> Fix:
    """The fix that rests on what jaxlint does not know of the shapes."""
    text = code.segment(array.at)
    reason = f"`{mask.text}` is assumed to select elements of `{text}`, which must keep its dtype"
    if not request.words[0]:
        reason = f"`{mask.text}` is assumed to have the shape of `{text}`"
    return code.fix(title, changes, Applicability.UNSAFE, reason)


@rule("boolean-mask-index", code="JX308", category=Category.CORRECTNESS, on=ArraySubscript, fix=_fix)
def boolean_mask_index(subscript: ArraySubscript) -> Iterator[Finding]:
    """`x[mask]` and `x.at[mask].set(v)` with a traced mask."""
    if all(isinstance(atom, Array) and atom.level is Level.HOST for atom in atoms_of(subscript.base.value)):
        return
    for index in subscript.index:
        if _is_traced_mask(index):
            message, fix = _message(subscript, index), subscript.fix_request(words=_known(subscript, index))
            yield subscript.diagnostic(message, notes=index.evidence, confidence=index.confidence, fix=fix)
            return


def _message(subscript: ArraySubscript, index: Operand) -> str:
    if subscript.is_update:
        return f"the mask `{index.text}` is traced, so the number of updated elements is unknown; use `jnp.where`"
    return f"the mask `{index.text}` is traced, so the shape of `{subscript.text}` is unknown during tracing"


def _is_traced_mask(index: Operand) -> bool:
    """Boolean in every case, traced in one, and no scalar: `x[i == 0]` adds an axis and raises as well, but is rare."""
    atoms = atoms_of(index.value)
    masks = [atom for atom in atoms if isinstance(atom, Array) and dtype_class(atom.dtype) == "bool"]
    flags = [atom for atom in atoms if isinstance(atom, Static) and atom.type == "bool"]
    return len(masks) + len(flags) == len(atoms) and any(mask.level.has_no_value for mask in masks)


def _known(subscript: ArraySubscript, index: Operand) -> tuple[str, str]:
    """How many axes the mask lacks and the class of the elements, each empty where that is unknown."""
    arrays = [atom for atom in atoms_of(subscript.base.value) if isinstance(atom, Array)]
    masks = [atom for atom in atoms_of(index.value) if isinstance(atom, Array)]
    gaps = {len(a.shape) - len(m.shape) for a in arrays for m in masks if a.shape is not None and m.shape is not None}
    classes = {dtype_class(atom.dtype) or "" for atom in arrays}
    gap = str(gaps.pop()) if len(gaps) == 1 and min(gaps) >= 0 else ""
    return gap, classes.pop() if len(classes) == 1 else ""
