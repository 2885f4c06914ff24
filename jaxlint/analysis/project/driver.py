"""The analysis from modules to findings: every module interpreted, events handed to the rules, one witness kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.findings import Analysis, AnalysisOptions, Project
from jaxlint.analysis.domain.frames import Frame, ModuleContext
from jaxlint.analysis.domain.state import State
from jaxlint.analysis.domain.values import ClassValue, FunctionValue
from jaxlint.analysis.jax import assumed_traces, initializer_checks, round_trips
from jaxlint.analysis.machine.cycles import release
from jaxlint.analysis.machine.interpreter import MAX_WORK, BudgetExhausted, Interpreter, allowance_of
from jaxlint.analysis.machine.project_questions import answer_to
from jaxlint.analysis.project.found import Findings, Listener, sinks
from jaxlint.analysis.project.leaf_groups import NOTHING_KEPT, Group, GroupOutcome, KeptGroups, LibraryLeft, noting
from jaxlint.analysis.project.semantics import SEMANTICS
from jaxlint.analysis.python import functions, inherited_methods
from jaxlint.progress import counted
from jaxlint.syntax.deep_stack import run_deep

if TYPE_CHECKING:
    from jaxlint.syntax.source import SourceFile


def analyse(
    project: Project, rules: Sequence[Listener], options: AnalysisOptions, kept: KeptGroups = NOTHING_KEPT
) -> Analysis:
    """Interpret the project's files and collect what the rules find, one finding per rule and operation."""
    return run_deep(lambda: _analyse(project, rules, options, kept))


def _analyse(project: Project, rules: Sequence[Listener], options: AnalysisOptions, kept: KeptGroups) -> Analysis:
    findings = Findings()
    it = Interpreter(project, options.api, SEMANTICS, sinks(rules, findings.here), options)
    failures = interpret_all(it, project, findings, kept)
    release(it)
    return Analysis(findings.whole.findings(), list(failures.items()), list(it.limited), it.statistics)


def interpret_all(
    it: Interpreter, project: Project, findings: Findings | None = None, kept: KeptGroups = NOTHING_KEPT
) -> dict[str, str]:
    """Interpret all files of a project: the library, then each group of leaves from where the library left the run.

    What is assumed to be traced is looked at last, once it is known what the leaves do with it. Gives the files on
    which the interpreter failed, and why.
    """
    leaves = frozenset[str]().union(*project.groups)
    library = [path for path in sorted(project.files) if path not in leaves]
    modules: set[str] = set()
    it.project = noting(project, modules) if leaves else project
    total = len(project.files)
    steps = counted("analysing modules", range(total), total)
    failures = _interpret_files(it, library, steps)
    if leaves:
        left = LibraryLeft(it, project, modules)
        for outcome in _of_groups(it, left, findings or Findings(), kept, steps):
            failures.update(outcome.failures)
            it.statistics.merge(outcome.statistics)
            it.limited.update(dict.fromkeys(outcome.limited))
    _assume_files(it, library, failures)
    return {path: failures[path] for path in sorted(failures)}


def _of_groups(
    it: Interpreter, left: LibraryLeft, findings: Findings, kept: KeptGroups, steps: Iterator[int]
) -> list[GroupOutcome]:
    """What each group of leaves comes to, in order; what is found is added to the findings."""
    outcomes = []
    for group in left.project.groups:
        outcome = kept.find(group, partial(answer_to, it))
        if outcome is None:
            outcome = _of_group(left, group, findings, steps)
            kept.keep(group, outcome)
        else:
            deque(islice(steps, len(group)), 0)
        outcomes.append(outcome)
        findings.whole.merge(outcome.found)
    left.learn(outcomes)
    return outcomes


def _of_group(left: LibraryLeft, group: Group, findings: Findings, steps: Iterator[int]) -> GroupOutcome:
    """What a group of leaves comes to."""
    it, modules = left.fork()
    with findings.apart() as found:
        failures = _interpret_files(it, group, steps)
        _assume_files(it, group, failures)
    left.put_back(it)
    outcome = left.outcome(it, found, failures, modules)
    release(it)
    return outcome


def _interpret_files(it: Interpreter, paths: Sequence[str], steps: Iterator[int]) -> dict[str, str]:
    """Interpret the bodies of files, then their functions. Gives the files on which the interpreter failed, and why."""
    failures: dict[str, str | None] = {}
    for path in paths:
        source = it.project.files[path]
        failures[path] = _guarded(it, source, partial(it.run_module, ModuleContext(source)))
    for path, _ in zip(paths, steps):
        failures[path] = failures[path] or interpret(it, it.project.files[path])
    return {path: failure for path, failure in failures.items() if failure is not None}


def _assume_files(it: Interpreter, paths: Sequence[str], failures: dict[str, str]) -> None:
    """Look at what is assumed to be traced in files; those on which the interpreter fails are added."""
    for path in paths:
        failure = None if path in failures else assume(it, it.project.files[path])
        if failure is not None:
            failures[path] = failure


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
