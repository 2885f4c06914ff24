"""sequence-argument: functions of JAX take arrays, not lists."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.events.arrays import SequenceArgument
from jaxlint.diagnostics import Applicability, Category, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.rules.rule import rule

_MAKER = "jax.numpy.asarray"


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """The sequence as an array."""
    named = name_of(code, request.at, _MAKER)
    if named is None:
        return None
    start, end = code.outer(request.ordinals[0])
    changes = [Change(start, start, f"{named.text}("), Change(end, end, ")"), *named.changes]
    title = f"Convert it with `{named.text}`"
    if request.is_certain:
        return code.fix(title, changes)
    reason = "a long list is converted element by element; build an array instead"
    return code.fix(title, changes, Applicability.UNSAFE, reason)


@rule(
    "sequence-argument",
    code="JX106",
    category=Category.CORRECTNESS,
    on=SequenceArgument,
    fix=_fix,
    yields_to=("jnp-on-static-value",),
)
def sequence_argument(argument: SequenceArgument) -> Iterator[Finding]:
    """A list or tuple is passed to a function that takes arrays."""
    short = argument.function.replace("jax.numpy.", "jnp.", 1)
    message = f"`{short}` takes arrays, but `{argument.operand.text}` is a {argument.kind}; the call raises"
    note = FindingNote("NumPy converts sequences; JAX does not, because converting long ones is slow", None)
    yield argument.diagnostic(message, notes=(note,), fix=argument.fix_request(argument.operand.at))
