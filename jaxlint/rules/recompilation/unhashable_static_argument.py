"""unhashable-static-argument: static arguments must be hashable."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.events.compilation import StaticArgument
from jaxlint.diagnostics import Applicability, Category, Confidence, Fix
from jaxlint.fixes.code import Code
from jaxlint.fixes.handlers import is_tried
from jaxlint.rules.recompilation._fix_hashable import Unhashable, annotation, hashable, takes_tuples
from jaxlint.rules.recompilation._fix_options import function_at, places
from jaxlint.rules.recompilation._static_parts import Part, parts, unhashable_places
from jaxlint.rules.rule import rule
from jaxlint.syntax import ir


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """A tuple for a list, a frozen set for a set; as annotation and default too."""
    node = code.node(request.ordinals[0])
    parameter, *places_without_hash = request.words
    unhashable = Unhashable(places_without_hash)
    if isinstance(node, ir.Parameter):
        changes = None if node.annotation is None else annotation(code, node.annotation, unhashable)
        if changes and isinstance(node.default, ir.SequenceDisplay):
            changes += hashable(code, node.default, Unhashable(())) or []
    else:
        changes = hashable(code, node, unhashable)
    if not changes:
        return None
    function = None if len(request.ordinals) < 2 else function_at(code, request.ordinals[-1])
    is_written = isinstance(node, ir.SequenceDisplay) and request.is_certain and not is_tried(code, request.at)
    if is_written and function is not None and takes_tuples(code, function, parameter):
        return code.fix("Make it hashable", changes)
    return code.fix("Make it hashable", changes, Applicability.UNSAFE, "the function must accept a tuple")


@rule("unhashable-static-argument", code="JX501", category=Category.CORRECTNESS, on=StaticArgument, fix=_fix)
def unhashable_static_argument(argument: StaticArgument) -> Iterator[Finding]:
    """A list, dict, set or other unhashable object is passed to a static parameter."""
    for part in parts(argument):
        if part.unhashable:
            message, known = _message(argument, part), places(argument.application, argument.frame.path)
            words = (argument.parameter, *unhashable_places(argument))
            fix = argument.fix_request(argument.operand.at, *known, words=words)
            yield argument.diagnostic(message, notes=_notes(argument), confidence=_sureness(argument, part), fix=fix)
            return


def _sureness(argument: StaticArgument, part: Part) -> Confidence:
    """An annotation is one assumption, and that the value is the one of its classes that has no hash another one."""
    if not argument.is_default:
        return part.confidence
    return Confidence.LIKELY if part.confidence is Confidence.CERTAIN else Confidence.POSSIBLE


def _message(argument: StaticArgument, part: Part) -> str:
    if argument.is_default and part.confidence is not Confidence.CERTAIN:
        return f"`{argument.parameter}` is static and must be hashable, but its annotation allows {part.unhashable}"
    where = " by its annotation" if argument.is_default else ""
    how = "holds" if part.nested else "is"
    return f"`{argument.parameter}` is static and must be hashable, but it {how} {part.unhashable}{where}"


def _notes(argument: StaticArgument) -> tuple[FindingNote, ...]:
    return (FindingNote(f"made static by `{argument.application.short_name}`", argument.application_place),)
