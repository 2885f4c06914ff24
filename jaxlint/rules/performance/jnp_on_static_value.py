"""jnp-on-static-value: sizes are counted with by functions of JAX, which trace what they give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.events.performance import StaticOperation
from jaxlint.diagnostics import Applicability, Category, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of, qualified_name
from jaxlint.rules.rule import rule
from jaxlint.syntax import ir

#: What these give of whole numbers are whole numbers, for NumPy as for JAX.
_WHOLE: Final = frozenset({"prod", "sum", "max", "min", "cumsum", "cumprod", "mod", "remainder", "floor_divide"})
#: What makes arrays of numbers on the way.
_MADE: Final = frozenset({"array", "asarray"})
_REASON: Final = "NumPy computes the number in double precision"


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """The same function of NumPy, for the arrays that are made in its arguments as well."""
    call = code.node(request.at)
    changes: list[Change] = []
    names = set()
    for node in (call, *code.inside(call)):
        module, _, member = (qualified_name(code, node.func) or "").rpartition(".") if _is_call(node) else ("", "", "")
        if module != "jax.numpy":
            continue
        named = name_of(code, node.at, f"numpy.{member}")
        if named is None or (node is not call and member not in _MADE):
            return None
        names.add(member)
        changes += [Change(*code.outer(node.func.at), named.text), *named.changes]
    if not changes:
        return None
    if names <= _WHOLE | _MADE:
        return code.fix("Compute it with NumPy", changes)
    return code.fix("Compute it with NumPy", changes, Applicability.UNSAFE, _REASON)


def _is_call(node: object) -> bool:
    return isinstance(node, ir.Call)


@rule("jnp-on-static-value", code="JX804", category=Category.SUSPICIOUS, on=StaticOperation, fix=_fix)
def jnp_on_static_value(operation: StaticOperation) -> Iterator[Finding]:
    """A JAX function computes with sizes in compiled code."""
    message = f"`{operation.text}` is static, but `{operation.function}` turns it into a traced number"
    note = FindingNote("a traced number cannot be a shape or a bound; `np` and `math` keep it a Python number", None)
    yield operation.diagnostic(message, notes=(note, *operation.traced_by()), fix=operation.fix_request())
