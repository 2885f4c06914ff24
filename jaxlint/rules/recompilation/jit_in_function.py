"""jit-in-function: a function that is called repeatedly compiles something new at each call."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.events.compilation import JitInFunction
from jaxlint.diagnostics import Category, Confidence, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.recompilation._fix_hoisting import to_module
from jaxlint.rules.rule import rule


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """The compiled function made once for the module."""
    return to_module(code, request.at)


@rule("jit-in-function", code="JX505", category=Category.SUSPICIOUS, on=JitInFunction, fix=_fix)
def jit_in_function(made: JitInFunction) -> Iterator[Finding]:
    """A function that runs repeatedly compiles and calls a new lambda, inner function, partial or bound method."""
    if _is_cached(made):
        return
    function = made.frame.qualname.rpartition(".")[2]
    jit = made.application.short_name
    message = f"`{jit}` receives {made.what} in each call of `{function}`, so each call compiles again"
    again = f"`{function}` runs in this loop" if made.in_loop else f"`{function}` is called here, and elsewhere"
    notes = (
        FindingNote(again, made.again),
        FindingNote("JAX looks up compiled programs by function object, and this one is new each time", None),
    )
    # Some calls compile a few times, no more.
    confidence = Confidence.LIKELY if made.in_loop and not made.is_seldom else Confidence.POSSIBLE
    yield made.diagnostic(message, notes=notes, confidence=confidence, fix=made.fix_request())


def _is_cached(made: JitInFunction) -> bool:
    """Whether a decorator, by its name, keeps results, so that the function does not run at each call."""
    return any("cache" in name or "memo" in name for name in made.decorators)
