"""unsynchronized-timing: a clock around JAX work is read again when the work is done."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.events.timed_region import TimedRegion
from jaxlint.diagnostics import Applicability, Category, Confidence, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.rebinding import is_simple_target
from jaxlint.fixes.statement_edits import before
from jaxlint.rules.rule import rule
from jaxlint.syntax import ir
from jaxlint.syntax.clocks import Clock

_CHAINED = "the next measurement begins where this one ends, and includes the work that is missing here"
_CALLS_HOST = (
    "the compiled program calls the host; on the CPU, JAX returns from such a call only when the program is done"
)
_REASON = "the measured time then includes the work, and the first time its compilation"


def _request(region: TimedRegion) -> FixRequest | None:
    if region.work.frame.path != region.frame.path:
        return None
    return FixRequest(region.clock, (region.work.at,))


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """Wait for what the work returns: behind a loop for what its last pass gives, elsewhere where it is called."""
    work = code.node(request.ordinals[0])
    named = name_of(code, work.at, "jax.block_until_ready")
    if not isinstance(work, ir.Call) or named is None:
        return None
    change = _behind_loop(code, work, request.at, named.text)
    if change is not None:
        changes = [change]
    else:
        start, end = code.outer(work.at)
        changes = [Change(start, start, f"{named.text}("), Change(end, end, ")")]
    title, changes = f"Wait with `{named.text}`", [*changes, *named.changes]
    if request.is_certain:
        return code.fix(title, changes)  # a wait changes no value, and the clock was to show the work
    return code.fix(title, changes, Applicability.UNSAFE, _REASON)


def _behind_loop(code: Code, work: ir.Call, clock: int, wait: str) -> Change | None:
    """Wait once behind the loop that the clock stands behind, where the work is given a name in it."""
    statement, owner = code.statement(work.at), code.owner(work.at)
    inside = {node.at for node in code.ancestors(clock)}
    loops = [n for n in code.ancestors(work.at) if isinstance(n, (ir.For, ir.While)) and code.owner(n.at) is owner]
    outer = [loop for loop in loops if loop.at not in inside]
    if not outer or not isinstance(statement, ir.Assign) or statement.value.at != work.at:
        return None
    names = [code.segment(target.at) for target in statement.targets if is_simple_target(target)]
    names += [
        n.id
        for t in statement.targets
        if isinstance(t, ir.SequenceDisplay)
        for n in t.elements
        if isinstance(n, ir.Name)
    ]
    siblings = code.block(outer[-1].at)
    following = next((sibling for sibling in siblings if sibling.at > outer[-1].at), None)
    if following is None or isinstance(following, Clock) or not names:
        return None
    shown = names[0] if len(names) == 1 else f"({', '.join(names)})"
    return before(code, following, f"{wait}({shown})")


@rule("unsynchronized-timing", code="JX801", category=Category.SUSPICIOUS, on=TimedRegion, fix=_fix)
def unsynchronized_timing(region: TimedRegion) -> Iterator[Finding]:
    """A clock is read around JAX work that nothing waits for."""
    work = region.work.text
    measured = region.magic or region.text
    message = f"`{measured}` does not measure `{work}`, which returns before its result is ready"
    note = FindingNote(
        "the work is dispatched here; call `jax.block_until_ready` before reading the clock again",
        region.dispatched,
    )
    doubts = [text for text, holds in ((_CHAINED, region.is_chained), (_CALLS_HOST, region.calls_host)) if holds]
    notes = (note, *(FindingNote(text, None) for text in doubts))
    yield region.diagnostic(message, notes=notes, confidence=_confidence(region), fix=_request(region))


def _confidence(region: TimedRegion) -> Confidence:
    may_be_over = region.compiles or region.is_chained or region.is_unread or region.calls_host
    if may_be_over or _measures_dispatch(region):
        return Confidence.POSSIBLE  # what is meant to be measured, or takes longest, ends when the call returns
    return Confidence.LIKELY if region.is_light else Confidence.CERTAIN


#: How people name what is over before the work is.
_OVER_EARLY = re.compile(r"compil|tracing|trace_|warm.?up|dispatch|async|enqueue", re.IGNORECASE)


def _measures_dispatch(region: TimedRegion) -> bool:
    """Whether the code around the clock speaks of compilation, warm-up or dispatch."""
    return any(map(_OVER_EARLY.search, region.lines))
