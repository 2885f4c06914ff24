"""Verdicts: what the run showed of each finding. Confirmed and refuted need positive proof."""

from __future__ import annotations

import builtins
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from jaxlint.diagnostics import Diagnostic, Span
from jaxlint.syntax.documents import NOTEBOOK_SUFFIX
from jaxlint.text import plural
from jaxlint.verify.model import CACHED, NOT_LOADED, JudgedFinding, Judgement, Verdict
from jaxlint.verify.observe import pass_verdicts, value_verdicts
from jaxlint.verify.observe.history import Entry, History, Run
from jaxlint.verify.observe.places import definition_line
from jaxlint.verify.observe.record_reader import Record
from jaxlint.verify.observe.watch_list import WatchPoint
from jaxlint.verify.run_proofs import RUN_PROOFS, TRACE_ERRORS, UNPROVABLE, RunProof

#: JAX's own check of keys, which sees them in compiled code too.
_KEY_CHECKER: Final = "JAX_DEBUG_KEY_REUSE=1"


@dataclass(slots=True)
class Sightings:
    """What the run recorded of one finding: at its own place, and at the places of its notes."""

    primary: list[Record] = field(default_factory=list)
    others: list[Record] = field(default_factory=list)
    numbers: set[int] = field(default_factory=set)
    placed: bool = False
    stopped: int = 0


#: An error: its type, where it was raised, and its message.
Raised: TypeAlias = "tuple[str, str, str]"
_DID_NOT_RUN: Final = "the file was imported, but this line did not run"


@dataclass(frozen=True, slots=True)
class RunCase:
    """One finding with everything that may speak for or against it. Of an error: type, where it was raised, message.

    `ended` is the type of an error, not of JAX's, that came out of the flagged statement, and `last` the error there
    with which the program ended; `last_is_own`: the program itself raised that.
    """

    finding: Diagnostic
    proof: RunProof
    seen: Sightings
    histories: Sequence[History]
    errors: Sequence[Raised]
    ended: str = ""
    last: Raised | None = None
    last_is_own: bool = False

    def is_about(self, name: str, message: str) -> bool:
        """Whether an error of JAX is the one that the rule is about."""
        return (name in TRACE_ERRORS or name in self.proof.errors) and self.proof.says in message

    def is_of_rule(self, name: str) -> bool:
        """Whether an error of that type, whoever raised it, is the one that the rule is about."""
        return name in self.proof.errors and (self.proof.by_anyone or not hasattr(builtins, name))


def judge_run(
    findings: Sequence[Diagnostic], points: Sequence[WatchPoint], histories: Sequence[History]
) -> list[JudgedFinding]:
    """One verdict for each finding."""
    records = [record for history in histories for record in history.log.records]
    loaded = _loaded(records)
    rewritten = {record["path"]: f"is rewritten by {record['by']}" for record in records if record["e"] == "rewritten"}
    rewritten |= {record["path"]: "has changed since the check" for record in records if record["e"] == "changed"}
    sightings = _sightings(points, records)
    raised = list(_raised(histories, records))
    others = [record["error"] for record in records if record["e"] == "raised" and not record["of_jax"]]
    last = [(record["kind"], record["place"], record["message"]) for record in records if record["e"] == "uncaught"]
    has_own_end = any(record["own"] for record in records if record["e"] == "uncaught")
    judged = []
    for index, finding in enumerate(findings):
        paths = {point.path for point in points if point.finding == index and point.primary}
        judgement = _missing(finding, paths, loaded, rewritten)
        if judgement is None:
            errors = [*_errors_at(finding, raised), *_errors_inside(finding, histories)]
            errors += [*_errors_taken(finding, raised), *_passing(finding, records)]
            ended = next((name for name, _, _ in _errors_at(finding, others)), "")
            at_end = next(iter(_errors_at(finding, last)), None)
            proof, seen = RUN_PROOFS[finding.rule], sightings[index]
            case = RunCase(finding, proof, seen, histories, errors, ended, at_end, has_own_end)
            judgement = _judgement(case)
        judged.append(JudgedFinding(finding, judgement.verdict, judgement.evidence))
    return judged


