"""import-time-jax: an import that computes has started JAX."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.start_up import ImportTimeWork
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule

_DOES: Final = {"array": "makes an array", "key": "makes a key", "devices": "asks for devices"}
_INSTEAD: Final = {
    "array": "make it in the function that needs it, or keep a NumPy constant",
    "key": "keep the seed, and make the key in the function that needs it",
    "devices": "ask for them in the function that needs them",
}


@rule("import-time-jax", code="JX109", category=Category.SUSPICIOUS, enabled=False, on=ImportTimeWork)
def import_time_jax(work: ImportTimeWork) -> Iterator[Finding]:
    """An import makes an array or a key, or asks for devices."""
    message = f"`{work.text}` {_DOES[work.kind]} when the module is imported, which starts the JAX backend"
    notes = (
        FindingNote("after that, platforms, device counts and XLA flags can no longer be set", None),
        FindingNote(_INSTEAD[work.kind], None),
    )
    yield work.diagnostic(message, notes=notes)
