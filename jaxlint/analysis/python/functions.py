"""Functions of the project: made, decorated, called, and looked at on their own when nobody calls them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain.application import underlying
from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.frames import Frame, Trace
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.state import State, join_states
from jaxlint.analysis.domain.values import (
    NONE,
    Arguments,
    Atom,
    ClassValue,
    DictCell,
    FunctionValue,
    Iterable,
    Level,
    Object,
    Reason,
    Static,
    Transformed,
    Tuple,
    Unknown,
    Value,
    atoms_of,
)
from jaxlint.analysis.events.event import Filled
from jaxlint.analysis.events.tracing import RecursiveCall
from jaxlint.analysis.machine.cycles import Cycles
from jaxlint.analysis.machine.ended_paths import failure
from jaxlint.analysis.machine.interpreter import MAX_DEPTH, MAX_WORK_OF_FUNCTION
from jaxlint.analysis.machine.path_conditions import lasting
from jaxlint.analysis.machine.run_facts import Subclasses
from jaxlint.analysis.python import binding, calls, host_calls, iteration, library_uses, names_at_calls, unseen_calls
from jaxlint.analysis.source import eager_runs, local_calls, memos, names_of_time, unused_functions
from jaxlint.analysis.summaries import replay
from jaxlint.analysis.summaries.signatures import Signature, signature_of
from jaxlint.analysis.summaries.summary import Summaries
from jaxlint.analysis.typestate import donated_uses, timing
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.machine.interpreter import Interpreter


def make(it: Interpreter, function: ir.Function) -> FunctionValue:
    """The value of a def or lambda: its defaults are evaluated here, its body sees the frames around."""
    defaults = {p.name: it.eval(p.default) for p in function.parameters if p.default is not None}
    frame = it.frame
    closure = frame.closure if frame.kind == "class" and frame.closure is not None else frame
    cls = frame.cls if frame.kind == "class" else None
    value = FunctionValue(function, frame.module, closure, defaults, cls, made=it.fresh())
    closure.pending.definitions.append(value)
    if frame is closure and frame.conditions and (behind := lasting(frame.conditions)):
        frame.behind[value.made] = behind
    it.tables[Cycles].frames[closure] = None
    return value


def define(it: Interpreter, node: ir.FunctionDefinition) -> None:
    """A def statement: decorators are applied from the innermost outwards, then the name is bound."""
    value: Value = make(it, node.function)
    library_uses.annotations_made(it, node.function)
    for decorator in reversed(node.function.decorators):
        value = decorate(it, decorator, value)
    it.bind(node.function.name, value, None, None)


def decorate(it: Interpreter, decorator: ir.Expr, value: Value) -> Value:
    """Call one decorator on what it decorates."""
    arguments = Arguments([value], positional_at=[decorator.at])
    return it.call(it.eval(decorator), arguments, decorator)


def call_value(it: Interpreter, callee: Value, node: ir.Expr, values: list[Value] | None = None) -> Value:
    """Call a value with arguments that stand at no node of their own."""
    arguments = Arguments(list(values or ()), positional_at=[-1] * len(values or ()))
    return it.call(callee, arguments, node)


#: Decorators of functions whose body says nothing.
_DECLARING: Final = frozenset({"abstractmethod", "abstractproperty", "overload"})


def call(it: Interpreter, function: FunctionValue, arguments: Arguments, at: int, trace: Trace | None = None) -> Value:
    """The result of calling a project function at the node `at`; `trace` is set where the call starts a trace."""
    if _is_declaration(function.function) or _is_stub(it, function):
        return _declared(it, function, arguments, at)
    if trace is None:
        it.library.call_again(it, function.function, at)
        if it.frame.trace is None and memos.keeps(it, function.function):
            _fill_memo(it, function, at)
    is_active = _is_active(it, function)
    if is_active and trace is None and it.frame.depth < MAX_DEPTH and not arguments.extra:
        env = binding.bind_arguments(it, function, arguments, at, None)
        is_active = not _goes_on(it, function, env)
    if is_active:
        timing.waited(it, sure=False)
        return _recursive(it, function, arguments, at)
    if it.frame.depth >= MAX_DEPTH:
        _leave_out(it, "call depth", arguments.all())
        unseen_calls.left_out(it, function, trace)
        return it.unknown(f"`{function.function.name}`: calls nested too deep", at)
    env = binding.bind_arguments(it, function, arguments, at, trace)
    if it.frame.state.donated and donated_uses.matters(it, env.values()):
        signature = Signature(("after a donation", it.fresh()), ())  # what it does with that is an error here only
    else:
        signature = signature_of(it, function, env, trace)
    known = it.tables[Summaries].find(signature)
    replayed = None if known is None else replay.replay(it, known, signature.given, at)
    if replayed is not None:
        return replayed
    if not it.tables[Summaries].admits(it, function, env.values(), at):
        _leave_out(it, "contexts per function", env.values())
        unseen_calls.left_out(it, function, trace)
        if function.closure.function is not None:
            function.closure.pending.named_elsewhere |= walks.names(function.function.body)
        return host_calls.left_out(it, function, it.unknown(f"`{function.function.name}`: called in too many ways", at))
    frame = enter(it, function, env, at, trace)
    return it.tables[Summaries].record(it, frame, signature, lambda: _run(it, frame))


def _fill_memo(it: Interpreter, function: FunctionValue, at: int) -> None:
    """Code that nothing traces calls a function that computes once what it keeps."""
    callers = [frame.function for frame in it.frame.callers() if frame.function is not None]
    if it.facts.compiled.isdisjoint(map(id, callers)):
        for sink in it.sinks.get(Filled, ()):
            sink(Filled(it.frame, at, Place(function.module.path, function.function.at)))


def only_declares(value: Value) -> bool:
    """Whether an attribute of a class only says what subclasses are to bring, or raises where they do not."""
    if not isinstance(value, FunctionValue):
        return False
    body = [s for s in value.function.body if not isinstance(s, ir.ExpressionStatement)]
    raises = len(body) == 1 and isinstance(body[0], ir.Raise) and body[0] is value.function.body[-1]
    return raises or _is_declaration(value.function)


def _is_declaration(function: ir.Function) -> bool:
    """Whether a function only says what others are to do.

    Its body is `...`, it is abstract or an overload, or it promises a value and holds a docstring or `pass` alone.
    """
    if not _does_nothing(function):
        return False
    constants = [s.value for s in function.body if isinstance(s, ir.ExpressionStatement)]
    names = (getattr(node, "attr", getattr(node, "id", "")) for node in function.decorators)
    if any(c.value is ... for c in constants if isinstance(c, ir.Constant)) or not _DECLARING.isdisjoint(names):
        return True
    promised = function.returns
    is_none = isinstance(promised, ir.Constant) and promised.value is None
    return promised is not None and not is_none


def _does_nothing(function: ir.Function) -> bool:
    """Whether the body of a function is a docstring, which may be formatted, `...` or `pass`."""
    if len(function.body) > 2:
        return False
    texts = [s.value for s in function.body if isinstance(s, ir.ExpressionStatement)]
    return sum(isinstance(text, ir.Constant | ir.FormattedString) for text in texts) == len(function.body)


def _is_stub(it: Interpreter, function: FunctionValue) -> bool:
    """Whether a method does nothing, and a class below says what it is to do."""
    if function.cls is None or not _does_nothing(function.function):
        return False
    name = function.function.name
    return any(name in cls.namespace for cls in it.tables[Subclasses].below(function.cls))


def _declared(it: Interpreter, function: FunctionValue, arguments: Arguments, at: int) -> Value:
    """What a function gives of which we see the declaration alone."""
    unseen_calls.hand(it, arguments.all())
    for value in arguments.all():
        calls.escape(it, value, at)
    return it.unknown(f"`{function.function.name}`: only declared here", at)


def _leave_out(it: Interpreter, limit: str, given: Collection[Value]) -> None:
    """A call is not looked into: what nobody seems to call may be called there, above all what that is given."""
    it.statistics.limits[limit] += 1
    unseen_calls.hand(it, given)
    timing.waited(it, sure=False)
    for frame in it.frame.callers():
        frame.pending.is_partial = True


def enter(it: Interpreter, function: FunctionValue, env: dict[str, Value], at: int, trace: Trace | None) -> Frame:
    """The frame of a call from the current frame."""
    caller = it.frame
    it.facts.entered.add((id(function.function), id(function.closure)))
    names_at_calls.note(it, function)
    if (caller if trace is None else trace).ambient is Level.TRACED:
        it.facts.compiled.add(id(function.function))
    serial = it.fresh()
    if trace is not None and trace.level is Level.HOST:
        return _host_frame(it, function, env, at, serial)
    frame = Frame(
        function.module,
        function.function.scope,
        serial,
        caller.state.of_call(env),
        function=function.function,
        closure=function.closure,
        caller=caller,
        call_at=at,
        ambient=caller.ambient if trace is None else trace.ambient,
        trace=caller.trace if trace is None else trace,
        depth=caller.depth + 1,
        qualname=function.function.qualname,
        cls=function.cls,
        conditions=function.closure.behind.get(function.made, ()),
        caveats=caller.caveats,
    )
    module = function.module.frame
    if module is not None and eager_runs.is_eager(it, function.function, module):
        frame.caveats = frame.caveats._replace(eager=True)
    if trace is not None:
        trace.body = frame
        it.tables[Cycles].frames[frame] = None
    if frame.trace is not None and (name := memos.of_decorator(it, function.function)):
        frame.caveats = frame.caveats._replace(memo=(frame.path, function.function.at, name))
    return frame


def _host_frame(it: Interpreter, function: FunctionValue, env: dict[str, Value], at: int, serial: int) -> Frame:
    """A callback's frame: it runs on the host, outside every trace."""
    caller = it.frame
    return Frame(
        function.module, function.function.scope, serial, caller.state.of_call(env), function=function.function,
        closure=function.closure, caller=caller, call_at=at, ambient=Level.CONCRETE,
        depth=caller.depth + 1, qualname=function.function.qualname, cls=function.cls, caveats=caller.caveats,
    )  # fmt: skip