def _loaded(records: Iterable[Record]) -> dict[str, list[range]]:
    """The files that ran with points, and of notebooks the lines of the cells that did."""
    found: dict[str, list[range]] = {}
    for record in records:
        if record["e"] == "instrumented":
            lines = found.setdefault(record["path"], [])
            if record.get("lines"):
                lines.append(range(record["lines"][0], record["lines"][1] + 1))
    return found


def _missing(
    finding: Diagnostic, paths: set[str], loaded: dict[str, list[range]], rewritten: dict[str, str]
) -> Judgement | None:
    """Why nothing can be said of the finding, if so."""
    if finding.family == "engine":
        return Judgement(Verdict.INCONCLUSIVE, "not a finding about JAX")
    if finding.rule not in RUN_PROOFS:
        return Judgement(Verdict.INCONCLUSIVE, UNPROVABLE.get(finding.rule, "no run proves this rule"))
    why = next((rewritten[path] for path in paths if path in rewritten), None)
    if why is not None:
        return Judgement(Verdict.NOT_REACHED, f"module {why}")
    if finding.path.endswith(NOTEBOOK_SUFFIX):
        has_run = any(finding.span.line in lines for path in paths for lines in loaded.get(path, ()))
        return None if has_run else Judgement(Verdict.NOT_REACHED, "the cell was not run as it was checked")
    return None if paths & loaded.keys() else Judgement(Verdict.NOT_REACHED, NOT_LOADED)


def _sightings(points: Sequence[WatchPoint], records: Iterable[Record]) -> defaultdict[int, Sightings]:
    found: defaultdict[int, Sightings] = defaultdict(Sightings)
    by_number = {point.number: point for point in points}
    for point in points:
        found[point.finding].numbers.add(point.number)
    for record in records:
        if record["e"] == "instrumented":
            for number in record["placed"]:
                point = by_number[number]
                found[point.finding].placed |= point.primary
        elif record["e"] == "settled" and record.get("stopped") and record["n"] in by_number:
            found[by_number[record["n"]].finding].stopped = record["stopped"]
        elif record["e"] == "point" and record["n"] in by_number:
            point = by_number[record["n"]]
            sightings = found[point.finding]
            (sightings.primary if point.primary else sightings.others).append(record)
    return found


def _raised(histories: Iterable[History], records: Iterable[Record]) -> Iterator[tuple[str, list[Any], str]]:
    """Errors out of traced functions and transforms, and JAX's out of flagged statements: type, place, message."""
    for history in histories:
        for run in history.order:
            if run.error is not None and run.error[1]:
                yield run.error[0], run.error[1], run.error[2]
    for record in records:
        is_told = record["e"] == "refused" or (record["e"] == "raised" and record["of_jax"])
        if is_told and record["error"][1]:
            name, place, message = record["error"]
            yield name, place, message


def _errors_at(finding: Diagnostic, raised: Iterable[tuple[str, list[Any], str]]) -> list[tuple[str, str, str]]:
    return [(name, "here", text) for name, place, text in raised if _covers(finding.path, finding.span, place)]


def _errors_inside(finding: Diagnostic, histories: Iterable[History]) -> Iterator[tuple[str, str, str]]:
    """Errors at a note of the finding, in a run by the transform at the finding."""
    proof = RUN_PROOFS[finding.rule]
    if not proof.inside:
        return
    notes = [note for note in finding.notes if note.message.startswith(proof.inside)]
    runs = (run for history in histories for run in history.order if run.error is not None and run.error[1])
    for run in runs:
        name, place, text = run.error or ("", [], "")
        if name in proof.errors and _is_made_at(run.entry, finding):
            yield from ((name, f"at {n.message}", text) for n in notes if n.span and _covers(n.path, n.span, place))


def _errors_taken(finding: Diagnostic, raised: Iterable[tuple[str, list[Any], str]]) -> Iterator[Raised]:
    """Errors where a transform takes what the function returns."""
    proof = RUN_PROOFS[finding.rule]
    notes = [n for n in finding.notes if proof.taken and n.span and n.message.startswith(proof.taken)]
    for name, place, text in raised:
        if name in proof.errors and proof.says in text:
            noted = (n.message.removesuffix(" here") for n in notes if n.span and _covers(n.path, n.span, place))
            yield from ((name, f"at line {place[1]}, where the result is {how}", text) for how in noted)


