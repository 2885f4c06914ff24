"""large-closure-constant: a large array from outside is written into the compiled program."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.compilation import ClosureConstant
from jaxlint.analysis.events.evidence import trace_notes
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("large-closure-constant", code="JX511", category=Category.SUSPICIOUS, on=ClosureConstant, once_per_cause=True)
def large_closure_constant(constant: ClosureConstant) -> Iterator[Finding]:
    """Compiled code uses a large array that is not one of its arguments."""
    lengths = ", ".join(map(str, constant.shape))
    message = (
        f"`{constant.text}` ({lengths}; {constant.size >> 20} MiB) is not an argument of "
        f"{constant.program.function}, so it becomes a constant of the compiled program"
    )
    advice = FindingNote("pass it as an argument: the program becomes smaller and works for other arrays", None)
    yield constant.diagnostic(message, notes=(*trace_notes(constant.program), advice), confidence=Confidence.LIKELY)
