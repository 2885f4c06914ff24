"""same-key-across-batch: one key drives every row of a mapped function."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, Place
from jaxlint.analysis.events.random import KeyBroadcast
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.random._fix_rows import key_for_each
from jaxlint.rules.rule import rule

_UNITS = {"scan": "step", "fori_loop": "step", "while_loop": "step", "map": "element", "pmap": "device"}


@rule("same-key-across-batch", code="JX207", category=Category.SUSPICIOUS, on=KeyBroadcast, fix=key_for_each)
def same_key_across_batch(broadcast: KeyBroadcast) -> Iterator[Finding]:
    """A vmapped, pmapped or scanned function consumes one key that is closed over or broadcast."""
    short = broadcast.transform.rpartition(".")[2]
    unit = "leaf" if ".tree" in broadcast.transform else _UNITS.get(short, "row")
    step = broadcast.use.chain[-1]
    notes = (FindingNote("used here", Place(step.path, step.at)),) if step.at != broadcast.at else ()
    message = (
        f"`{broadcast.key_text}` is the same key for every {unit} of `{short}`, so every {unit} draws the same numbers"
    )
    is_here = broadcast.key.frame is broadcast.frame and broadcast.key.at != broadcast.at
    fix = broadcast.fix_request(*((broadcast.key.at,) if is_here else ()), words=(short,))
    if broadcast.is_default:
        notes = (*notes, FindingNote("it is the default of a parameter: every call that passes no key gets it", None))
    confidence = Confidence.POSSIBLE if broadcast.is_default else Confidence.LIKELY
    yield broadcast.diagnostic(message, notes=notes, confidence=confidence, fix=fix)