#: Errors of Python's own types that come out of the depth of what a line calls.
_THROUGH: Final = frozenset({"RecursionError"})


def _passing(finding: Diagnostic, records: Iterable[Record]) -> Iterator[Raised]:
    """Errors of a library's own type that came through the finding's line out of code that it calls."""
    for record in records:
        if record["e"] in ("raised", "uncaught"):
            name, place, text = record.get("error") or (record["kind"], record["place"], record["message"])
            is_own = name in RUN_PROOFS[finding.rule].errors and (name in _THROUGH or not hasattr(builtins, name))
            if is_own and any(_covers(finding.path, finding.span, each) for each in record["through"]):
                yield name, f"at line {place[1]}, in this call", text


def _covers(path: str | None, span: Span, place: Sequence[Any]) -> bool:
    return bool(place[0] == path and span.line <= place[1] <= span.end_line)


def _judgement(case: RunCase) -> Judgement:
    for name, where, message in case.errors:
        if case.is_about(name, message):
            return Judgement(Verdict.CONFIRMED, f"{name} was raised {where}: {_first_line(message)}")
    if case.is_of_rule(case.ended):
        return Judgement(Verdict.CONFIRMED, f"{case.ended} was raised here")
    judgement = _of_what_was_seen(case)
    has_value = judgement.verdict in (Verdict.CONFIRMED, Verdict.REFUTED)
    return judgement if case.last is None or has_value else _at_the_end(case, case.last)


def _of_what_was_seen(case: RunCase) -> Judgement:
    if not case.seen.placed and case.proof.judge != "error":
        return Judgement(Verdict.INCONCLUSIVE, "no expression here can be watched")
    if not case.seen.primary and case.proof.judge not in ("key-shared",):
        before = case.ended or next((name for name, where, _ in case.errors if where == "here"), "")
        text = f"{before} was raised here before this could be seen" if before else _DID_NOT_RUN
        return Judgement(Verdict.NOT_REACHED, text)
    return _JUDGES[case.proof.judge](case)


def _at_the_end(case: RunCase, last: Raised) -> Judgement:
    """The program ended at the finding, with an error that is, or is not, what the rule is about."""
    name, _, message = last
    text = f"the run ended here with {name}: {_first_line(message)}"
    is_about = case.is_about(name, message) and not case.last_is_own
    return Judgement(Verdict.CONFIRMED if is_about else Verdict.NOT_REACHED, text)


def _first_line(message: str) -> str:
    return next(iter(message.splitlines()), "")


# --- keys


def _key_pair(case: RunCase) -> Judgement:
    seen = (*case.seen.primary, *case.seen.others)
    for record in seen:
        if record.get("again") or case.seen.numbers & set(record.get("others", ())):
            return Judgement(Verdict.CONFIRMED, f"both places received the same key, {value_verdicts.where(record)}")
    if not case.seen.others:
        return Judgement(Verdict.NOT_REPRODUCED, "this run did not reach the other use of the key")
    return _undecided(case) or Judgement(Verdict.NOT_REPRODUCED, "the two places received different keys")


def _undecided(case: RunCase) -> Judgement | None:
    """Why what was seen of two uses of a key does not decide, and what would."""
    seen = (*case.seen.primary, *case.seen.others)
    deciding = f"set {_KEY_CHECKER} to decide"
    if any(case.seen.numbers & set(record.get("equal", ())) for record in seen):
        return Judgement(Verdict.INCONCLUSIVE, f"both places received equal keys, in separate calls; {deciding}")
    if any(all(record.get("keyless") for record in place) for place in (case.seen.primary, case.seen.others)):
        return Judgement(Verdict.INCONCLUSIVE, f"it ran, but its arguments held no key; {deciding}")
    if case.seen.stopped:
        return Judgement(Verdict.INCONCLUSIVE, f"only the first {case.seen.stopped:,} keys were compared; {deciding}")
    if all(record["type"].startswith("BatchTracer") for record in seen):
        return Judgement(
            Verdict.INCONCLUSIVE, f"both uses are under `vmap`, whose keys have no data to compare; {deciding}"
        )
    traced = [{bool(record["is_"] == "tracer") for record in place} for place in (case.seen.primary, case.seen.others)]
    if not traced[0] & traced[1]:
        return Judgement(
            Verdict.INCONCLUSIVE, f"only one use is traced, and a traced key has no data to compare; {deciding}"
        )
    return None


