"""print-in-traced-code: `print` in traced code runs while tracing only."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.domain.values import Array, atoms_of
from jaxlint.analysis.events.effects import LibraryCall
from jaxlint.analysis.events.event import Operand
from jaxlint.diagnostics import Category, Confidence, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.effects._fix_callback import as_callback
from jaxlint.rules.effects._fix_debug_print import RAISES, print_call
from jaxlint.rules.rule import rule


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """`jax.debug.print` for `print`, a callback for the like of it in other libraries."""
    return print_call(request, code) if request.words[0] == "builtins.print" else as_callback(request, code)


@rule("print-in-traced-code", code="JX401", category=Category.SUSPICIOUS, on=LibraryCall, fix=_fix)
def print_in_traced_code(call: LibraryCall) -> Iterator[Finding]:
    """`print` of a traced value."""
    if call.trace is None or call.effect != "print" or call.shows_shards:
        return
    printed = call.traced_parts()
    if not printed:
        return
    shown: Operand = printed[0]
    what = f"`print` shows the tracer of `{shown.text}`, {call.how_often}"
    if call.unformattable is not None and call.unformattable.traced:
        shown = call.unformattable
        what = f"`{shown.text}` is traced, so formatting it as a number raises"
    message = f"{what}; `jax.debug.print` shows its value"
    raises = (RAISES,) if shown is call.unformattable else ()
    fix = call.fix_request(words=(call.name, *raises))
    is_meant = call.is_among_facts and not raises and not any(map(_is_number, printed))
    confidence = Confidence.POSSIBLE if is_meant else shown.confidence_as_text
    yield call.diagnostic(message, notes=shown.evidence, confidence=confidence, fix=fix)


def _is_number(shown: Operand) -> bool:
    """Whether the tracer is that of one number, so that nothing is to be learned from what it looks like."""
    return any(isinstance(atom, Array) and atom.shape == () for atom in atoms_of(shown.value))
