"""Verdicts on loops: what a run shows of the work that is done at each of their passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.verify.model import EAGER, Judgement, Verdict
from jaxlint.verify.observe.value_verdicts import may_hide

if TYPE_CHECKING:
    from jaxlint.verify.observe.record_reader import Record
    from jaxlint.verify.observe.run_verdicts import RunCase


def waited(case: RunCase) -> Judgement:
    """A value that is taken out of an array at each pass."""
    arrays = _eager(case, "array")
    if any(record.get("again") and record.get("waited") for record in arrays):
        return Judgement(Verdict.CONFIRMED, "a later iteration read its value before it was ready")
    if arrays:
        return Judgement(Verdict.NOT_REPRODUCED, f"no later iteration had to wait for it{_looked(case)}")
    return _not_an_array(case)


def copied(case: RunCase) -> Judgement:
    """An array of NumPy that is handed to JAX at each pass."""
    if any(record.get("same") for record in _eager(case, "numpy")):
        return Judgement(Verdict.CONFIRMED, "a later iteration gave JAX the same NumPy array")
    kinds = {record["is_"] for record in case.seen.primary}
    if kinds == {"array"}:
        return Judgement(Verdict.REFUTED, f"the value is {case.seen.primary[0]['type']}, already on the device")
    return Judgement(Verdict.NOT_REPRODUCED, "no two iterations gave JAX the same NumPy array")


def grown(case: RunCase) -> Judgement:
    """An array that a loop makes longer."""
    if any(record.get("grown") for record in _eager(case, "array")):
        return Judgement(Verdict.CONFIRMED, "a later iteration made the array longer")
    return Judgement(Verdict.NOT_REPRODUCED, "no array grew here outside traces")


def rows(case: RunCase) -> Judgement:
    """An array that a loop goes through, row by row."""
    for record in _eager(case, "array"):
        return Judgement(Verdict.CONFIRMED, f"the loop iterated over {record['type']}, outside any trace")
    if any(record["is_"] == "tracer" for record in case.seen.primary):
        return Judgement(Verdict.NOT_REPRODUCED, "it ran only inside a trace, where nothing is dispatched")
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
        return Judgement(Verdict.CONFIRMED, f"differentiated {len(alone)} times in this run, outside any trace")
    if found and not alone:
        return Judgement(Verdict.REFUTED, "it was differentiated inside a trace, which compiles it")
    return Judgement(Verdict.NOT_REPRODUCED, f"differentiated {'once' if found else 'never'} in this run")


def unrolled(case: RunCase) -> Judgement:
    """A loop of Python in compiled code."""
    lengths = [record["length"] or 0 for record in case.seen.primary if record["under"] and record["abstract"]]
    if max(lengths, default=0) > 1:
        return Judgement(Verdict.CONFIRMED, f"one trace unrolled {max(lengths)} iterations")
    if lengths:
        return Judgement(Verdict.NOT_REPRODUCED, "no trace unrolled more than one iteration")
    return Judgement(Verdict.NOT_REPRODUCED, "it ran only outside traces")


def _eager(case: RunCase, kind: str) -> list[Record]:
    return [record for record in case.seen.primary if record["is_"] == kind and not record["under"]]


def _not_an_array(case: RunCase) -> Judgement:
    """No array came outside of traces: that refutes the finding where nothing that came can hide one."""
    if any(record["is_"] in ("tracer", "array") for record in case.seen.primary):
        return Judgement(Verdict.NOT_REPRODUCED, "it ran only inside a trace")
    for record in case.seen.primary:
        if may_hide(case, record):
            return Judgement(Verdict.NOT_REPRODUCED, f"the value is {record['type']}, which may hold a JAX array")
    return Judgement(Verdict.REFUTED, f"the value is {case.seen.primary[0]['type']}, not a JAX array")


def _looked(case: RunCase) -> str:
    return f" in the first {case.seen.stopped:,} iterations" if case.seen.stopped else ""