def _key_again(case: RunCase) -> Judgement:
    for record in case.seen.primary:
        if record.get("again"):
            return Judgement(
                Verdict.CONFIRMED,
                f"the same key came here twice in one run of the function, {value_verdicts.where(record)}",
            )
    if all(record.get("keyless") for record in case.seen.primary):
        return Judgement(Verdict.INCONCLUSIVE, f"it ran, but its arguments held no key; set {_KEY_CHECKER} to decide")
    if case.seen.stopped:
        return Judgement(Verdict.INCONCLUSIVE, f"only the first {case.seen.stopped:,} keys were compared")
    return Judgement(Verdict.NOT_REPRODUCED, "no key came here twice in one run of the function")


def _key_made(case: RunCase) -> Judgement:
    for record in case.seen.primary:
        if record.get("again"):
            return Judgement(Verdict.CONFIRMED, "the same key was made here again")
        if record["under"] and record["abstract"]:
            return Judgement(
                Verdict.CONFIRMED,
                f"it was made {value_verdicts.where(record)}: every call of the compiled function has the same key",
            )
    return Judgement(Verdict.NOT_REPRODUCED, "it was made once")


def _key_shared(case: RunCase) -> Judgement:
    seen = [*case.seen.others, *case.seen.primary]
    if any(record.get("shared") for record in seen):
        return Judgement(Verdict.CONFIRMED, "all rows used one key")
    if not seen:
        return Judgement(Verdict.NOT_REACHED, _DID_NOT_RUN)
    if any(record["under"] and record["under"][-1][0] not in ("vmap", "pmap") for record in seen):
        text = f"a traced key of a loop has no data to compare; set {_KEY_CHECKER} to decide"
        return Judgement(Verdict.INCONCLUSIVE, text)
    return Judgement(Verdict.NOT_REPRODUCED, "each row used its own key")


# --- compilations


def _made_here(case: RunCase) -> list[Run]:
    """The runs of functions that were handed to a transform in the lines of the finding."""
    entries = [
        entry for history in case.histories for entry in history.entries.values() if _is_made_at(entry, case.finding)
    ]
    return [run for entry in entries for run in entry.runs if run.entry.transform in CACHED]


def _is_made_at(entry: Entry, finding: Diagnostic) -> bool:
    made, first, last = entry.made, finding.span.line, finding.span.end_line
    if made is None or made.path != finding.path:
        return False
    if first <= made.line <= last:
        return True
    path, start, name = entry.function  # Python 3.10 calls a decorator at the line of the `def`
    return path == made.path and start <= first < made.line == definition_line(path, start, name)


def _new_object(case: RunCase) -> Judgement:
    runs = [run for run in _made_here(case) if run.up is None]
    again = [run for run in runs if run.difference[0].reason == "new-function-object"]
    if again:
        seconds = sum((run.seconds or 0) + run.lower_seconds + run.compile_seconds for run in again)
        return Judgement(Verdict.CONFIRMED, f"compiled again {plural(len(again), 'time')}, in {seconds:.2f} s")
    if not runs:
        return Judgement(Verdict.NOT_REPRODUCED, "no function made here was traced on its own")
    made = sum(entry.times_made for entry in {run.entry for run in runs})
    if len(runs) == 1 and made > 1:
        return Judgement(Verdict.REFUTED, f"made {made} times, traced once")
    return Judgement(Verdict.NOT_REPRODUCED, f"traced {plural(len(runs), 'time')} in this run")


