"""Invocations: a module's context, the frame of one interpreted call, and the trace it runs under."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain.state import Condition, State, Step
from jaxlint.analysis.domain.values import ClassValue, Level, Origin, Union, Value

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.syntax import ir
    from jaxlint.syntax.source import SourceFile


@dataclass(slots=True, eq=False)
class ModuleContext:
    """One module while it is interpreted. `frame` exists from the moment its body starts to run."""

    source: SourceFile
    frame: Frame | None = None
    checked: bool = True

    @property
    def path(self) -> str:
        """The file's path."""
        return self.source.path

    def text(self, at: int) -> str:
        """The source of a node, on one line and cut to a readable length; a tuple has its parentheses."""
        segment = self.source.segment(at)
        if "," in segment and _is_tuple(self.source, at):
            segment = f"({segment})"
        folded = " ".join(segment.split())
        return folded if len(folded) <= 60 else folded[:57] + "..."


def _is_tuple(source: SourceFile, at: int) -> bool:
    """Whether parentheses stand around a text that a comma divides: the span of a tuple leaves them out."""
    start, end = source.offsets(at)
    if source.text[start - 1 : start] != "(" or source.text[end : end + 1] != ")":
        return False
    depth = 0
    for character in source.text[start:end]:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            return True
    return False


class Outside(NamedTuple):
    """What a value is outside of the trace that it was lifted into, if it is traced there as well."""

    level: Level
    origin: Origin | None


@dataclass(slots=True, eq=False)
class Trace:
    """A function being traced: by which transform, from where, and what its operations give.

    `level` is that of this transform alone, `ambient` the highest of it and the traces around it: the level
    of every array operation inside. `entry` is the serial number at which the trace started: what was made
    before it is outside. `unmapped` are the identities of arguments that every row of a mapped function gets.
    `outside` holds, by the places of the origins that lifted arguments have inside, what they were outside.
    """

    transform: str
    level: Level
    ambient: Level
    origin: Origin
    entry: int
    function: str
    parent: Trace | None = None
    unmapped: frozenset[Any] = frozenset()
    outside: dict[int, Outside] = field(default_factory=dict)
    application: Application | None = None
    hypothetical: bool = False
    is_stored: bool = False  # the compiled function was made once, to be kept
    is_abstract: bool = False  # only its shapes or its program are asked for: nothing is compiled or run
    is_scope: bool = False  # a part of the trace around it, gone through once each time that this is traced
    is_branch: bool = False  # one of several functions, gone through at most once each time that this is traced
    is_untaken: bool = False  # it is one of them, and another is known to run
    is_uncalled: bool = False  # no call of the function is known
    kept_by: Hashable | None = None  # what the compiled function is kept by, with all that it read
    merges_objects: bool = False  # objects that are changed inside are changed outside, too
    static_objects: Mapping[int, str] = field(default_factory=dict)  # the static parameters that hold them
    given_functions: frozenset[tuple[str, int]] = frozenset()  # where those among the arguments are defined: static
    body: Frame | None = None  # the invocation that it starts, where a function of the project is interpreted
    axes: frozenset[str] | None = frozenset()  # the names of axes that it binds; None where they are not known

    @property
    def is_hypothetical(self) -> bool:
        """Whether a parameter of this trace or one around it may be at its default, which we do not know."""
        return self.hypothetical or (self.parent is not None and self.parent.is_hypothetical)

    def crossed(self, serial: int) -> Iterator[Trace]:
        """The traces that something made at this serial number is outside of, innermost first."""
        trace: Trace | None = self
        while trace is not None and trace.entry > serial:
            yield trace
            trace = trace.parent

    def runs_less_often(self, serial: int) -> bool:
        """Whether Python code here runs less often than it seems to from where something was made."""
        return any(trace.level is Level.MAPPED or trace.is_compiled for trace in self.crossed(serial))

    @property
    def is_compiled(self) -> bool:
        """Whether what is traced is run later, many times perhaps, without its Python code."""
        return self.level is Level.TRACED and not self.is_abstract and not self.is_scope

    @property
    def draws(self) -> bool:
        """Whether random numbers are drawn inside: not where only shapes or a program are asked for, nor if untaken."""
        return not (self.is_abstract or self.is_untaken) and (self.parent is None or self.parent.draws)

    @property
    def is_run(self) -> bool:
        """Whether what is traced is part of something that runs."""
        return not self.is_abstract and (self.parent is None or self.parent.is_run)

    @property
    def all_axes(self) -> frozenset[str] | None:
        """The names of axes that it and the traces around it bind; None where some are not known."""
        around = frozenset[str]() if self.parent is None else self.parent.all_axes
        return None if around is None or self.axes is None else around | self.axes

    @property
    def is_called(self) -> bool:
        """Whether a call of what is traced is known, and of all traces around it."""
        return not self.is_uncalled and (self.parent is None or self.parent.is_called)

    @property
    def runs_once(self) -> bool:
        """Whether Python code inside runs at trace time only, so that its effects do not repeat."""
        return self.ambient is Level.TRACED and self.is_run


