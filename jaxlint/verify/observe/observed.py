"""Findings of the run's own: what it showed, whether or not a check had told it where to look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from jaxlint.diagnostics import Diagnostic
from jaxlint.verify.model import FunctionCounts, Miss, ObservedFinding
from jaxlint.verify.observe.history import History
from jaxlint.verify.observe.places import definition_line, source_lines
from jaxlint.verify.observe.raised import rule_of
from jaxlint.verify.observe.record_reader import Record
from jaxlint.verify.observe.stores import changing_line, losing_line

#: What a cause of retraces is called, and how many of one cause are worth a line: the last batch may be smaller.
_OF_REASONS: Final[Mapping[str, tuple[str, int]]] = {
    "shape": ("varying-shape", 2),
    "rank": ("varying-shape", 2),
    "dtype": ("varying-dtype", 1),
    "weak-type": ("weak-type-recompile", 1),
    "static-value": ("varying-static-argument", 2),
    "static-identity": ("varying-static-argument", 1),
    "pytree": ("varying-structure", 2),
    "config": ("varying-configuration", 2),
    "new-function-object": ("jit-in-function", 1),
}
#: Rules that are about one defect: a finding by one of them says what another would.
_ALIKE: Final[Sequence[frozenset[str]]] = (
    frozenset(
        {"key-reuse", "key-reuse-in-loop", "parent-key-after-split", "discarded-key-update", "fold-in-collision"}
    ),
    frozenset({"global-mutation", "captured-mutation", "self-mutation", "argument-mutation", "leaked-tracer"}),
    frozenset({"jit-in-function", "jit-in-loop", "jit-method-self", "bound-method-jit"}),
    frozenset({"print-in-traced-code", "tracer-formatting", "io-in-traced-code", "debug-print-fstring"}),
    frozenset(
        {
            "traced-branch", "traced-while", "traced-iteration-count", "concretization", "numpy-on-tracer",
            "traced-shape", "traced-slice-bound", "boolean-mask-index", "data-dependent-shape",
            "traced-container-index",
        }
    ),
)  # fmt: skip


def observed_findings(
    histories: Sequence[History], functions: Sequence[FunctionCounts], reported: Sequence[Diagnostic]
) -> tuple[ObservedFinding, ...]:
    """What the processes showed and no finding of `reported` says, by place."""
    records = [record for history in histories for record in history.log.records]
    hazards = _of_records(record for record in records if record["e"] == "hazard")
    errors = _of_errors(record for record in records if record["e"] == "uncaught")
    found = _together([*hazards, *errors, *_of_retraces(functions)])
    new = [finding for finding in found if not any(_is_about(known, finding) for known in reported)]
    return tuple(sorted(new, key=lambda finding: (finding.path, finding.line, finding.rule)))


def _of_records(records: Iterable[Record]) -> Iterator[ObservedFinding]:
    for record in records:
        rule, path, line = record["rule"], record["path"], record["line"]
        if rule == "argument-mutation":
            lost_at = losing_line(path, line, record["of"])
            if lost_at is None:
                continue
            line = lost_at
        elif "of" in record:
            line = changing_line(path, line, record["of"])
        if "name" in record:
            line = definition_line(path, line, record["name"])
        lines = source_lines(path)
        if rule == "tracer-formatting" and line <= len(lines) and "print(" in lines[line - 1]:
            rule = "print-in-traced-code"
        yield ObservedFinding(rule, path, line, None, record["message"], tuple(record["evidence"]), record["count"])


def _of_errors(records: Iterable[Record]) -> Iterator[ObservedFinding]:
    """The errors with which processes ended, as far as a rule is about them or JAX's catalogue has them."""
    for record in records:
        kind, message = record["kind"], record["message"]
        rule = rule_of(kind, message) or (kind if record["catalogued"] else None)
        if rule is not None:
            first = message.splitlines()[0] if message else kind
            path, line = record["place"]
            yield ObservedFinding(rule, path, line, None, first[:200], (f"{kind} ended the program",))


def _of_retraces(functions: Sequence[FunctionCounts]) -> Iterator[ObservedFinding]:
    """The recompilations of a function that have one cause, where they were called; tests mean theirs."""
    for function in functions:
        causes: dict[tuple[str, str, str | None], list[Miss]] = {}
        for miss in function.recompilations:
            reason = miss.difference.reason
            if reason in _OF_REASONS and miss.call is not None and not miss.tested:
                causes.setdefault((_OF_REASONS[reason][0], reason, miss.difference.argument), []).append(miss)
        for (rule, reason, argument), misses in causes.items():
            if len(misses) >= _OF_REASONS[reason][1]:
                yield _retraced(function, rule, argument, misses)


_CHANGES: Final = {
    "jit-in-function": "each call makes a new function",
    "varying-shape": "the shape of {} changes",
    "varying-dtype": "the dtype of {} changes",
    "weak-type-recompile": "{} is weakly typed in some calls",
    "varying-static-argument": "the static value of {} changes",
    "varying-structure": "the structure of {} changes",
}


def _retraced(function: FunctionCounts, rule: str, argument: str | None, misses: Sequence[Miss]) -> ObservedFinding:
    call, first = misses[0].call, misses[0].difference
    path, line = (call.path, call.line) if call is not None else (function.path, function.line)
    if rule == "jit-in-function":
        path, line = function.path, function.line
    what = f"`{argument}`" if argument else "its arguments"
    why = _CHANGES.get(rule, "a setting changes").format(what)
    values = dict.fromkeys(text for miss in misses for text in (miss.difference.before, miss.difference.now) if text)
    evidence = ", ".join(list(values)[:6]) if rule != "jit-in-function" else f"{len(misses) + 1} functions of one place"
    message = f"`{function.name}` is compiled again, because {why}"
    seconds = f"{sum(miss.seconds for miss in misses):.2f} s in all"
    return ObservedFinding(rule, path, line, None, message, (evidence or first.reason, seconds), len(misses))


def _together(found: Iterable[ObservedFinding]) -> list[ObservedFinding]:
    """One finding for each rule and place, with the number of all."""
    merged: dict[tuple[str, str, int], ObservedFinding] = {}
    for finding in found:
        known = merged.setdefault((finding.rule, finding.path, finding.line), finding)
        merged[finding.rule, finding.path, finding.line] = replace(known, count=max(known.count, finding.count))
    return list(merged.values())


def _is_about(known: Diagnostic, finding: ObservedFinding) -> bool:
    """Whether the check has reported it: at its line, or with its line in the evidence."""
    if known.rule != finding.rule and not any({known.rule, finding.rule} <= alike for alike in _ALIKE):
        return False
    if known.path == finding.path and known.span.line <= finding.line <= known.span.end_line:
        return True
    return any(note.path == finding.path and note.span and note.span.line == finding.line for note in known.notes)
