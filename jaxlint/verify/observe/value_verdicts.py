"""Verdicts on values: what came to the flagged expressions, in a trace or outside of one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from jaxlint.verify.model import EAGER, Judgement, Verdict

if TYPE_CHECKING:
    from jaxlint.verify.observe.record_reader import Record
    from jaxlint.verify.observe.run_verdicts import RunCase

#: Values whose hash nobody changes: seeing one as a static argument refutes that it has none.
_SCALARS: Final = frozenset({"int", "float", "bool", "str", "NoneType", "function"})
#: What a function that changes an argument is taken from, as in `np.add.at(x, ...)`.
_CARRIERS: Final = frozenset({"ufunc", "module"})


def where(record: Record) -> str:
    """In which trace a value came."""
    kinds = [f"{kind} of `{label}`" if label else kind for kind, label in record["under"]]
    return f"in the trace by {kinds[-1]}" if kinds else "outside any trace"


def traced(records: Iterable[Record]) -> list[Record]:
    """Those that came in a trace."""
    return [record for record in records if record["under"]]


def tracer(case: RunCase) -> Judgement:
    """A value that has to be a tracer."""
    tracers = [record for record in case.seen.primary if record["is_"] == "tracer"]
    for record in tracers:
        if record["abstract"]:
            return Judgement(Verdict.CONFIRMED, f"the value is {record['type']}, {where(record)}")
    if tracers:
        return Judgement(
            Verdict.NOT_REPRODUCED, f"the value is {tracers[0]['type']}, which `grad` alone leaves concrete"
        )
    return _concrete(case, "the value is {}, not a tracer")


def _concrete(case: RunCase, text: str) -> Judgement:
    """No tracer came: that refutes the finding where nothing that came in a trace can hide one."""
    records = traced(case.seen.primary)
    if not records:
        return Judgement(Verdict.NOT_REPRODUCED, "it ran only outside traces")
    hiding = next((record for record in records if may_hide(case, record)), None)
    if hiding is not None:
        return Judgement(Verdict.NOT_REPRODUCED, f"the value is {hiding['type']}, which may hold a tracer")
    return Judgement(Verdict.REFUTED, f"{text.format(records[0]['type'])}, {where(records[0])}")


def may_hide(case: RunCase, record: Record) -> bool:
    """Whether a tracer may be in a value, or the value, a text, may be made from one."""
    return not record["plain"] or (record["type"] == "str" and case.proof.select == "formatted")


def array(case: RunCase) -> Judgement:
    """A value that is changed in place."""
    records = [record for record in case.seen.primary if record["type"] not in _CARRIERS]
    for record in records:
        if record["is_"] in ("tracer", "array"):
            return Judgement(Verdict.CONFIRMED, f"the value is {record['type']}, {where(record)}")
        if record.get("readonly"):
            return Judgement(Verdict.CONFIRMED, f"the value is {record['type']}, which cannot be written to")
    hiding = next((record for record in records if not record["plain"]), None)
    if hiding is not None or not records:
        what = (hiding or case.seen.primary[0])["type"]
        return Judgement(Verdict.NOT_REPRODUCED, f"the value is {what}, no JAX array itself")
    return Judgement(Verdict.REFUTED, f"the value is {records[0]['type']}, not a JAX array")


def leak(case: RunCase) -> Judgement:
    """A value that is kept beyond the trace."""
    for record in case.seen.primary:
        if record["is_"] == "tracer":
            return Judgement(Verdict.CONFIRMED, f"{record['type']} is stored here, {where(record)}")
    return _concrete(case, "{}, not a tracer, is stored here")


def in_trace(case: RunCase) -> Judgement:
    """A line that a trace runs, so that the compiled program does not."""
    records = traced(case.seen.primary)
    for record in records:
        if record["abstract"]:
            return Judgement(Verdict.CONFIRMED, f"it ran {where(record)}: {_how_often(record)}")
        if record["is_"] == "tracer":
            return Judgement(Verdict.CONFIRMED, f"{record['type']} is stored here, {where(record)}")
    if records:
        return Judgement(Verdict.NOT_REPRODUCED, f"it ran {where(records[0])}, which runs it in every call")
    return Judgement(Verdict.NOT_REPRODUCED, "it ran only outside traces")


def _how_often(record: Record) -> str:
    is_compiled = any(kind not in EAGER for kind, _ in record["under"])
    once_compiled = "once per compilation, not once per call"
    return once_compiled if is_compiled else "once for the whole batch, not once for each element"


def stale(case: RunCase) -> Judgement:
    """A value that is part of the compiled program, and changes."""
    if any(record.get("stale") for record in case.seen.primary):
        return Judgement(Verdict.CONFIRMED, "it was read during tracing, and had another value at the end of the run")
    return Judgement(Verdict.NOT_REPRODUCED, "its value did not change after it was read during tracing")


def unhashable(case: RunCase) -> Judgement:
    """A static argument."""
    for record in case.seen.primary:
        if record["is_"] in ("unhashable", "array", "tracer", "numpy"):
            return Judgement(Verdict.CONFIRMED, f"the value is {record['type']}")
    kinds = {record["type"] for record in case.seen.primary}
    if kinds <= _SCALARS:
        return Judgement(Verdict.REFUTED, f"the value is {', '.join(sorted(kinds))}, which is hashable")
    return Judgement(Verdict.NOT_REPRODUCED, f"the value is {', '.join(sorted(kinds))}")


def deleted(case: RunCase) -> Judgement:
    """An array whose buffer was donated."""
    if any(record.get("deleted") for record in case.seen.primary):
        return Judgement(Verdict.CONFIRMED, "its buffer was deleted when it was used here")
    return Judgement(Verdict.NOT_REPRODUCED, "its buffer was not deleted: this platform may not donate")


def unready(case: RunCase) -> Judgement:
    """A clock that is read."""
    if any((note.path, note.span) == (case.finding.path, case.finding.span) for note in case.finding.notes):
        return Judgement(
            Verdict.INCONCLUSIVE,
            "an IPython magic reads the clock; `time.perf_counter()` around the work decides",
        )
    if any(record.get("unready") for record in case.seen.primary):
        return Judgement(Verdict.CONFIRMED, "arrays were still being computed when the clock was read here")
    looked = f" the first {case.seen.stopped} times" if case.seen.stopped else ""
    return Judgement(Verdict.NOT_REPRODUCED, f"all arrays were ready when the clock was read here{looked}")