class Caveats(NamedTuple):
    """What limits what may be said of code, from where it stands; calls inherit it."""

    catches: bool = False  # a handler around expects errors of tracing
    gives_up: bool = False  # and none of them goes on without what failed
    may_be_deleted: bool = False  # a handler around expects what the use of a deleted array raises
    must_raise: bool = False  # a test expects that something here raises
    type_asked: bool = False  # behind an undecided test of the type of a value
    rank_asked: bool = False  # behind an undecided test of the shape of an array
    value_asked: bool = False  # behind a test that something of which nothing is known is no tracer
    array_asked: bool = False  # behind a test, in a trace, that something of which nothing is known is no array of JAX
    defaulted: bool = False  # an optional parameter was not given, in a call that nobody has seen
    may_not_run: bool = False  # a reduction calls it only if its tree, of unknown structure, has two leaves
    eager: bool = False  # compilation is off
    one_is_compiled: bool = False  # of several functions that may be called here, another is this one, compiled
    one_of_several: bool = False  # what is done here is done with one of several values, and suits another
    one_of_methods: bool = False  # several classes have the method that runs: an object of another one may be at hand
    one_of_overrides: bool = False  # several classes below have the method that runs: what it stores may not be stored
    one_of_receivers: bool = False  # it is a method of one of several objects, which a test chose
    assumed: bool = False  # nothing in view traces it: that it is traced is an assumption
    suited: bool = False  # a function of the library, NumPy or JAX, that the arguments are for
    memo: tuple[str, int, str] | None = None  # in a trace, the path, ordinal and name of a memo that is being filled
    unused: str = ""  # the function of a script or notebook that nothing calls
    divided: tuple[str, int] | None = None  # the path and ordinal of a test that lets only some processes come here

    def asked_as(self, other: Caveats) -> Caveats:
        """The same behind what was asked of values of which nothing is known where the others hold."""
        return self._replace(value_asked=other.value_asked, array_asked=other.array_asked)


NO_CAVEATS = Caveats()


class Pass(NamedTuple):
    """One pass of a loop or of a comprehension's `for`: what was made in it is at least as young as `start`.

    `iter` is what it goes over (None for `while`), `target` what that is bound to, `body` what the loop runs, empty for
    a comprehension; `known_count` the number of passes where each is known.
    """

    start: int
    at: int
    iter: ir.Expr | None
    target: ir.Expr | None
    body: ir.Block
    known_count: int | None


class Side(NamedTuple):
    """The value at the end of one branch, and the conditions of that branch."""

    value: Value
    conditions: tuple[Condition, ...]


class Choice(NamedTuple):
    """The join of two sides. It keeps the joined value alive, by whose identity it is found."""

    joined: Union
    sides: tuple[Side, Side]


@dataclass(slots=True, eq=False)
class Loop:
    """A loop being interpreted: the states in which it is left or continued."""

    breaks: list[State] = field(default_factory=list)
    continues: list[State] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Flow:
    """How control leaves an invocation and the loops around the statement at hand."""

    returns: list[Value] = field(default_factory=list)
    exits: list[State] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)

    @property
    def ways_out(self) -> int:
        """How many statements so far lead out of the block at hand: all but those that raise."""
        return len(self.exits) + sum(len(loop.breaks) + len(loop.continues) for loop in self.loops)


@dataclass(slots=True, eq=False)
class Pending:
    """What is looked at when an invocation is over: functions given to transforms, and those that it defined.

    `handed_on` are those that functions called from here gave to transforms and returned. `questions` wait for what the
    calls inside show. `is_partial` says that some call inside was not looked into, which may have called the functions.
    `named_elsewhere` are names in functions defined here of which a call was not looked into, as others of it were.
    """

    deferred: list[tuple[Any, Application]] = field(default_factory=list)
    handed_on: list[tuple[Any, Application]] = field(default_factory=list)
    definitions: list[Value] = field(default_factory=list)
    questions: list[Callable[[], None]] = field(default_factory=list)
    is_partial: bool = False
    named_elsewhere: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False)
