"""silent-float64-truncation: JAX computes in 32 bits unless it is told otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.arrays import WideDtype
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.arrays._fix_start_up import enable_x64
from jaxlint.rules.rule import rule


@rule("silent-float64-truncation", code="JX107", category=Category.SUSPICIOUS, on=WideDtype, fix=enable_x64)
def silent_float64_truncation(wide: WideDtype) -> Iterator[Finding]:
    """A 64-bit dtype is requested while JAX computes in 32 bits."""
    message = f"`{wide.written}` requests 64 bits, but gives {wide.cut_to}: no code that jaxlint sees enables x64"
    notes = [
        FindingNote('enable it with `jax.config.update("jax_enable_x64", True)` right after `import jax`', None),
        FindingNote("if something else enables it, set `x64 = true` in the jaxlint settings", None),
    ]
    if wide.is_default:
        notes.append(FindingNote(f"`{wide.written}` may stand for the default type, whatever its width", None))
    if wide.enough:
        notes.append(FindingNote(wide.enough, None))
    confidence = Confidence.POSSIBLE if wide.is_default or wide.enough else Confidence.LIKELY
    yield wide.diagnostic(message, notes=tuple(notes), confidence=confidence, fix=wide.fix_request())
