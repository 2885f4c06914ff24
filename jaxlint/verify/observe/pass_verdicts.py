"""Verdicts on loops: what a run shows of the work that is done at each of their passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.verify.model import EAGER, Judgement, Verdict

if TYPE_CHECKING:
    from jaxlint.verify.observe.record_reader import Record
    from jaxlint.verify.observe.run_verdicts import RunCase


def waited(case: RunCase) -> Judgement:
    """A value that is taken out of an array at each pass."""
    arrays = _eager(case, "array")
    if any(record.get("again") and record.get("waited") for record in arrays):
        return Judgement(Verdict.CONFIRMED, "it was still being computed when its value was taken, again in one call")
    if arrays:
        return Judgement(Verdict.NOT_REPRODUCED, f"no later pass had to wait for it{_looked(case)}")
    return _not_an_array(case)


def copied(case: RunCase) -> Judgement:
    """An array of NumPy that is handed to JAX at each pass."""
    if any(record.get("same") for record in _eager(case, "numpy")):
        return Judgement(Verdict.CONFIRMED, "the same array of NumPy came here again in one call")
    kinds = {record["is_"] for record in case.seen.primary}
    if kinds == {"array"}:
        return Judgement(Verdict.REFUTED, f"{case.seen.primary[0]['type']} came here, which is on the device already")
    return Judgement(Verdict.NOT_REPRODUCED, "no array of NumPy came here twice in one call")


def grown(case: RunCase) -> Judgement:
    """An array that a loop makes longer."""
    if any(record.get("grown") for record in _eager(case, "array")):
        return Judgement(Verdict.CONFIRMED, "a larger array than the last one was made here, again in one call")
    return Judgement(Verdict.NOT_REPRODUCED, "no array grew here outside of a trace")


def rows(case: RunCase) -> Judgement:
    """An array that a loop goes through, row by row."""
    for record in _eager(case, "array"):
        return Judgement(Verdict.CONFIRMED, f"{record['type']} was gone through here outside of any trace")
    if any(record["is_"] == "tracer" for record in case.seen.primary):
        return Judgement(Verdict.NOT_REPRODUCED, "it ran inside a trace only, where nothing is dispatched")
    return _not_an_array(case)


def derived(case: RunCase) -> Judgement:
    """A derivative that a loop computes without compiling it."""
    first, last = case.finding.span.line, case.finding.span.end_line
    found = [
        run
        for history in case.histories
        for run in history.order
        if run.call and run.call.path == case.finding.path and first <= run.call.line <= last
        and run.entry.transform in EAGER
    ]  # fmt: skip
    alone = [run for run in found if run.up is None]
    if len(alone) > 1:
        return Judgement(Verdict.CONFIRMED, f"differentiated anew {len(alone)} times in this run, outside of any trace")
    if found and not alone:
        return Judgement(Verdict.REFUTED, "it was differentiated inside a trace, which compiles it")
    return Judgement(Verdict.NOT_REPRODUCED, f"differentiated {'once' if found else 'never'} in this run")


def unrolled(case: RunCase) -> Judgement:
    """A loop of Python in compiled code."""
    lengths = [record["length"] or 0 for record in case.seen.primary if record["under"] and record["abstract"]]
    if max(lengths, default=0) > 1:
        return Judgement(Verdict.CONFIRMED, f"{max(lengths)} elements were gone through here in one trace")
    if lengths:
        return Judgement(Verdict.NOT_REPRODUCED, "no more than one element was gone through while tracing")
    return Judgement(Verdict.NOT_REPRODUCED, "it ran outside of any trace only")


def _eager(case: RunCase, kind: str) -> list[Record]:
    return [record for record in case.seen.primary if record["is_"] == kind and not record["under"]]


def _not_an_array(case: RunCase) -> Judgement:
    record = case.seen.primary[0]
    if record["is_"] == "tracer":
        return Judgement(Verdict.NOT_REPRODUCED, "it ran inside a trace only")
    return Judgement(Verdict.REFUTED, f"{record['type']}, not an array of JAX, came here")


def _looked(case: RunCase) -> str:
    return f" in the first {case.seen.stopped:,} passes" if case.seen.stopped else ""
