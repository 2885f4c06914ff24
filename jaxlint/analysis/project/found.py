"""What the rules find: one finding for each rule and operation, that of the best witness."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Protocol

from jaxlint.analysis.domain.findings import Finding, FixRequest, NoFix, Place
from jaxlint.analysis.events.event import Event, Filled, Worked
from jaxlint.analysis.events.tracing import ERRORS
from jaxlint.analysis.project import doubts
from jaxlint.diagnostics import Confidence


class Listener(Protocol):
    """What the analysis needs of a rule."""

    @property
    def slug(self) -> str:
        """Its name."""

    @property
    def on(self) -> tuple[type, ...]:
        """The events it listens for."""

    @property
    def check(self) -> Callable[[Any], Iterable[Any]]:
        """What it says of one event."""


Key = tuple[str, Place]


class Found:
    """The best finding of each rule at each operation, and those for which one invocation asks for no fix.

    In `working` are those that did not fail in some invocation, in `claimed` those of which nothing but annotations
    tells in any; `filled` are functions that keep what they compute, and that code outside of a trace calls.
    """

    def __init__(self) -> None:
        self.best: dict[Key, Finding] = {}
        self.unfixable: set[Key] = set()
        self.working: set[Key] = set()
        self.claimed: set[Key] = set()
        self.filled: set[Place] = set()

    def add(self, key: Key, finding: Finding, *, is_claimed: bool = False) -> None:
        """Keep the finding with the better witness, and what both ask for."""
        known = self.best.get(key)
        if is_claimed and (known is None or key in self.claimed):
            self.claimed.add(key)
        else:
            self.claimed.discard(key)
        if known is None:
            self.best[key] = finding
            return
        better = finding if finding.witness_order < known.witness_order else known
        self.best[key] = replace(better, requests=_all_requests(known.requests, finding.requests))

    def merge(self, other: Found) -> None:
        """Add what was found elsewhere."""
        for key, finding in other.best.items():
            self.add(key, finding, is_claimed=key in other.claimed)
        self.unfixable |= other.unfixable
        self.working |= other.working
        self.filled |= other.filled

    def findings(self) -> list[Finding]:
        """All of them, in order of rule and place."""
        doubtful = self._doubtful()
        return [self._settled(key, doubtful) for key in sorted(self.best)]

    def _doubtful(self) -> frozenset[Place]:
        """Functions that are assumed to be traced and cannot be, in more than one place: written to run as they are."""
        errors = {(finding.assumption, finding.place) for finding in self.best.values() if finding.assumption}
        counts = Counter(assumption for assumption, _ in errors)
        return frozenset(assumption for assumption, count in counts.items() if assumption is not None and count > 1)

    def _settled(self, key: Key, doubtful: frozenset[Place]) -> Finding:
        """A finding as all that is known in the end leaves it."""
        finding = self.best[key]
        is_contradicted = key in self.working and key in self.claimed
        if finding.assumption in doubtful or finding.memo in self.filled or is_contradicted:
            finding = replace(finding, confidence=Confidence.POSSIBLE)
        if key in self.unfixable:
            return replace(finding, requests=())
        if key in self.working:
            doubted = {replace(request, is_certain=False) for request in finding.requests}
            return replace(finding, requests=tuple(sorted(doubted)))
        return finding


class Findings:
    """All that is found in a run, of which some may be kept apart for a while."""

    def __init__(self) -> None:
        self.whole = self._here = Found()

    def here(self, _: Event) -> Found:
        """Where what is found now is kept."""
        return self._here

    @contextmanager
    def apart(self) -> Iterator[Found]:
        """What is found inside is kept by itself."""
        outer, self._here = self._here, Found()
        try:
            yield self._here
        finally:
            self._here = outer


def sinks(rules: Sequence[Listener], found: Callable[[Event], Found]) -> dict[type, list[Callable[[Event], None]]]:
    """What hands events to rules, by type; what they find is kept where `found` says for the event."""
    by_type: dict[type, list[Callable[[Event], None]]] = defaultdict(list)
    for rule in rules:
        for kind in rule.on:
            by_type[kind].append(_sink(rule, found))
    listening = {kind: [rule.slug for rule in rules if kind in rule.on] for kind in by_type}

    def receive(event: Event) -> None:
        if isinstance(event, Worked) and (slugs := listening.get(event.instead_of)):
            place, working = event.place, found(event).working
            for slug in slugs:
                working.add((slug, place))

    by_type[Worked].append(receive)

    def fill(event: Event) -> None:
        if isinstance(event, Filled):
            found(event).filled.add(event.memo)

    by_type[Filled].append(fill)
    return dict(by_type)


def _sink(rule: Listener, found: Callable[[Event], Found]) -> Callable[[Event], None]:
    def receive(event: Event) -> None:
        for each in rule.check(event):
            key = (rule.slug, each.place)
            if isinstance(each, NoFix):
                found(event).unfixable.add(key)
            else:
                assumption = each.assumption if event.__class__ in ERRORS else None
                finding = replace(doubts.settled(event, each), rule=rule.slug, assumption=assumption)
                found(event).add(key, finding, is_claimed=event.is_claimed)

    return receive


def _all_requests(known: tuple[FixRequest, ...], new: tuple[FixRequest, ...]) -> tuple[FixRequest, ...]:
    """What both ask for; a fix must suit every invocation, and one that asks for none has none that does."""
    if known == new:
        return known
    return tuple(sorted({*known, *new})) if known and new else ()
