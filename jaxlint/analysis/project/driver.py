"""The analysis from modules to findings: every module interpreted, events handed to the rules, one witness kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from jaxlint.analysis.domain.findings import Analysis, AnalysisOptions, Finding, FixRequest, NoFix, Place, Project
from jaxlint.analysis.domain.frames import Frame, ModuleContext
from jaxlint.analysis.domain.state import State
from jaxlint.analysis.events.event import Event
from jaxlint.analysis.machine.interpreter import MAX_WORK, BudgetExhausted, Interpreter
from jaxlint.analysis.project.semantics import SEMANTICS
from jaxlint.analysis.python import functions
from jaxlint.jaxapi.api import Api
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
    it = Interpreter(project, Api.load(options.target_jax), SEMANTICS, sinks(rules, lambda _: found), options)
    for path in counted("analysing modules", sorted(project.files), len(project.files)):
        failure = interpret(it, project.files[path])
        if failure is not None:
            analysis.failures.append((path, failure))
    analysis.findings = found.findings()
    analysis.statistics = it.statistics
    analysis.limited = list(it.limited)
    return analysis


def interpret(
    it: Interpreter, source: SourceFile, choose: Callable[[Interpreter, Frame], None] | None = None
) -> str | None:
    """Interpret one file with all its functions; gives the reason where the interpreter failed on it.

    `choose` may leave out functions when the module's body is done and they are about to be looked at.
    """
    try:
        module = it.run_module(ModuleContext(source))
        if choose is not None and module.frame is not None:
            choose(it, module.frame)
        _finish(it, module)
    except BudgetExhausted:
        it.limited[source.path] = None
        it.statistics.limits["work per module"] += 1
    except RecursionError:
        return "the code is nested too deep to be interpreted"
    except Exception as error:  # one file's failure must not end the run
        return f"{type(error).__name__}: {error}"
    finally:
        it.frame = None  # type: ignore[assignment]
        it.work, it.allowance = 0, MAX_WORK
        it.recordings.clear()
    return None


def _finish(it: Interpreter, module: ModuleContext) -> None:
    """Trace what nobody called, and look at the functions nobody entered, methods included."""
    frame = module.frame
    assert frame is not None
    with it.entering(frame):
        functions.finish_module(it, frame)
    frame.state = State(frame.state.env, frame.state.heap, {})


Key = tuple[str, Place]


class Found:
    """The best finding of each rule at each operation, and those for which one invocation asks for no fix."""

    def __init__(self) -> None:
        self.best: dict[Key, Finding] = {}
        self.unfixable: set[Key] = set()

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

    def findings(self) -> list[Finding]:
        """All of them, in order of rule and place."""
        return [_without_fix(self.best[key], key in self.unfixable) for key in sorted(self.best)]


def sinks(rules: Sequence[Listener], found: Callable[[Event], Found]) -> dict[type, list[Callable[[Event], None]]]:
    """What hands events to rules, by type; what they find is kept where `found` says for the event."""
    by_type: dict[type, list[Callable[[Event], None]]] = defaultdict(list)
    for rule in rules:
        for kind in rule.on:
            by_type[kind].append(_sink(rule, found))
    return dict(by_type)


def _sink(rule: Listener, found: Callable[[Event], Found]) -> Callable[[Event], None]:
    def receive(event: Event) -> None:
        for each in rule.check(event):
            key = (rule.slug, each.place)
            if isinstance(each, NoFix):
                found(event).unfixable.add(key)
            else:
                found(event).add(key, replace(each, rule=rule.slug))

    return receive


def _without_fix(finding: Finding, is_unfixable: bool) -> Finding:
    return replace(finding, requests=()) if is_unfixable else finding


def _all_requests(known: tuple[FixRequest, ...], new: tuple[FixRequest, ...]) -> tuple[FixRequest, ...]:
    """What both ask for; a fix must suit every invocation, and one that asks for none has none that does."""
    if known == new:
        return known
    return tuple(sorted({*known, *new})) if known and new else ()
