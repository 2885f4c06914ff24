"""The analysis from modules to findings: every module interpreted, events handed to the rules, one witness kept."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from jaxlint.analysis.domain.findings import Analysis, AnalysisOptions, Finding, FixRequest, NoFix, Place, Project
from jaxlint.analysis.domain.frames import Frame, ModuleContext
from jaxlint.analysis.domain.state import State
from jaxlint.analysis.domain.values import ClassValue, FunctionValue
from jaxlint.analysis.events.event import Event, Filled, Worked
from jaxlint.analysis.events.tracing import ERRORS
from jaxlint.analysis.jax import assumed_traces, initializer_checks, round_trips
from jaxlint.analysis.machine.interpreter import MAX_WORK, BudgetExhausted, Interpreter, allowance_of
from jaxlint.analysis.project.semantics import SEMANTICS
from jaxlint.analysis.python import functions, inherited_methods
from jaxlint.diagnostics import Confidence
from jaxlint.progress import counted
from jaxlint.syntax.deep_stack import run_deep

if TYPE_CHECKING:
    from jaxlint.syntax.source import SourceFile


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


def analyse(project: Project, rules: Sequence[Listener], options: AnalysisOptions) -> Analysis:
    """Interpret the project's files and collect what the rules find, one finding per rule and operation."""
    return run_deep(lambda: _analyse(project, rules, options))


def _analyse(project: Project, rules: Sequence[Listener], options: AnalysisOptions) -> Analysis:
    analysis = Analysis()
    found = Found()
    it = Interpreter(project, options.api, SEMANTICS, sinks(rules, lambda _: found), options)
    analysis.failures = list(interpret_all(it, project).items())
    analysis.findings = found.findings()
    analysis.statistics = it.statistics
    analysis.limited = list(it.limited)
    return analysis


def interpret_all(it: Interpreter, project: Project) -> dict[str, str]:
    """Interpret all files of a project: the bodies of modules, their functions, then what is assumed to be traced.

    Gives the files on which the interpreter failed, and why.
    """
    paths = sorted(project.files)
    failures: dict[str, str | None] = {}
    for path in paths:
        source = project.files[path]
        failures[path] = _guarded(it, source, partial(it.run_module, ModuleContext(source)))
    for path in counted("analysing modules", paths, len(paths)):
        failures[path] = failures[path] or interpret(it, project.files[path])
    for path in paths:
        failures[path] = failures[path] or assume(it, project.files[path])
    return {path: failure for path, failure in failures.items() if failure is not None}


def interpret(
    it: Interpreter, source: SourceFile, choose: Callable[[Interpreter, Frame], None] | None = None
) -> str | None:
    """Interpret one file with all its functions; gives the reason where the interpreter failed on it.

    `choose` may leave out functions when the module's body is done and they are about to be looked at.
    """

    def run() -> None:
        module = it.run_module(ModuleContext(source))
        if choose is not None and module.frame is not None:
            choose(it, module.frame)
        _finish(it, module)

    return _guarded(it, source, run)


def assume(it: Interpreter, source: SourceFile, wanted: Callable[[FunctionValue], bool] | None = None) -> str | None:
    """Look at what only an assumption says to be traced, once all that may be known of it is."""

    def run() -> None:
        module = it.run_module(ModuleContext(source))
        if module.frame is not None:
            with it.entering(module.frame):
                assumed_traces.run(it, module.frame, wanted)

    return _guarded(it, source, run)


def _guarded(it: Interpreter, source: SourceFile, run: Callable[[], object]) -> str | None:
    """Run a part of the analysis of one file; gives the reason where the interpreter failed on it."""
    it.allowance = allowance_of(source.module)
    try:
        run()
    except BudgetExhausted:
        it.limited[source.path] = None
        it.statistics.limits["work per module"] += 1
    except RecursionError:
        return "the code is nested too deep to be interpreted"
    except Exception as error:  # one file's failure must not end the run
        return f"{type(error).__name__}: {error}"
    finally:
        it.work, it.allowance = 0, MAX_WORK
        it.recordings.clear()
    return None


def _finish(it: Interpreter, module: ModuleContext) -> None:
    """Trace what nobody called, and look at the functions nobody entered, methods included, those inherited too."""
    frame = module.frame
    assert frame is not None
    made = [value for value in frame.pending.definitions if isinstance(value, ClassValue)]
    with it.entering(frame):
        try:
            functions.finish_module(it, frame)
            for cls in made:
                inherited_methods.run(it, frame, cls)
                initializer_checks.check(it, cls)
                round_trips.check(it, cls)
        finally:
            functions.answer(frame)
    frame.state = State(frame.state.env, frame.state.heap, {}, started=frame.state.started)


Key = tuple[str, Place]


class Found:
    """The best finding of each rule at each operation, and those for which one invocation asks for no fix.

    In `working` are those that did not fail in some invocation; `filled` are functions that keep what they compute, and
    that code outside of a trace calls.
    """

    def __init__(self) -> None:
        self.best: dict[Key, Finding] = {}
        self.unfixable: set[Key] = set()
        self.working: set[Key] = set()
        self.filled: set[Place] = set()

    def add(self, key: Key, finding: Finding) -> None:
        """Keep the finding with the better witness, and what both ask for."""
        known = self.best.get(key)
        if known is None:
            self.best[key] = finding
            return
        better = finding if finding.witness_order < known.witness_order else known
        self.best[key] = replace(better, requests=_all_requests(known.requests, finding.requests))

    def merge(self, other: Found) -> None:
        """Add what was found elsewhere."""
        for key, finding in other.best.items():
            self.add(key, finding)
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
        if finding.assumption in doubtful or finding.memo in self.filled:
            finding = replace(finding, confidence=Confidence.POSSIBLE)
        if key in self.unfixable:
            return replace(finding, requests=())
        if key in self.working:
            doubted = {replace(request, is_certain=False) for request in finding.requests}
            return replace(finding, requests=tuple(sorted(doubted)))
        return finding


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
                found(event).add(key, replace(each, rule=rule.slug, assumption=assumption))

    return receive


def _all_requests(known: tuple[FixRequest, ...], new: tuple[FixRequest, ...]) -> tuple[FixRequest, ...]:
    """What both ask for; a fix must suit every invocation, and one that asks for none has none that does."""
    if known == new:
        return known
    return tuple(sorted({*known, *new})) if known and new else ()
