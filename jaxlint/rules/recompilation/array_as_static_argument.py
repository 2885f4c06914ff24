"""array-as-static-argument: an array cannot be a static argument."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.domain.values import Array, atoms_of
from jaxlint.analysis.events.compilation import StaticArgument
from jaxlint.diagnostics import Applicability, Category, Confidence, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.handlers import is_tried
from jaxlint.rules.recompilation._fix_options import function_at, is_iterated, places, uses, without_static
from jaxlint.rules.recompilation._static_parts import parts
from jaxlint.rules.rule import rule
from jaxlint.syntax import ir

_ONE_AXIS = "one axis"
_CONTRADICTED = "made static here, which contradicts the annotation; no call shows which one is wrong"


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """A parameter that is traced, or a Python number where the function needs one."""
    function = function_at(code, request.ordinals[1])
    name = request.words[0]
    if function is None:
        return None
    used = uses(code, function, name)
    if used == {"count"}:
        start, end = code.outer(request.at)
        node = code.node(request.at)
        if not isinstance(node, (ir.Name, ir.Attribute, ir.Subscript, ir.Call)):
            return None
        reason = "the caller must know the value, and JAX compiles again for each new value"
        changes = [Change(start, start, "int("), Change(end, end, ")")]
        return code.fix("Pass a Python integer", changes, Applicability.UNSAFE, reason)
    if is_iterated(code, function, name):
        return _as_tuple(request, code)
    traced = None if used != {"array"} else without_static(code, code.node(request.ordinals[0]), function, name)
    if traced is None:
        return None
    title = f"Make `{name}` traced"
    if request.is_certain and not is_tried(code, request.at):
        return code.fix(title, traced)
    return code.fix(title, traced, Applicability.UNSAFE, f"`{name}` becomes a tracer")


def _words(argument: StaticArgument) -> tuple[str, ...]:
    """The parameter, and whether its argument is known to have one axis."""
    atoms = atoms_of(argument.operand.value)
    is_row = all(isinstance(atom, Array) and atom.shape is not None and len(atom.shape) == 1 for atom in atoms)
    return (argument.parameter, _ONE_AXIS) if is_row else (argument.parameter,)


def _as_tuple(request: FixRequest, code: Code) -> Fix | None:
    """Python numbers in a tuple, for a function that goes over them."""
    start, end = code.outer(request.at)
    if not isinstance(code.node(request.at), (ir.Name, ir.Attribute, ir.Subscript, ir.Call)):
        return None
    changes = [Change(start, start, "tuple("), Change(end, end, ".tolist())")]
    if request.is_certain and _ONE_AXIS in request.words and not is_tried(code, request.at):
        return code.fix("Pass a tuple", changes)
    reason = f"`{code.segment(request.at)}` is assumed to have one axis, and JAX compiles again for each new tuple"
    return code.fix("Pass a tuple", changes, Applicability.UNSAFE, reason)


@rule("array-as-static-argument", code="JX502", category=Category.CORRECTNESS, on=StaticArgument, fix=_fix)
def array_as_static_argument(argument: StaticArgument) -> Iterator[Finding]:
    """A JAX or NumPy array is passed to a static parameter, directly or inside another value."""
    for part in parts(argument):
        if part.array and not (argument.is_default and part.confidence is not Confidence.CERTAIN):
            where = " by its annotation" if argument.is_default else ""
            how = "holds" if part.nested else "is"
            message = f"`{argument.parameter}` is static and must be hashable, but it {how} an array{where}"
            note = FindingNote(f"made static by `{argument.application.short_name}`", argument.application_place)
            known = () if part.nested or argument.is_default else places(argument.application, argument.frame.path)
            fix = argument.fix_request(*known, words=_words(argument)) if known else None
            sure = argument.operand.confidence if argument.operand.traced else part.confidence
            if argument.is_default:
                sure, note = Confidence.POSSIBLE, FindingNote(_CONTRADICTED, argument.application_place)
            yield argument.diagnostic(message, notes=(note,), confidence=sure, fix=fix)
            return
