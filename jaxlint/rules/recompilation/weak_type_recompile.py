"""weak-type-recompile: a number of Python, a whole number and an array are three programs."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.application import function_label, underlying
from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.domain.values import Array, atoms_of
from jaxlint.analysis.events.compilation import RetypedArgument
from jaxlint.diagnostics import Applicability, Category, Confidence, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.rules.rule import rule
from jaxlint.syntax import ir

#: Dtypes whose names make scalars: `jnp.float32(0.0)`.
_SCALARS = frozenset({"float16", "float32", "float64", "int8", "int16", "int32", "int64"})


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """The name starts as an array of the type that it has later."""
    value, dtype = code.node(request.at), request.words[0]
    named = name_of(code, value.at, f"jax.numpy.{dtype}")
    if named is None or not isinstance(value, ir.Constant) or type(value.value) not in (int, float):
        return None
    start, end = code.outer(value.at)
    changes = [Change(start, start, f"{named.text}("), Change(end, end, ")"), *named.changes]
    reason = "code that runs before the loop gets an array"
    return code.fix(f"Start with `{named.text}`", changes, Applicability.UNSAFE, reason)


def _request(argument: RetypedArgument) -> FixRequest | None:
    """The number that starts, and the dtype of the scalars that follow it."""
    atoms = [atom for atom in atoms_of(argument.operand.value) if isinstance(atom, Array)]
    dtypes = {atom.dtype for atom in atoms}
    is_start = argument.loop is not None and argument.earlier.at != argument.at
    if not is_start or any(atom.shape != () for atom in atoms):
        return None
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    return argument.fix_request(words=(dtype,)) if dtype in _SCALARS else None


@rule("weak-type-recompile", code="JX508", category=Category.SUSPICIOUS, on=RetypedArgument, fix=_fix)
def weak_type_recompile(argument: RetypedArgument) -> Iterator[Finding]:
    """One parameter of a compiled function receives Python numbers and arrays, or integers and floats."""
    then, now = argument.types
    target = underlying(argument.application.target)
    name = "the function" if target is None else function_label(target)
    if argument.loop is not None:
        where = f"`{argument.part}` is {then} in the first iteration and {now} in later ones"
        notes: tuple[FindingNote, ...] = (FindingNote("the loop", argument.loop),)
        if argument.earlier.at != argument.at:
            notes = (FindingNote("the call", argument.earlier), *notes)
    else:
        where = f"`{argument.part}` is {now} here and {then} in another call"
        notes = (FindingNote(f"{then} here", argument.earlier),)
    message = f"{where}, so JAX traces and compiles {name} {_times(argument.programs)}, once per type"
    confidence = Confidence.POSSIBLE if argument.in_doubt else Confidence.LIKELY
    yield argument.diagnostic(message, notes=notes, confidence=confidence, fix=_request(argument))


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"