def _run(it: Interpreter, frame: Frame) -> Value:
    """Interpret a frame's body; the caller's state takes over what the call did to the heap and the keys."""
    function = frame.function
    assert function is not None
    it.allow(function)
    caller = it.frame
    with it.entering(frame):
        try:
            if it.block(function.body):
                frame.flow.exits.append(frame.state)
                frame.flow.returns.append(NONE)
            final: State | None = None
            for state in frame.flow.exits:
                final = join_states(final, state)
            if final is not None:
                frame.state = final
                caller.state.take_over(final)
            result = _result(it, frame, function)
            finish(it, frame)
        finally:
            answer(frame)
    if function.is_generator or function.is_async:
        timing.waited(it, sure=False)  # its code runs later, if at all
    return result


def _result(it: Interpreter, frame: Frame, function: ir.Function) -> Value:
    if function.is_generator:
        element = iteration.any_of(it, join_all(frame.flow.yields), function.at)
        return Iterable("generator", element, once=True, ident=it.ident(function.at), birth=it.birth(function.at))
    if function.is_async:
        return it.unknown("a coroutine", function.at)
    if frame.flow.returns:
        return join_all(frame.flow.returns)
    what = f"`{function.name}`, which always raises"
    return it.unknown(what, function.at) if _is_for_others(it, frame) else failure(it, what, function.at)