class Frame:
    """One interpreted invocation of a function, module body or class body.

    `closure` is the frame of the enclosing scope, `caller` that of the call. `state` is None where the code
    being looked at cannot be reached.
    """

    module: ModuleContext
    scope: ir.Scope
    serial: int
    state: State
    function: ir.Function | None = None
    closure: Frame | None = None
    caller: Frame | None = None
    call_at: int = -1
    ambient: Level = Level.ANY
    trace: Trace | None = None
    depth: int = 0
    kind: str = "function"  # or "module", "class", "comprehension"
    qualname: str = "<module>"
    cls: ClassValue | None = None
    flow: Flow = field(default_factory=Flow)
    conditions: tuple[Condition, ...] = ()
    guards: set[Any] = field(default_factory=set)  # the tests of which one outcome ends in an error
    iteration: tuple[int, ...] = ()
    passes: tuple[Pass, ...] = ()  # those whose numbers stand in `iteration`
    trying: int = 0
    expecting: int = 0  # of those, how many have a handler for what JAX raises
    tests: int = 0
    failed: bool = False  # something in the statement at hand surely raises
    caveats: Caveats = NO_CAVEATS
    choices: dict[int, Choice] = field(default_factory=dict)  # by the identity of the joined value
    output: str = ""
    pending: Pending = field(default_factory=Pending)
    behind: dict[int, tuple[Condition, ...]] = field(default_factory=dict)  # the tests that functions were made behind
    narrowed: set[str] = field(default_factory=set)  # names of enclosing functions, on the path at hand

    @property
    def body(self) -> ir.Block:
        """The code of the function or module whose scope this is."""
        return self.module.source.module.body if self.function is None else self.function.body

    @property
    def path(self) -> str:
        """The file whose code runs here."""
        return self.module.source.path

    def forget_narrowed(self, kept: Collection[str]) -> None:
        """Names of enclosing functions have their own values again, but for those in `kept`."""
        for name in self.narrowed.difference(kept):
            self.state.env.pop(name, None)
        self.narrowed.intersection_update(kept)

    def chain(self, at: int) -> tuple[Step, ...]:
        """The calls that lead to the node `at` of this frame, outermost first."""
        steps = [Step(self.serial, self.path, at)]
        frame = self
        while frame.caller is not None:
            steps.append(Step(frame.caller.serial, frame.caller.path, frame.call_at))
            frame = frame.caller
        return tuple(reversed(steps))

    def callers(self) -> Iterator[Frame]:
        """The frame itself and those that called it, innermost first."""
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.caller

    def scopes(self) -> Iterator[Frame]:
        """The frame itself and those of the scopes around it, innermost first."""
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.closure

    @property
    def is_open(self) -> bool:
        """Whether no call is known: the function is looked at on its own."""
        return self.function is not None and self.call_at == self.function.at

    @property
    def is_caught(self) -> bool:
        """Whether a handler goes on where code here fails, or stands so near that it may be for this very failure."""
        return self.caveats.catches and (self.trying > 0 or not self.caveats.gives_up)

    def known_callers(self) -> Iterator[Frame]:
        """The frame itself and those of which calls are known to lead here, innermost first."""
        for frame in self.callers():
            yield frame
            if frame.is_open:
                return

    def begin_pass(self, depth: int, number: int, this: Pass) -> None:
        """A pass begins of a loop that stands in `depth` others of this frame."""
        self.iteration = (*self.iteration[:depth], number)
        self.passes = (*self.passes[:depth], this)

    def end_passes(self, depth: int) -> None:
        """The loop that stands in `depth` others is done."""
        self.iteration, self.passes = self.iteration[:depth], self.passes[:depth]

    def all_conditions(self) -> tuple[Condition, ...]:
        """The tests on the path to here, through all callers."""
        if self.caller is None:
            return self.conditions
        return (*self.caller.all_conditions(), *self.conditions)

    def all_iterations(self) -> tuple[int, ...]:
        """Which pass of each loop around this place is being interpreted, through all callers."""
        if self.caller is None:
            return self.iteration
        return (*self.caller.all_iterations(), *self.iteration)
