"""What one run of a target shows on its own, as JSON: each defect once, at its line."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Any

from . import program_hazards, raised
from .frame_watch import Watch
from .hazards import Hazard
from .source_lines import SourceLines

#: Defects of eager code as well: they need nothing that traces.
_ANYWHERE = frozenset(
    {
        "key-reuse", "key-reuse-in-loop", "parent-key-after-split", "same-key-across-batch", "discarded-at-update",
        "in-place-item-assignment", "in-place-array-method", "use-after-donate", "jit-in-loop", "jit-in-function",
        "varying-static-argument", "varying-shape", "weak-type-recompile", "unhashable-static-argument",
        "unregistered-pytree", "recursive-traced-function",
    }
)  # fmt: skip


def observed(
    outcome: dict[str, Any],
    watches: Sequence[Watch],
    jaxpr: Any,
    files: Container[str],
    *,
    asked: bool,
    takes_arrays: bool,
) -> list[dict[str, Any]]:
    """The defects of one run.

    A function that itself calls compiled ones belongs to the host, and so does a call that hands over no arrays. They
    are only judged for what they compile, unless they are `asked` to be traced.
    """
    is_host = not asked and (_calls_compiled(outcome) or not takes_arrays)
    found: dict[tuple[str, str, int], Hazard] = {}
    for hazard in _all(outcome, watches, jaxpr, files):
        if hazard.own and is_host and hazard.rule not in _ANYWHERE:
            continue
        if hazard.rule == "jit-in-function" and not takes_arrays:  # objects of the call itself are new each time
            continue
        found.setdefault((hazard.rule, hazard.path, hazard.line), hazard)
    return [hazard._asdict() for hazard in found.values()]


def _all(outcome: dict[str, Any], watches: Sequence[Watch], jaxpr: Any, files: Container[str]) -> Iterator[Hazard]:
    sources = SourceLines()
    if outcome["error"] is not None:
        hazard = raised.hazard_of(outcome["error"], sources)
        if hazard is not None:
            yield hazard
    under: dict[tuple[str, int], set[str]] = {}
    for watch in watches:
        if watch.hazards is not None:
            yield from watch.hazards.found
            for place, kinds in watch.hazards.under.items():
                under.setdefault(place, set()).update(kinds)
        for entry in watch.printed:
            if entry["tracer"]:
                what = "`print` shows a tracer, once, while JAX traces"
                yield Hazard("print-in-traced-code", entry["path"], entry["line"], what, "", entry["own"])
        yield from raised.swallowed(watch.swallowed, sources)
    if jaxpr is not None:
        yield from program_hazards.of_program(jaxpr, files, sources, under)
    yield from program_hazards.of_traces(outcome["traces"], jaxpr, files, sources)


def _calls_compiled(outcome: dict[str, Any]) -> bool:
    """Whether the target's own lines, with nothing that traces around them, call what the program compiles."""
    traces = [trace for call in outcome["traces"] for trace in call]
    return any(
        trace["outermost"] and trace["call"][0] and {"jit", "pmap"} & set(trace["transforms"]) for trace in traces
    )