def _is_for_others(it: Interpreter, frame: Frame) -> bool:
    """Whether a method raises where a class that nobody sees may have another one: it says that it is missing."""
    function, cls = frame.function, frame.cls
    assert function is not None
    if cls is None:
        return False
    if any(function.name in below.namespace for below in it.tables[Subclasses].below(cls)):
        return True
    raised = (node.exception for node in walks.statements(function.body) if isinstance(node, ir.Raise))
    named = (node.func if isinstance(node, ir.Call) else node for node in raised)
    return any(walks.spelling(node) == "NotImplementedError" for node in named)


def finish(it: Interpreter, frame: Frame) -> None:
    """After a body: trace the functions given to transforms that nobody called, look at those nobody entered.

    These runs are hypothetical, so they work on a copy of the state. What is returned the caller may call yet.
    """
    final = frame.state
    for function, application in frame.pending.deferred:
        frame.state = final.of_open()
        it.library.announce(it, function, application)
    returned = _hand_on(frame)
    _trace_uncalled(it, frame, [each for each in frame.pending.deferred if id(each[1]) not in returned])
    idle, given_back = _idle(it, frame) | frame.pending.named_elsewhere, _returned_in_trace(it, frame)
    for value in frame.pending.definitions:
        if not isinstance(value, FunctionValue) or id(value) in given_back or value.function.name in idle:
            continue
        if (id(value.function), id(value.closure)) not in it.facts.entered:
            frame.state = final.of_open()
            with it.within(MAX_WORK_OF_FUNCTION):
                run_open(it, value, is_outside=unseen_calls.may_be_outside(it, frame, value))
    frame.state = final
    _trace_uncalled(it, frame, [each for each in frame.pending.handed_on if id(each[1]) not in returned])
    frame.pending.deferred, frame.pending.handed_on, frame.pending.definitions = [], [], []


