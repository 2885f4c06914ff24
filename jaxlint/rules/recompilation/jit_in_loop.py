"""jit-in-loop: a new function is compiled at each pass."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.events.compilation import JitInLoop
from jaxlint.diagnostics import Category, Confidence, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.recompilation._fix_hoisting import out_of_loop
from jaxlint.rules.rule import rule


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """The compiled function made before the loop."""
    return out_of_loop(code, request.at, request.ordinals[0])


@rule("jit-in-loop", code="JX504", category=Category.SUSPICIOUS, on=JitInLoop, fix=_fix)
def jit_in_loop(made: JitInLoop) -> Iterator[Finding]:
    """A loop makes a function, passes it to `jit` and calls it."""
    message = (
        f"`{made.application.short_name}` receives {made.what} in each iteration, so each iteration compiles again"
    )
    fix = made.fix_request(made.loop.at) if made.loop.path == made.frame.path else None
    notes = (
        FindingNote("the loop", made.loop),
        FindingNote("JAX looks up compiled programs by function object, and this one is new each time", None),
    )
    confidence = Confidence.POSSIBLE if made.is_seldom else Confidence.LIKELY
    yield made.diagnostic(message, notes=notes, confidence=confidence, fix=fix)
