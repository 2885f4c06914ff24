"""The abstract interpreter: one current frame, events out; statements, expressions and calls live beside it.

Over-approximates what values can be and under-approximates what is reported: a construct that is not understood
gives Unknown, never a guess.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from jaxlint.analysis.domain.builtin_names import BUILTINS
from jaxlint.analysis.domain.findings import AnalysisOptions, AnalysisStatistics, Place, Project
from jaxlint.analysis.domain.frames import Frame, ModuleContext
from jaxlint.analysis.domain.idents import (
    AttributeOf,
    ElementOf,
    Fresh,
    Given,
    HeapKey,
    Ident,
    Index,
    Item,
    MadeAt,
    OfGlobal,
    Version,
    made_at,
)
from jaxlint.analysis.domain.state import State, join_cells, join_states
from jaxlint.analysis.domain.values import (
    Arguments,
    Birth,
    Cell,
    Level,
    ModuleValue,
    Object,
    Qualified,
    Reason,
    Static,
    Unknown,
    Value,
    ident_of,
)
from jaxlint.analysis.events.arrays import STORES
from jaxlint.analysis.events.event import Event, Operand, Worked
from jaxlint.analysis.events.refusals import REFUSALS
from jaxlint.analysis.events.tracing import CERTAIN_ERRORS, ERRORS
from jaxlint.analysis.machine import cells, dependencies
from jaxlint.analysis.machine.entering import Entering
from jaxlint.analysis.machine.run_facts import RunFacts, TracingErrors
from jaxlint.analysis.machine.run_tables import Tables
from jaxlint.jaxapi.api import Api
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.analysis.domain.findings import Like
    from jaxlint.analysis.machine.dependencies import Recording
    from jaxlint.analysis.machine.semantics import LibrarySemantics, Semantics

#: Work that one module may take, in evaluated expressions and comparisons of paths: a few seconds. Beyond it the rest
#: of the module is left alone, and reported.
MAX_WORK = 400_000
#: What it may take more for each node of its source, and of a function's body that nothing came to before: ordinary
#: code takes one to seven.
MAX_WORK_PER_NODE = 8
#: Work that one function may take of which no call is known, so that it does not cost the others of its module.
MAX_WORK_OF_FUNCTION = 120_000
#: Nested interpreted calls.
MAX_DEPTH = 12

_BUILTINS = {name: Qualified(f"builtins.{name}") for name in BUILTINS}

Sink = Callable[[Event], None]
_Self = TypeVar("_Self", bound="Interpreter")


def allowance_of(module: ir.Module) -> int:
    """The work that the interpretation of a module may take."""
    return MAX_WORK + MAX_WORK_PER_NODE * module.node_count


class BudgetExhausted(Exception):  # noqa: N818 - it ends a module's interpretation, and is no error
    """Interpretation took more work than it is allowed; the rest of what was interpreted is not looked at."""


class Interpreter:
    """Interprets the modules of one project; `emit` hands events to the rules.

    `frame` is the invocation being interpreted, the innermost of `entered` ones. Its state is replaced at every fork
    and join.
    """

    def __init__(
        self,
        project: Project,
        api: Api,
        semantics: Semantics,
        sinks: Mapping[type, list[Sink]],
        options: AnalysisOptions,
    ) -> None:
        self.project = project
        self.api = api
        self.sinks = sinks
        self.options = options
        self.likes: Mapping[str, Like] = {like.name: like for like in options.likes}
        self.statistics = AnalysisStatistics()
        self.modules: dict[str, ModuleContext] = {}
        self.module_objects: dict[int, Cell] = {}  # by serial number, as the bodies of the modules left them
        self.frame: Frame  # set when the first one is entered
        self.entered = 0
        self.steps = 0  # statements
        self.work = 0  # done for the module at hand
        self.allowance = MAX_WORK
        self._allowed = 0  # of it, for first looks
        self.limited: dict[str, None] = {}  # paths of modules, not all of which was interpreted
        self.tables = Tables()
        self.facts = self.tables[RunFacts]
        self.recordings: list[Recording] = []  # of the calls at hand, the outermost first
        self.counted: set[tuple[str, int]] = set()
        self._serial = 0
        self._library: dict[str, Qualified] = {}
        self._followed: set[str] = set()
        self._listed: dict[str, bool] = {}
        self._shadowed: dict[str, bool] = {}  # libraries, by whether a module of the project has the same name
        self.library: LibrarySemantics = semantics.library
        self._semantics = semantics
        self._expressions = semantics.expressions
        self._statements = semantics.statements

    def fork(self: _Self) -> _Self:
        """An interpreter that goes on from here, between two modules, without a change to this one.

        What it counts begins anew; frames of modules are shared, with the states that they have.
        """
        forked = copy.copy(self)
        forked.tables = self.tables.fork()
        forked.facts = forked.tables[RunFacts]
        forked.modules = dict(self.modules)
        forked.module_objects = dict(self.module_objects)
        forked._library, forked._listed, forked._shadowed = (
            dict(self._library),
            dict(self._listed),
            dict(self._shadowed),
        )
        forked.statistics, forked.counted, forked.recordings = AnalysisStatistics(), set(), []
        forked.work, forked.limited = 0, dict(self.limited)
        return forked

    # --- evaluation

    def eval(self, node: ir.Expr) -> Value:
        """The value of an expression in the current state; emits the events of evaluating it."""
        self.work += 1
        return self._expressions[node.__class__](self, node)

    def eval_optional(self, node: ir.Expr | None) -> Value | None:
        """The value, or None where there is no expression."""
        return None if node is None else self.eval(node)

    def block(self, body: ir.Block) -> bool:
        """Interpret statements; False where control does not come out at the end."""
        statements = self._statements
        for statement in body:
            self.steps += 1
            self.spend(1)
            if not statements[statement.__class__](self, statement) or self.frame.failed:
                self.frame.failed = False
                return False
        return True

    def spend(self, work: int) -> None:
        """Count work; one unit is about as much as evaluating a name. Raises BudgetExhausted where it is too much."""
        self.work += work
        if self.work > self.allowance:
            raise BudgetExhausted

    def allow(self, function: ir.Function) -> None:
        """Allow the first look at a function's body, which someone has to take."""
        if id(function) not in self.facts.looked_at:
            self.facts.looked_at.add(id(function))
            self.allowance += MAX_WORK_PER_NODE * function.node_count
            self._allowed += MAX_WORK_PER_NODE * function.node_count

    @contextmanager
    def within(self, allowance: int) -> Iterator[None]:
        """Allow no more than this work for what is done inside; where it is not enough, go on behind it."""
        outer, path = self.allowance - self._allowed, self.frame.path
        self.allowance = min(self.allowance, self.work + allowance)
        try:
            yield
        except BudgetExhausted:
            if self.work > outer + self._allowed:
                raise
            self.limited[path] = None
            self.statistics.limits["work per function"] += 1
        finally:
            self.allowance = outer + self._allowed

    def attribute(self, value: Value, name: str, at: int) -> Value:
        """The value of `value.name`; None among several atoms is left out, since reading from it would raise."""
        return self._semantics.attribute(self, value, name, at)

    def call(self, callee: Value, arguments: Arguments, node: ir.Expr) -> Value:
        """Call a value; where it is one of several, each is called on the same state and the results are joined."""
        return self._semantics.call(self, callee, arguments, node)

    def bind(self, name: str, value: Value, target: ir.Expr | None = None, source: ir.Expr | None = None) -> None:
        """Bind a name where Python would: here, in the module (`global`) or in an enclosing function (`nonlocal`)."""
        self._semantics.bind(self, name, value, target, source)

    def branch(self, state: State, run: Callable[[], bool]) -> State | None:
        """The state after `run` started from `state`; None where control does not come out."""
        self.frame.state = state
        return self.frame.state if run() else None

    def resume(self, *states: State | None) -> bool:
        """Go on in the join of these states; False where none arrives."""
        joined: State | None = None
        for state in states:
            joined = join_states(joined, state)
        if joined is None:
            return False
        frame = self.frame
        frame.state = joined
        if frame.narrowed and sum(state is not None for state in states) > 1:
            frame.forget_narrowed(frozenset())
        return True

    # --- names

    def peek(self, name: str) -> Value | None:
        """The value of a name as far as it is bound in the frames around, without events."""
        value = self.frame.state.env.get(name)
        if value is not None:
            return value
        found = self.find_binding(name)
        return None if found is None else found[1]

    def find_binding(self, name: str) -> tuple[Frame, Value] | None:
        """The enclosing frame that binds a name, and its value there; class bodies are not enclosing scopes."""
        frame: Frame | None = self.frame
        first = True
        while frame is not None:
            if first or frame.kind != "class":
                value = frame.state.env.get(name)
                if value is not None:
                    if not first and self.recordings and dependencies.may_change(frame, value):
                        dependencies.read_name(self.recordings, frame, name, value)
                    return frame, value
            first = False
            frame = frame.closure
        return None

    def builtin(self, name: str) -> Value:
        """A builtin, or an unknown global that is told apart by its name."""
        known = _BUILTINS.get(name)
        if known is not None:
            return known
        return Unknown(OfGlobal(self.frame.path, name), Reason(f"`{name}` is not bound here", self.frame.path, -1))

    # --- identity, places, heap

    def fresh(self) -> int:
        """A number never given before in this run."""
        self._serial += 1
        return self._serial

    def ident(self, at: int) -> Ident:
        """A new identity for a value made at this node."""
        return MadeAt(at, self.fresh())

    def place(self, at: int) -> Place:
        """A node of the current file."""
        return Place(self.frame.path, at)

    def unknown(self, what: str, at: int) -> Unknown:
        """An unknown value that is told apart from others and says why it is unknown."""
        return Unknown(self.ident(at), Reason(what, self.frame.path, at))

    def element_ident(self, base: Ident, index: Index) -> Ident:
        """The identity of an element; of what is not told apart itself, nothing is known to be the same."""
        return Item(base, Fresh(self.fresh()) if base is None else index)

    def birth(self, at: int) -> Birth:
        """The birth of an object made at this node."""
        return Birth(self.frame.serial, self.frame.path, at)

    def allocate(self, cell: Cell) -> Object:
        """A new heap object."""
        oid = self.fresh()
        self.frame.state.write(oid, cell)
        return Object(oid)

    def allocate_element(self, whole: Object, cell: Cell) -> Object:
        """A new heap object that is one of those for which `whole` stands: that becomes what this one becomes, too."""
        element = self.allocate(cell)
        self.frame.state.write(ElementOf(element.oid), whole)
        return element

    def cell(self, reference: Object) -> Cell | None:
        """The heap cell behind an object; None where another state held it."""
        oid = reference.oid
        found: Cell | None = self.held(oid)
        recordings = self.recordings
        if recordings and oid < recordings[-1].start:
            dependencies.read_entry(recordings, oid, oid, found)
        return found

    def held(self, key: HeapKey) -> Any:
        """A heap entry, which no call will rest on; objects of other modules are as those left them."""
        found = self.frame.state.heap.get(key)
        return self.module_objects.get(key) if found is None and isinstance(key, int) else found

    def entry(self, key: AttributeOf | Version | Given) -> Any:
        """What is known of the contents of an unknown object; None where that is nothing."""
        found = self.frame.state.heap.get(key)
        if self.recordings:
            dependencies.read_entry(self.recordings, key, made_at(key.base), found)
        return found

    def update(self, reference: Object, cell: Cell) -> None:
        """Replace an object's cell; one of another module may be as it was, too, since not every path comes here."""
        state = self.frame.state
        before = None if reference.oid in state.heap else self.module_objects.get(reference.oid)
        state.write(reference.oid, cell if before is None else join_cells(before, cell))
        dependencies.change(self.recordings, min(reference.oid, cell.birth.frame), reference.oid)
        whole = state.heap.get(ElementOf(reference.oid))
        if whole is not None:
            self.update(whole, join_cells(self.cell(whole) or cell, cell))

    # --- events

    def wants(self, kind: type[Event]) -> bool:
        """Whether any rule listens."""
        return kind in self.sinks

    def emit(self, event: Event) -> None:
        """Hand an event to the rules that listen for its type; what a test or a `try` expects is their own affair."""
        caveats = self.frame.caveats
        if caveats.must_raise:
            self.works(event.at, event.__class__)
            return  # it raises before some part of this; which part, we do not know
        if caveats.suited and event.__class__ in ERRORS:
            return
        if self.frame.is_caught:
            self.works(event.at, event.__class__)
            if event.__class__ in ERRORS:
                if event.__class__ in CERTAIN_ERRORS:
                    self.tables[TracingErrors].caught[self.frame.path] = event
                return
        if (self.frame.expecting and event.__class__ in STORES) or (self.frame.trying and event.__class__ in REFUSALS):
            return
        for sink in self.sinks.get(event.__class__, ()):
            sink(event)

    def works(self, at: int, instead_of: type[Event]) -> None:
        """Say that an operation which may fail elsewhere does not fail in this invocation, or is expected to."""
        if instead_of in self.sinks:
            for sink in self.sinks.get(Worked, ()):
                sink(Worked(self.frame, at, instead_of))

    def operand(self, value: Value, node: ir.Expr) -> Operand:
        """A value where it is used."""
        return Operand(value, self.frame, node.at)

    def tell_numbers(self, values: Iterable[Value]) -> None:
        """An array is made with these values: numbers that a counter gave while tracing stay what they are."""
        for value in values:
            event = self.facts.numbers.get(ident_of(value)) if value.__class__ is Static else None
            if event is not None:
                self.emit(event)

    def decide(self, kind: str, at: int) -> None:
        """Count one operation that could be a finding, once per place, by what was known of it."""
        key = (self.frame.path, at)
        if key not in self.counted:
            self.counted.add(key)
            self.statistics.decided[kind] += 1

    def undecided(self, value: Unknown, at: int) -> None:
        """Count an operation about which nothing is known, and what made it so."""
        key = (self.frame.path, at)
        if key not in self.counted:
            self.counted.add(key)
            self.statistics.decided["unknown"] += 1
            self.statistics.unknown_callees[value.reason.what if value.reason else "value of unknown origin"] += 1

    def is_traced_test(self, at: int) -> bool:
        """Whether the test at this node needed a traced value in the current invocation."""
        return (self.frame.serial, at) in self.facts.traced_tests

    def is_type_test(self, at: int) -> bool:
        """Whether the test at this node asked for the type of a value in the current invocation, undecided."""
        return (self.frame.serial, at) in self.facts.type_tests

    # --- modules

    def resolve(self, qualified: str) -> Value:
        """The value of a fully qualified name: a project module or something in one, else a library name."""
        known = self._library.get(qualified)
        if known is not None:
            return known
        listed = self._is_listed(qualified)
        found = None if listed else self._project_value(qualified)
        if found is not None:
            return found
        known = Qualified(self.api.canonical(qualified))
        if listed or self.project.find_module(qualified.partition(".")[0]) is None:
            self._library[qualified] = known  # no module of the project will ever bind it
        return known

    def _is_listed(self, qualified: str) -> bool:
        """Whether tables say what a name does: then its source is not looked into, where the library is the project."""
        known = self._listed.get(qualified)
        if known is None:
            known = self._listed[qualified] = self._stands_in_tables(qualified)
        return known

    def _stands_in_tables(self, qualified: str) -> bool:
        canonical = self.api.canonical(qualified)
        is_class = bool(self.api.class_kind(canonical)) or self.api.annotation(canonical) is not None
        if not is_class and not self.api.is_listed(qualified):
            return False
        library = qualified.partition(".")[0]
        if library not in self._shadowed:
            source = self.project.find_module(library)
            self._shadowed[library] = source is not None and not source.is_package  # a script called jax.py
        return not self._shadowed[library]

    def _project_value(self, qualified: str) -> Value | None:
        module = self.module(qualified)
        if module is not None:
            return ModuleValue(module)
        parent, dot, name = qualified.rpartition(".")
        if not dot:
            return None
        holder = self._project_value(parent)
        if isinstance(holder, ModuleValue):
            return self.module_attribute(holder.module, name)
        if holder is None or qualified in self._followed:
            return None
        self._followed.add(qualified)  # names that modules import from each other may end in themselves
        try:
            return self.attribute(holder, name, -1)
        finally:
            self._followed.discard(qualified)

    def module(self, name: str) -> ModuleContext | None:
        """The project's module of this dotted name, interpreted as far as it can be; None where there is none."""
        if name in self.modules:
            return self.modules[name]
        source = self.project.find_module(name)
        if source is None:
            return None
        return self.run_module(ModuleContext(source, checked=source.path in self.project.files))

    def module_attribute(self, module: ModuleContext, name: str) -> Value:
        """A name of a project module, as its body left it; a submodule where no name is bound."""
        if self._is_listed(f"{module.source.name}.{name}"):
            return Qualified(self.api.canonical(f"{module.source.name}.{name}"))
        value = None if module.frame is None else module.frame.state.env.get(name)
        if value is not None:
            return value
        submodule = self.module(f"{module.source.name}.{name}")
        if submodule is not None:
            return ModuleValue(submodule)
        return Unknown(OfGlobal(module.path, name), Reason(f"`{name}` of {module.source.name}", module.path, -1))

    def run_module(self, module: ModuleContext) -> ModuleContext:
        """Interpret a module's body once; a module that is being interpreted is returned as it stands."""
        name = module.source.name
        if name in self.modules:
            return self.modules[name]
        self.modules[name] = module
        body = module.source.module
        frame = Frame(module, body.scope, self.fresh(), State({}, {}, {}), ambient=Level.CONCRETE, kind="module")
        module.frame = frame
        outer = (self.work, self.allowance)
        self.work, self.allowance = 0, allowance_of(body)
        try:
            with self.entering(frame):
                cells.run_body(self, module.source, body.body)
        except BudgetExhausted:
            self.limited[module.path] = None
            self.statistics.limits["work per module"] += 1
        finally:
            if self.entered:
                self.work, self.allowance = outer
        self.module_objects.update((oid, cell) for oid, cell in frame.state.heap.items() if isinstance(oid, int))
        return module

    def entering(self, frame: Frame) -> AbstractContextManager[Frame]:
        """Make `frame` the current one for a while."""
        return Entering(self, frame)