def _idle(it: Interpreter, frame: Frame) -> frozenset[str]:
    """Functions that are called where they are defined alone, in a traced call that ran none of these calls."""
    if frame.function is None or frame.trace is None or frame.is_open or frame.pending.is_partial:
        return frozenset()
    return local_calls.only_called(it, frame.function)


def _hand_on(frame: Frame) -> set[int]:
    """Hand on to the caller the transforms that an invocation returns, whoever made them; gives their addresses."""
    caller, made = frame.caller, (*frame.pending.deferred, *frame.pending.handed_on)
    if not made or caller is None or frame.kind != "function" or frame.trace is not caller.trace:
        return set()
    results = [atom for value in frame.flow.returns for atom in _with_parts(value)]
    returned = {id(atom.application) for atom in results if isinstance(atom, Transformed)}
    caller.pending.handed_on.extend(each for each in made if id(each[1]) in returned)
    return returned


def _returned_in_trace(it: Interpreter, frame: Frame) -> set[int]:
    """The addresses of functions that a traced call returns: its caller runs them while tracing, or on the host."""
    if frame.trace is None or frame.caller is None or frame.is_open:
        return set()
    return set(map(id, unseen_calls.functions_in(it, frame.flow.returns)))


def _with_parts(value: Value) -> Iterator[Atom]:
    """The values that one may be, and the elements of tuples among them."""
    for atom in atoms_of(value):
        yield atom
        for part in atom.elements if isinstance(atom, Tuple) else ():
            yield from atoms_of(part)


def _trace_uncalled(it: Interpreter, frame: Frame, given: list[tuple[Any, Application]]) -> None:
    """Trace functions given to transforms, each with a copy of the state, if nobody called them."""
    final = frame.state
    for function, application in given:
        frame.state = final.of_open()
        with it.within(MAX_WORK_OF_FUNCTION):
            it.library.trace_uncalled(it, function, application, None)
    frame.state = final


def answer(frame: Frame) -> None:
    """Decide what waited for the calls inside, those that there was work left for."""
    questions, frame.pending.questions = frame.pending.questions, []
    for question in questions:
        question()


def finish_module(it: Interpreter, frame: Frame) -> None:
    """After a module's body: as after any other, but its functions are looked at even where something called them.

    Code elsewhere may call them in other ways; those that only a transform sees are left to the transform. What a
    notebook calls in one cell does not see what a later cell binds, and nobody else calls it.
    """
    names_at_calls.close(it, frame)
    for value in frame.pending.definitions:
        if not isinstance(value, FunctionValue) or _is_left_to_transform(frame, value):
            continue
        if frame.module.source.layout is None or not names_of_time.reads_rebound(it, value.function, frame.body):
            it.facts.entered.discard((id(value.function), id(value.closure)))
    finish(it, frame)


def _is_left_to_transform(frame: Frame, value: FunctionValue) -> bool:
    """Whether a function was decorated away: its name is bound to what a transform returned."""
    return any(
        _is_same(underlying(target), value) and value.function.decorators for target, _ in frame.pending.deferred
    )


def _is_same(one: FunctionValue | None, other: FunctionValue) -> bool:
    return one is not None and one.function is other.function and one.closure is other.closure


