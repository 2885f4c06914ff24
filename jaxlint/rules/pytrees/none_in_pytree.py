"""none-in-pytree: None is no leaf."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.pytrees import TreeCall
from jaxlint.analysis.findings import Finding, FindingNote
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("none-in-pytree", code="JX601", category=Category.SUSPICIOUS, on=TreeCall)
def none_in_pytree(call: TreeCall) -> Iterator[Finding]:
    """None leaves that meet tree functions without `is_leaf`."""
    if call.has_is_leaf:
        return
    short = call.name.replace("jax.", "", 1)
    if any(call.none_paths):
        which = next(i for i, paths in enumerate(call.none_paths) if paths)
        message = f"`{call.trees[which].text}` holds None where another tree has a leaf: `{short}` raises or drops it"
        yield call.diagnostic(message, notes=(_remedy(),))
    elif call.tests_none:
        message = f"`{short}` never passes None to the function, which tests for it: None is no leaf"
        yield call.diagnostic(message, notes=(_remedy(),), confidence=Confidence.LIKELY)


def _remedy() -> FindingNote:
    return FindingNote("`is_leaf=lambda x: x is None` makes None a leaf", None)
