"""What groups of leaves came to as plain data, in which each path is written once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from jaxlint.analysis.domain.findings import AnalysisStatistics, Cause, Finding, FindingNote, FixRequest, Place
from jaxlint.analysis.project.found import Found
from jaxlint.analysis.project.leaf_groups import GroupOutcome
from jaxlint.diagnostics import Confidence


def plain_group(outcome: GroupOutcome) -> dict[str, Any]:
    """An outcome as plain data, less the modules that it rests on."""
    return _Plain().outcome(outcome)


def read_group(stored: Mapping[str, Any], modules: frozenset[str]) -> GroupOutcome:
    """An outcome that was plain data."""
    return _Read([str(path) for path in stored["paths"]]).outcome(stored, modules)


class _Plain:
    def __init__(self) -> None:
        self._paths: dict[str, int] = {}

    def outcome(self, outcome: GroupOutcome) -> dict[str, Any]:
        found, statistics = outcome.found, outcome.statistics
        return {
            "findings": [self._finding(found.best[key]) for key in sorted(found.best)],
            "unfixable": self._by_rule(found.unfixable),
            "working": self._by_rule(found.working),
            "claimed": self._by_rule(found.claimed),
            "filled": [self._place(place) for place in sorted(found.filled)],
            "statistics": [statistics.decided, statistics.unknown_callees, statistics.limits, statistics.ended],
            "failures": dict(outcome.failures),
            "limited": list(outcome.limited),
            "compiled": [self._place(place) for place in sorted(outcome.compiled)],
            "run_eagerly": [[self._place(place), path] for place, path in sorted(outcome.run_eagerly)],
            "answers": [[*question, answer] for question, answer in outcome.answers.items()],
            "paths": list(self._paths),
        }

    def _place(self, place: Place) -> list[int]:
        return [self._paths.setdefault(place.path, len(self._paths)), place.at]

    def _by_rule(self, keys: set[tuple[str, Place]]) -> dict[str, list[list[int]]]:
        found: dict[str, list[list[int]]] = {}
        for rule, place in sorted(keys):
            found.setdefault(rule, []).append(self._place(place))
        return found

    def _finding(self, finding: Finding) -> list[Any]:
        return [
            finding.rule,
            self._place(finding.place),
            finding.message,
            [[note.message, note.place and self._place(note.place)] for note in finding.notes],
            finding.confidence.value,
            finding.function,
            [list(request) for request in map(_fields, finding.requests)],
            finding.cause and [self._place(finding.cause.place), finding.cause.name],
            finding.assumption and self._place(finding.assumption),
            finding.memo and self._place(finding.memo),
        ]


def _fields(request: FixRequest) -> tuple[int, tuple[int, ...], tuple[str, ...], bool]:
    return request.at, request.ordinals, request.words, request.is_certain


class _Read:
    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths

    def outcome(self, stored: Mapping[str, Any], modules: frozenset[str]) -> GroupOutcome:
        found = Found()
        for finding in map(self._finding, stored["findings"]):
            found.best[finding.rule, finding.place] = finding
        found.unfixable, found.working = self._by_rule(stored["unfixable"]), self._by_rule(stored["working"])
        found.claimed = self._by_rule(stored["claimed"])
        found.filled = set(map(self._place, stored["filled"]))
        return GroupOutcome(
            found,
            AnalysisStatistics(*(Counter(dict(counts)) for counts in stored["statistics"])),
            {str(path): str(reason) for path, reason in stored["failures"].items()},
            tuple(map(str, stored["limited"])),
            frozenset(map(self._place, stored["compiled"])),
            frozenset((self._place(place), str(path)) for place, path in stored["run_eagerly"]),
            {tuple(map(str, question)): bool(answer) for *question, answer in stored["answers"]},
            modules,
        )

    def _place(self, plain: Sequence[int]) -> Place:
        number, at = plain
        return Place(self._paths[number], at)

    def _by_rule(self, plain: Mapping[str, Sequence[Sequence[int]]]) -> set[tuple[str, Place]]:
        return {(rule, self._place(place)) for rule, places in plain.items() for place in places}

    def _finding(self, plain: Sequence[Any]) -> Finding:
        rule, place, message, notes, confidence, function, requests, cause, assumption, memo = plain
        return Finding(
            rule,
            self._place(place),
            message,
            tuple(FindingNote(text, where and self._place(where)) for text, where in notes),
            Confidence(confidence),
            function,
            tuple(FixRequest(at, tuple(ordinals), tuple(words), certain) for at, ordinals, words, certain in requests),
            cause and Cause(self._place(cause[0]), cause[1]),
            assumption and self._place(assumption),
            memo and self._place(memo),
        )