def run_open(
    it: Interpreter, function: FunctionValue, cls: ClassValue | None = None, *, is_outside: bool = False
) -> None:
    """Interpret a function of which we know no call: parameters are what their annotations say.

    `cls` is the class of the object whose method it is, where that is not the class in which it stands; `is_outside`
    says that it may run outside of the trace in which it is defined.
    """
    if it.frame.depth >= MAX_DEPTH or _is_active(it, function):
        return
    env = binding.open_parameters(it, function, cls)
    frame = enter(it, function, env, function.function.at, None)
    frame.caller = None if it.frame.kind == "module" else it.frame
    if unused_functions.is_unused(it, function):
        frame.caveats = frame.caveats._replace(unused=function.function.qualname)
    if is_outside:
        frame.trace = None
    if is_outside or it.frame.ambient is Level.CONCRETE:
        frame.ambient = Level.ANY
    if function.function.is_lambda and it.frame.trace is None:
        frame.ambient = Level.ANY
    _run(it, frame)


def run_assumed(it: Interpreter, function: FunctionValue, env: dict[str, Value], trace: Trace) -> None:
    """Interpret a function of which no traced call is known in a trace that is assumed."""
    if not _is_active(it, function):
        frame = enter(it, function, env, function.function.at, trace)
        frame.caller, frame.caveats = None, frame.caveats._replace(assumed=True)
        _run(it, frame)


def _is_active(it: Interpreter, function: FunctionValue) -> bool:
    frame: Frame | None = it.frame
    while frame is not None:
        if frame.function is function.function and frame.closure is function.closure:
            return True
        frame = frame.caller
    return False


#: How deep a function may call itself before its result is unknown.
_MAX_RECURSION: Final = 4


def _goes_on(it: Interpreter, function: FunctionValue, env: dict[str, Value]) -> bool:
    """Whether a function calls itself with another number, or fewer things, than it was called with: an end is near."""
    active = [frame for frame in it.frame.callers() if frame.function is function.function]
    if len(active) > _MAX_RECURSION:
        return False
    before = active[0].state.env
    return any(_is_less(it, value, before.get(name)) for name, value in env.items())


def _is_less(it: Interpreter, now: Value, before: Value | None) -> bool:
    """Whether a value is another known number than before, or a part of a known container."""
    if isinstance(now, Static) and isinstance(before, Static):
        numbers = isinstance(now.value, int) and isinstance(before.value, int)
        return numbers and now.value != before.value
    if before is None or not isinstance(before, Tuple | Object):
        return False
    cell = it.cell(before) if isinstance(before, Object) else None
    parts = cell.items.values() if isinstance(cell, DictCell) else iteration.exact_elements(it, before) or ()
    if any(
        now is part or (isinstance(now, Object) and isinstance(part, Object) and now.oid == part.oid) for part in parts
    ):
        return True
    if not isinstance(now, Tuple | Object):
        return False
    left, whole = iteration.exact_elements(it, now), iteration.exact_elements(it, before)
    return left is not None and whole is not None and len(left) < len(whole)


def _recursive(it: Interpreter, function: FunctionValue, arguments: Arguments, at: int) -> Value:
    """A call of a function that is being interpreted: its result is unknown."""
    frame = it.frame
    is_traced = frame.trace is not None and frame.trace.runs_less_often(0)
    # Through a method, a function argument or a part of an unknown object the recursion may end by construction.
    given = arguments.all()
    endless = function.cls is None and not any(isinstance(v, Unknown) or calls.is_callable(v) for v in given)
    if is_traced and it.wants(RecursiveCall) and endless and not _is_guarded(frame, function):
        it.emit(RecursiveCall(frame, at, function.function.name))
    return Unknown(it.ident(at), Reason(f"`{function.function.name}`, which calls itself", frame.path, at))


def _is_guarded(frame: Frame, function: FunctionValue) -> bool:
    """Whether a test that is known while tracing, a loop, or a method stands between a function's entry and here."""
    for inner in frame.callers():
        if inner.tests or inner.iteration:
            return True
        if inner.function is function.function:
            break
        if inner.cls is not None:
            return True
    return False
