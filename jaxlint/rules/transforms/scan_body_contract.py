"""scan-body-contract: loops and choices call their functions in one way, and need results of one form."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, Place
from jaxlint.analysis.events.contracts import BodyContract
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule
from jaxlint.rules.transforms._fix_pairs import return_pair


@rule("scan-body-contract", code="JX707", category=Category.CORRECTNESS, on=BodyContract, fix=return_pair)
def scan_body_contract(body: BodyContract) -> Iterator[Finding]:
    """A function passed to a loop or conditional takes or returns the wrong values."""
    label = body.function[0].upper() + body.function[1:]
    if body.returned is None:
        yield body.diagnostic(f"{label} {body.fault} by `{body.transform}`", confidence=body.confidence)
        return
    runs = FindingNote(f"`{body.transform}` runs it here", Place(body.frame.path, body.at))
    is_here = body.is_carry and body.returned.path == body.frame.path
    fix = body.fix_request(body.returned.at) if is_here else None
    yield body.diagnostic(f"{label} {body.fault}", notes=(runs,), confidence=body.confidence, fix=fix)
