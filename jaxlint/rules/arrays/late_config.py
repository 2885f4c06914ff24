"""late-config: JAX reads some settings once, as it starts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.start_up import LateSetting
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.arrays._fix_start_up import set_earlier
from jaxlint.rules.rule import rule

_WHEN: Final = {
    "import": ("JAX was imported", "JAX is imported here, and reads the variable"),
    "backend": ("JAX has started its backend", "the backend starts here at the latest"),
    "arrays": ("arrays were made", "a 32-bit array is made here"),
}
_ADVICE: Final = {
    "import": "set it before the first import of JAX, or of a library that imports it",
    "backend": "set it before the first array, random key or device query",
    "arrays": "update it right after `import jax`",
}
_REPEATED: Final = "a module that this file imports sets it too, so it may have this value already"


@rule("late-config", code="JX108", category=Category.CORRECTNESS, on=LateSetting, fix=set_earlier)
def late_config(late: LateSetting) -> Iterator[Finding]:
    """A setting is changed after JAX last reads it."""
    setting, read = late.setting, late.setting.last_read
    when, where = _WHEN[read]
    done = {"variable": "is set", "option": "is updated", "call": "is called"}[setting.kind]
    outcome = "those arrays stay 32 bits wide" if read == "arrays" else "it has no effect"
    if setting.raises:
        outcome = f"it raises `{setting.raises}`"
    repeated = (FindingNote(_REPEATED, None),) if late.is_repeated else ()
    notes = (FindingNote(where, late.since), *repeated, FindingNote(_ADVICE[read], None))
    is_movable = setting.kind in ("variable", "option") and late.since.path == late.place.path
    fix = late.fix_request(late.since.at, words=(setting.kind,)) if is_movable else None
    message = f"`{setting.name}` {done} after {when}: {outcome}"
    confidence = Confidence.POSSIBLE if late.is_exact or late.is_repeated else Confidence.CERTAIN
    yield late.diagnostic(message, notes=notes, confidence=confidence, fix=fix)
