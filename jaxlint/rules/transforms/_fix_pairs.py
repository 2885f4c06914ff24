"""What a loop's body or a loss returns, and what is made of it: pairs, and whether anybody takes them apart."""

from __future__ import annotations

from typing import Any

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import qualified_name
from jaxlint.fixes.names import is_stored_to, reads
from jaxlint.fixes.precedence import Level, level_of
from jaxlint.syntax import ir


def return_pair(request: FixRequest, code: Code) -> Fix | None:
    """`return carry` of a scan's body as `return carry, None`; as `return carry, carry` where the outputs are read."""
    returned, call = code.node(request.ordinals[0]), code.node(request.at)
    if is_first_alone(code, call):
        changes = _behind(code, returned, "None")
        if request.is_certain and _is_for_scans(code, returned):
            return code.fix("Return the carry and no output", changes)
        reason = "other callers also receive a pair"
        return code.fix("Return the carry and no output", changes, Applicability.UNSAFE, reason)
    if not isinstance(returned, ir.Name):
        return None
    reason = "the output of each step is assumed to be its carry"
    return code.fix(
        "Also return the carry as the output", _behind(code, returned, returned.id), Applicability.UNSAFE, reason
    )


def _behind(code: Code, returned: Any, second: str) -> list[Change]:  # noqa: ANN401 - an expression
    """A result as the first part of a pair."""
    start, end = code.outer(returned.at)
    is_bracketed = (start, end) != code.span(returned.at) or level_of(returned) >= Level.CONDITIONAL
    opener, closer = ("", "") if is_bracketed else ("(", ")")
    owner = code.owner(returned.at)
    if isinstance(owner, ir.Function) and owner.is_lambda:
        opener, second = f"({opener}", f"{second})"
    return [Change(start, start, opener), Change(end, end, f"{closer}, {second}")]


def _is_for_scans(code: Code, returned: Any) -> bool:  # noqa: ANN401 - an expression
    """Whether the function that returns it is given to scans, and read nowhere else."""
    owner = code.owner(returned.at)
    if not isinstance(owner, ir.Function) or isinstance(code.owner(owner.at), ir.Class):
        return False
    if owner.is_lambda:
        return _is_given_to_scan(code, owner.at)
    return all(_is_given_to_scan(code, read.at) for read in reads(code, owner.name, None))


def _is_given_to_scan(code: Code, at: int) -> bool:
    call = code.parent(at)
    return isinstance(call, ir.Call) and (qualified_name(code, call.func) or "").endswith(".scan")


def is_first_alone(code: Code, call: Any) -> bool:  # noqa: ANN401 - a node
    """Whether of the pair that a call gives the first part alone is used: `a, _ = f()` or `f()[0]`."""
    match code.parent(call.at):
        case ir.Subscript(base=base, index=(ir.Constant(value=0),)):
            return bool(base.at == call.at)
        case ir.Assign(targets=(ir.SequenceDisplay(elements=(_, ir.Name() as second)),)):
            return not any(True for _ in reads(code, second.id, code.owner(call.at)))
        case _:
            return False


def ask_for_aux(request: FixRequest, code: Code) -> Fix | None:
    """`has_aux=True`, safe where the calls take `(value, aux), grads` apart."""
    made = code.node(request.at)
    if not isinstance(made, ir.Call) or not made.args:
        return None
    if any(name in (None, "has_aux") for name, _ in made.keywords):
        return None
    changes = [code.with_argument(made, "has_aux=True")]
    if request.is_certain and "value" in request.words and _are_nested(code, made):
        return code.fix("Add `has_aux=True`", changes)
    reason = "the call then also returns the second part"
    return code.fix("Add `has_aux=True`", changes, Applicability.UNSAFE, reason)


def _are_nested(code: Code, made: ir.Call) -> bool:
    """Whether all calls of a function that is made here are taken apart as `(value, aux), grads`."""
    parent = code.parent(made.at)
    if isinstance(parent, ir.Call) and parent.func.at == made.at:
        return _is_nested(code, parent)
    if not isinstance(parent, ir.Assign) or len(parent.targets) != 1 or not isinstance(parent.targets[0], ir.Name):
        return False
    name = parent.targets[0].id
    named = [n for n in code.owned(code.owner(made.at)) if isinstance(n, ir.Name) and n.id == name]
    if sum(is_stored_to(code, n) for n in named) != 1:
        return False
    uses = [code.parent(n.at) for n in named if not is_stored_to(code, n)]
    return bool(uses) and all(isinstance(use, ir.Call) and _is_nested(code, use) for use in uses)


def _is_nested(code: Code, call: ir.Call) -> bool:
    match code.parent(call.at):
        case ir.Assign(targets=(ir.SequenceDisplay(elements=(ir.SequenceDisplay(elements=(_, _)), _)),)):
            return True
        case _:
            return False
