"""The analysis from modules to findings: every module interpreted, events handed to the rules, one witness kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from jaxlint.analysis import functions
from jaxlint.analysis.events.event import Event
from jaxlint.analysis.findings import Analysis, AnalysisOptions, Finding, FixRequest, NoFix, Place, Project
from jaxlint.analysis.frames import ModuleContext
from jaxlint.analysis.interpreter import BudgetExhausted, Interpreter
from jaxlint.analysis.state import State
from jaxlint.jaxapi.api import Api
from jaxlint.progress import counted

if TYPE_CHECKING:
    from jaxlint.syntax.source import SourceFile
from jaxlint.syntax.deep_stack import run_deep


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
    best: dict[tuple[str, Place], Finding] = {}
    unfixable: set[tuple[str, Place]] = set()
    it = Interpreter(project, Api.load(options.target_jax), _sinks(rules, best, unfixable), options)
    for path in counted("analysing modules", sorted(project.files), len(project.files)):
        failure = interpret(it, project.files[path])
        if failure is not None:
            analysis.failures.append((path, failure))
    analysis.findings = [_without_fix(best[key], key in unfixable) for key in sorted(best)]
    analysis.statistics = it.statistics
    return analysis


def interpret(it: Interpreter, source: SourceFile) -> str | None:
    """Interpret one file with all its functions; gives the reason where the interpreter failed on it."""
    try:
        _finish(it, it.run_module(ModuleContext(source)))
    except BudgetExhausted:
        it.statistics.limits["steps per module"] += 1
    except RecursionError:
        return "the code is nested too deep to be interpreted"
    except Exception as error:  # one file's failure must not end the run
        return f"{type(error).__name__}: {error}"
    finally:
        it.frame = None  # type: ignore[assignment]
        it.steps = 0
        it.summaries.recordings.clear()
    return None


def _finish(it: Interpreter, module: ModuleContext) -> None:
    """Trace what nobody called, and look at the functions nobody entered, methods included."""
    frame = module.frame
    assert frame is not None
    with it.entering(frame):
        functions.finish_module(it, frame)
    frame.state = State(frame.state.env, frame.state.heap, {})


def _sinks(
    rules: Sequence[Listener], best: dict[tuple[str, Place], Finding], unfixable: set[tuple[str, Place]]
) -> dict[type, list[Callable[[Event], None]]]:
    sinks: dict[type, list[Callable[[Event], None]]] = defaultdict(list)
    for rule in rules:
        for kind in rule.on:
            sinks[kind].append(_sink(rule, best, unfixable))
    return dict(sinks)


def _sink(
    rule: Listener, best: dict[tuple[str, Place], Finding], unfixable: set[tuple[str, Place]]
) -> Callable[[Event], None]:
    def receive(event: Event) -> None:
        for found in rule.check(event):
            key = (rule.slug, found.place)
            if isinstance(found, NoFix):
                unfixable.add(key)
                continue
            finding = replace(found, rule=rule.slug)
            known = best.get(key)
            if known is None:
                best[key] = finding
                continue
            better = finding if finding.witness_order < known.witness_order else known
            best[key] = replace(better, requests=_all_requests(known.requests, finding.requests))

    return receive


def _without_fix(finding: Finding, is_unfixable: bool) -> Finding:
    return replace(finding, requests=()) if is_unfixable else finding


def _all_requests(known: tuple[FixRequest, ...], new: tuple[FixRequest, ...]) -> tuple[FixRequest, ...]:
    """What both ask for; a fix must suit every invocation, and one that asks for none has none that does."""
    if known == new:
        return known
    return tuple(sorted({*known, *new})) if known and new else ()
