"""array-built-in-loop: a loop makes an array longer at each pass."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.performance import GrownArray
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("array-built-in-loop", code="JX809", category=Category.PERFORMANCE, on=GrownArray, preview=True)
def array_built_in_loop(grown: GrownArray) -> Iterator[Finding]:
    """A loop outside compiled code extends an array in every iteration."""
    message = f"`{grown.text}` copies all parts from earlier iterations into an array of a new shape"
    notes = (
        FindingNote("the loop", grown.loop),
        FindingNote("collect the parts in a list, and concatenate them once after the loop", None),
    )
    yield grown.diagnostic(message, notes=notes, confidence=Confidence.LIKELY)