def _called_at(case: RunCase) -> Iterator[Run]:
    """The runs that calls at the finding began, or at the call that a note of it names."""
    places = [(case.finding.path, case.finding.span)]
    places += [(n.path, n.span) for n in case.finding.notes if n.path and n.span and n.message == case.proof.call]
    for run in (run for history in case.histories for run in history.order):
        if run.call and any(_covers(path, span, (run.call.path, run.call.line)) for path, span in places):
            yield run


def _retraced(case: RunCase) -> Judgement:
    found = list(_called_at(case))
    again = [
        run for run in found if any(d.reason in case.proof.reasons for d in (run.difference[0], *run.difference[1]))
    ]
    if again:
        change = again[-1].difference[0]
        return Judgement(
            Verdict.CONFIRMED,
            f"traced again {plural(len(again), 'time')} by this call: {change.before} -> {change.now}",
        )
    return Judgement(Verdict.NOT_REPRODUCED, f"traced {plural(len(found), 'time')} at this call in this run")


def _method(case: RunCase) -> Judgement:
    calls = [record for record in case.seen.primary if record.get("called")]
    for record in calls:
        if record["failed"] and record["failed"][0] in ("TypeError", "ValueError"):
            return Judgement(Verdict.CONFIRMED, f"calling it raised {record['failed'][0]}: {record['failed'][1]}")
    runs = _made_here(case)
    again = [run for run in runs if run.difference[0].reason == "static-identity"]
    if again:
        return Judgement(Verdict.CONFIRMED, f"compiled again for {plural(len(again), 'other object')}")
    if any("static" in run.key.trees.values() for run in runs):
        return Judgement(Verdict.NOT_REPRODUCED, "it was called with one static object, and compiled once for it")
    if calls:
        return Judgement(Verdict.REFUTED, f"called with {calls[0]['type']}, which JAX took")
    return Judgement(Verdict.NOT_REPRODUCED, "it was not called")


def _error(_case: RunCase) -> Judgement:
    return Judgement(Verdict.NOT_REPRODUCED, "nothing was raised here in this run")


def _ended_foreign(case: RunCase) -> Judgement:
    is_result = case.finding.message.endswith(case.proof.results)
    for record in case.seen.primary if is_result else ():
        if record["ends"] and record["foreign"]:
            return Judgement(Verdict.CONFIRMED, f"{record['foreign']} was returned here {value_verdicts.where(record)}")
    return _error_around(case)


def _ended_single(case: RunCase) -> Judgement:
    for record in case.seen.primary:
        if record["ends"] == "scan" and not record["pair"]:
            return Judgement(
                Verdict.CONFIRMED, f"{record['type']}, no pair, was returned here {value_verdicts.where(record)}"
            )
    return _error_around(case)


def _error_around(_case: RunCase) -> Judgement:
    return Judgement(Verdict.INCONCLUSIVE, "nothing was raised here; JAX may raise where it takes this")


def _error_silent(_case: RunCase) -> Judgement:
    return Judgement(Verdict.INCONCLUSIVE, "nothing was raised here; JAX accepts the integers as leaves")


_JUDGES: Final[dict[str, Callable[[RunCase], Judgement]]] = {
    "tracer": value_verdicts.tracer,
    "array": value_verdicts.array,
    "leak": value_verdicts.leak,
    "in-trace": value_verdicts.in_trace,
    "stale": value_verdicts.stale,
    "unhashable": value_verdicts.unhashable,
    "deleted": value_verdicts.deleted,
    "unready": value_verdicts.unready,
    "key-pair": _key_pair,
    "key-again": _key_again,
    "key-made": _key_made,
    "key-shared": _key_shared,
    "new-object": _new_object,
    "retraced": _retraced,
    "method": _method,
    "waited": pass_verdicts.waited,
    "copied": pass_verdicts.copied,
    "grown": pass_verdicts.grown,
    "rows": pass_verdicts.rows,
    "derived": pass_verdicts.derived,
    "unrolled": pass_verdicts.unrolled,
    "error": _error,
    "error-around": _error_around,
    "error-silent": _error_silent,
    "ended-foreign": _ended_foreign,
    "ended-single": _ended_single,
}
