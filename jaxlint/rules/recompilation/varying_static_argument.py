"""varying-static-argument: each new value of a static argument is compiled for."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest, Place
from jaxlint.analysis.events.compilation import VaryingStatic
from jaxlint.diagnostics import Applicability, Category, Confidence, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.recompilation._fix_options import function_at, places, uses, without_static
from jaxlint.rules.rule import rule


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """A parameter that is traced, where the function only computes with it."""
    function = function_at(code, request.ordinals[1])
    name = request.words[0]
    if function is None or uses(code, function, name) != {"array"}:
        return None
    changes = without_static(code, code.node(request.ordinals[0]), function, name)
    if changes is None:
        return None
    return code.fix(f"Make `{name}` traced", changes, Applicability.UNSAFE, f"`{name}` is then not a Python value")


@rule(
    "varying-static-argument",
    code="JX506",
    category=Category.SUSPICIOUS,
    on=VaryingStatic,
    fix=_fix,
    yields_to=("array-as-static-argument", "unhashable-static-argument"),
)
def varying_static_argument(argument: VaryingStatic) -> Iterator[Finding]:
    """A static parameter receives a different value in each iteration."""
    application, variation = argument.application, argument.variation
    value = argument.operand.text
    message = f"`{value}` {variation.how}, and `{argument.parameter}` is static, so each new value compiles again"
    notes = (
        FindingNote("the loop", variation.loop),
        FindingNote(f"made static by `{application.short_name}`", Place(application.frame.path, application.at)),
        *((FindingNote(argument.purpose, None),) if argument.purpose else ()),
    )
    known = places(application, argument.frame.path)
    is_fixable = bool(known) and argument.is_traceable
    fix = argument.fix_request(*known, words=(argument.parameter,)) if is_fixable else None
    sureness = Confidence.POSSIBLE if argument.purpose else Confidence.LIKELY
    yield argument.diagnostic(message, notes=notes, confidence=sureness, fix=fix)
