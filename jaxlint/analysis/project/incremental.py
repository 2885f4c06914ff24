"""One file analysed again and again while it is edited: what it imports once, of its functions those that an edit met.

A first answer looks at the functions that changed, and at those that may call them; what was found elsewhere stands.
Where functions share what they call, that is not always what a whole analysis says, which is why one follows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from jaxlint.analysis.domain.application import underlying
from jaxlint.analysis.domain.cancellation import Cancelled
from jaxlint.analysis.domain.findings import Analysis, AnalysisOptions, Project
from jaxlint.analysis.domain.frames import Frame
from jaxlint.analysis.domain.state import State
from jaxlint.analysis.domain.values import FunctionValue
from jaxlint.analysis.events.event import Event
from jaxlint.analysis.machine.interpreter import Interpreter
from jaxlint.analysis.project import driver
from jaxlint.analysis.project.found import Found, Listener, sinks
from jaxlint.analysis.project.semantics import SEMANTICS
from jaxlint.syntax.source import SourceFile

#: The statement that a node belongs to, by its ordinal.
RootOf = Callable[[int], int]


class _Stoppable(Interpreter):
    """Interprets as always, until it is told to stop."""

    is_stopped: Callable[[], bool]

    def block(self, body: Any) -> bool:
        """Interpret statements. Raises Cancelled."""
        if self.is_stopped():
            raise Cancelled
        return super().block(body)


class Repeated:
    """The analysis of one file through its versions; findings are kept by the statement that they start from."""

    def __init__(self, rules: Sequence[Listener], options: AnalysisOptions) -> None:
        self._rules = rules
        self._options = options
        self._found: dict[int, Found] = {}
        self._imported: _Imported | None = None
        self.failure: str | None = None

    def forget_imports(self) -> None:
        """Another file has changed: what this one imports is interpreted again."""
        self._imported = None

    def run(
        self,
        project: Project,
        source: SourceFile,
        root_of: RootOf,
        changed: Collection[int] | None,
        is_stopped: Callable[[], bool],
    ) -> Analysis:
        """Analyse the file; where `changed` is given, those functions only that stand in these statements.

        Must run where the stack is deep. Raises Cancelled, after which what was found last still stands.
        """
        found: defaultdict[int, Found] = defaultdict(Found)

        def keep(event: Event) -> Found:
            step = event.frame.chain(event.at)[0]
            return found[root_of(step.at) if step.path == source.path else -1]

        it = self._interpreter(project, source, is_stopped)
        it.sinks = sinks(self._rules, keep)
        choose = None if changed is None else _only(changed, root_of)
        self.failure = driver.interpret(it, source, choose)
        driver.assume(it, source, None if changed is None else lambda f: root_of(f.function.at) in changed)
        if changed is None:
            self._found = dict(found)
        else:
            kept = {root: known for root, known in self._found.items() if root not in changed and root != -1}
            self._found = {**kept, **{root: new for root, new in found.items() if root in changed or root not in kept}}
        return self._analysis(source.path)

    def drop(self, roots: Iterable[int]) -> None:
        """These statements are gone."""
        for root in roots:
            self._found.pop(root, None)

    def _analysis(self, path: str) -> Analysis:
        whole = Found()
        for root in sorted(self._found):
            whole.merge(self._found[root])
        failures = [] if self.failure is None else [(path, self.failure)]
        return Analysis(whole.findings(), failures)

    def _interpreter(self, project: Project, source: SourceFile, is_stopped: Callable[[], bool]) -> Interpreter:
        imports = source.module.imports
        if self._imported is None or self._imported.imports != imports:
            self._imported = _Imported(project, source, self._rules, self._options, is_stopped)
        return self._imported.interpreter(project, is_stopped)


def _only(changed: Collection[int], root_of: RootOf) -> Callable[[Interpreter, Frame], None]:
    """What leaves out the functions that stand, and were given to transforms, in other statements."""

    def choose(_: Interpreter, frame: Frame) -> None:
        frame.pending.definitions = [
            value
            for value in frame.pending.definitions
            if not isinstance(value, FunctionValue) or root_of(value.function.at) in changed
        ]
        frame.pending.deferred = [
            (target, application)
            for target, application in frame.pending.deferred
            if root_of(application.at) in changed or _stands_in(target, changed, root_of)
        ]

    return choose


def _stands_in(target: Any, changed: Collection[int], root_of: RootOf) -> bool:
    function = underlying(target)
    return function is not None and root_of(function.function.at) in changed


class _Imported:
    """The modules that a file imports, interpreted, and how they were left; each analysis starts from there.

    Nothing is kept where one of them imports the file itself.
    """

    def __init__(
        self,
        project: Project,
        source: SourceFile,
        rules: Sequence[Listener],
        options: AnalysisOptions,
        is_stopped: Callable[[], bool],
    ) -> None:
        self.imports = source.module.imports
        self._rules, self._options = rules, options
        self._frames: list[tuple[Frame, State]] = []
        self._it = self._new(project, is_stopped)
        self._load(project, source, is_stopped)

    def _new(self, project: Project, is_stopped: Callable[[], bool]) -> _Stoppable:
        to_nobody = sinks(self._rules, lambda _: Found())
        it = _Stoppable(project, self._options.api, SEMANTICS, to_nobody, self._options)
        it.is_stopped = is_stopped
        return it

    def _load(self, project: Project, source: SourceFile, is_stopped: Callable[[], bool]) -> None:
        """Interpret what the file imports, as if the file itself were not there."""
        is_circular = False

        def find(name: str) -> SourceFile | None:
            nonlocal is_circular
            found = project.find_module(name)
            if found is None or found.path != source.path:
                return found
            is_circular = True
            return None

        self._it.project = replace(project, find_module=find)
        try:
            for name in self.imports:
                self._it.module(name)
        except Exception:  # it will happen again where it is told of
            is_circular = True
        if is_circular:
            self._it = self._new(project, is_stopped)
        self._it.work = 0
        modules = self._it.modules.values()
        self._frames = [(m.frame, m.frame.state.fork()) for m in modules if m.frame is not None]

    def interpreter(self, project: Project, is_stopped: Callable[[], bool]) -> Interpreter:
        """An interpreter that knows the modules as they were left at first."""
        it = self._it.fork()
        for frame, state in self._frames:
            frame.state = state.fork()
        it.project = project
        it.is_stopped = is_stopped
        return it
