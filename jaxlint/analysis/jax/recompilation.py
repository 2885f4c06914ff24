"""Compiled functions that are made, called and thrown away: each time they are compiled anew.

Under-approximates: only where one invocation makes the compiled function, of something that is new itself, and calls it
once or twice; and where the source shows that this happens repeatedly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain.application import Application
from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.frames import NO_CAVEATS
from jaxlint.analysis.events.compilation import JitInFunction, JitInLoop
from jaxlint.analysis.jax import loop_variance, meant_programs, object_identity
from jaxlint.analysis.machine.path_conditions import exclusive, is_first_time
from jaxlint.analysis.machine.tables import Table, memoised
from jaxlint.analysis.source import learning_loops, reaching_definitions, test_context
from jaxlint.syntax import ir, walks
from jaxlint.syntax.walks import target_names

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Pass
    from jaxlint.analysis.domain.state import Condition
    from jaxlint.analysis.machine.interpreter import Interpreter


#: Loops that come to so many passes compile a few times, no more.
_FEW = 2


class Call(NamedTuple):
    """A call of a function that compiles: under which conditions, and the names in the decorators around it."""

    conditions: tuple[Condition, ...]
    decorators: frozenset[str]


@dataclass(slots=True, eq=False)
class Repeatable:
    """A function that compiles at each call, and the calls of it that were seen."""

    frame: Frame
    application: Application
    what: str
    is_walked: bool = False  # a loop in it calls what is compiled, which pays for the compilation of few calls
    is_loaded: bool = False  # it runs what each call reads from a file that the caller names
    calls: dict[int, dict[Place, Call]] = field(default_factory=dict)  # by the caller's invocation
    told: frozenset[tuple[frozenset[str], bool]] = frozenset()  # decorators around calls that were told of, often?


@dataclass(slots=True)
class Repeatables(Table):
    """What each call of a function compiles, by the function's address, with the decorators on the way there."""

    by_function: dict[int, list[tuple[Repeatable, frozenset[str]]]] = field(default_factory=dict)

    def fork(self) -> Repeatables:
        """The same with counts of its own; what several functions lead to stays one."""
        copies: dict[int, Repeatable] = {}
        for known in self.by_function.values():
            for one, _ in known:
                calls = {serial: dict(places) for serial, places in one.calls.items()}
                copies.setdefault(id(one), replace(one, calls=calls))
        return Repeatables(
            {key: [(copies[id(one)], names) for one, names in known] for key, known in self.by_function.items()}
        )


def called(it: Interpreter, application: Application, node: ir.Expr) -> None:
    """A compiled function is called: tell the rules where it was made for this call alone, in a loop or a function."""
    frame = it.frame
    if not it.api.has(application.name, "keeps-programs") or frame.trace is not None or application.frame is not frame:
        return
    if not (it.wants(JitInLoop) or it.wants(JitInFunction)) or not _is_made_here(frame, application):
        return
    around = frame.passes[: len(application.passes)]
    is_walked = len(around) < len(frame.passes)
    what = _fresh_target(it, frame, application, around)
    if not what or not isinstance(node, ir.Call) or not _is_for_calls(it, application, node, is_walked):
        return
    if around:
        if is_walked and not learning_loops.is_given_what_is_learned(it, frame, around[-1], node):
            return
        if not _is_meant(it, frame, application, node, around[-1]):
            loop = Place(frame.path, around[-1].at)
            counts = [this.known_count for this in around]
            is_short = None not in counts and math.prod(filter(None, counts)) <= _FEW
            is_paced = meant_programs.waits_for_a_person(it, around[-1].body)
            is_seldom = is_short or is_paced or test_context.is_test(frame)
            it.emit(JitInLoop(frame, application.at, application, what, loop, is_seldom))
    elif may_repeat(frame) and not is_first_time(it) and not _calls_parameter(it, frame, application):
        if _may_have_nothing_to_do(it, frame.body, node):
            return
        _remember(it, frame, application, what, is_walked)


def _is_made_here(frame: Frame, application: Application) -> bool:
    """Whether each pass, or invocation, that comes to the call has made the compiled function before it."""
    same_pass = application.passes == tuple(this.start for this in frame.passes[: len(application.passes)])
    return same_pass and frame.conditions[: len(application.conditions)] == application.conditions


def _fresh_target(it: Interpreter, frame: Frame, application: Application, around: tuple[Pass, ...]) -> str:
    """What is compiled, if it is another one each time."""
    start = around[-1].start if around else frame.serial
    target = application.target
    name = object_identity.bound_method(it, target)
    is_keyed = bool(name) and it.api.has(application.name, "keyed-by-method")
    if is_keyed and isinstance(_given(it, frame, application), ir.Attribute):
        # Each access makes a new method, which is forgotten with its programs; Equinox looks up what it is made of.
        return f"a new bound method `{name}`"
    return object_identity.fresh(it, target, start, by_leaves=it.api.has(application.name, "flattens"))


def _given(it: Interpreter, frame: Frame, application: Application) -> ir.Expr | None:
    """What is given to the transform, as written."""
    call = reaching_definitions.call_at(it, frame, application.at)
    return call.args[0] if call is not None and call.args else None


# --- what becomes of the compiled function


def _is_for_calls(it: Interpreter, application: Application, node: ir.Call, is_walked: bool) -> bool:
    """Whether the compiled function is only called; `is_walked`: by a loop that has not made it."""
    return _is_only_called(it, application, node) if is_walked else is_for_calls_here(it, application, node)


def _is_only_called(it: Interpreter, application: Application, node: ir.Call) -> bool:
    """Whether an invocation calls the compiled function, in loops too, and hands it to no one."""
    body = it.frame.body
    name = _holder(it, body, application.at)
    if name is None or not isinstance(node.func, ir.Name) or node.func.id != name:
        return False
    return _count_of_calls_in_loops(it, body, name) == _count_of_reads(it, body, name)


@memoised
def _count_of_calls_in_loops(_: Interpreter, body: object, name: str) -> int:
    return sum(1 for _ in _calls_of(name, body, ir.Function))


def is_for_calls_here(it: Interpreter, application: Application, node: ir.Call) -> bool:
    """Whether the compiled function is only called, by this pass or invocation itself, once or twice."""
    frame = it.frame
    if node.func.at == application.at:
        return True
    name = _holder(it, frame.body, application.at)
    if name is None or not isinstance(node.func, ir.Name) or node.func.id != name:
        return False
    calls = _count_of_calls(it, frame.passes[-1].body if frame.passes else frame.body, name)
    return calls == _count_of_reads(it, frame.body, name) and calls <= 2


@memoised
def _count_of_reads(it: Interpreter, body: ir.Block, name: str) -> int:
    mentions = sum(isinstance(part, ir.Name) and part.id == name for part in walks.nodes(body))
    return mentions - len(reaching_definitions.known_bindings(it, body, name))


@memoised
def _count_of_calls(_: Interpreter, body: object, name: str) -> int:
    return sum(1 for _ in _calls_of(name, body, ir.For | ir.While | ir.Comprehension | ir.Function))


@memoised
def _holder(_: Interpreter, body: ir.Block, at: int) -> str | None:
    """The name that a compiled function is bound to where it is made: by an assignment, or as a decorated function."""
    for part in walks.nodes(body):
        match part:
            case ir.Assign(targets=(ir.Name(id=name),), value=value) if value.at == at:
                return name
            case ir.FunctionDefinition(function=function):
                if any(decorator.at == at for decorator in function.decorators[:1]):
                    return function.name
    return None


def _calls_of(name: str, body: object, outside: Any) -> Iterator[ir.Call]:
    """The calls of a name, `outside` of nodes of some kinds: what is in them runs more than once, or later."""
    if isinstance(body, ir.Call) and isinstance(body.func, ir.Name) and body.func.id == name:
        yield body
    if isinstance(body, tuple) and not isinstance(body, outside):
        for part in body:
            yield from _calls_of(name, part, outside)


# --- loops


def _is_meant(it: Interpreter, frame: Frame, application: Application, node: ir.Call, this: Pass) -> bool:
    """Whether a loop compiles another function at each pass on purpose: one for each of the things it goes over.

    Where a call goes on from the result of the last one, the loop is no comparison of settings.
    """
    if loop_variance.is_few(it, frame, this) and not _counts(this):
        return True
    if _has_options_of_its_own(it, frame, application, this):
        return True
    names = object_identity.mentioned(_given(it, frame, application), application.target, frame)
    if not object_identity.is_meant(frame, names):
        return False
    return loop_variance.is_few(it, frame, this) or not _goes_on(this, node)


def _has_options_of_its_own(it: Interpreter, frame: Frame, application: Application, this: Pass) -> bool:
    """Whether each pass compiles with other options, such as the shardings of what the loop goes over."""
    call = reaching_definitions.call_at(it, frame, application.at)
    if call is None or this.target is None or _counts(this):
        return False
    options = (call.args[1:], tuple(value for name, value in call.keywords if name != "fun"))
    named = {part.id for part in walks.nodes(options) if isinstance(part, ir.Name)}
    return not named.isdisjoint(target_names(this.target))


def _counts(this: Pass) -> bool:
    """Whether a loop counts up, over nothing of its own."""
    return isinstance(this.iter, ir.Call) and isinstance(this.iter.func, ir.Name) and this.iter.func.id == "range"


def _goes_on(this: Pass, node: ir.Call) -> bool:
    """Whether the result of the call is given to the next one."""
    given = {part.id for part in walks.nodes((node.args, node.keywords)) if isinstance(part, ir.Name)}
    for part in walks.nodes(this.body):
        if isinstance(part, ir.Assign) and any(each is node for each in walks.nodes(part.value)):
            return any(not given.isdisjoint(target_names(target)) for target in part.targets)
    return False


# --- functions that are called repeatedly

#: They run once in a program, or once per object.
_ONCE = frozenset({"main", "__init__", "__post_init__", "setup", "setUp", "__init_subclass__", "<module>"})


def may_repeat(frame: Frame) -> bool:
    """Whether a function is one that a program calls: no test and no entry point."""
    function = frame.function
    return (
        function is not None
        and not function.is_lambda
        and function.name not in _ONCE
        and not test_context.is_test(frame)
    )


@memoised
def _may_have_nothing_to_do(_: Interpreter, body: ir.Block, call: ir.Call) -> bool:
    """Whether a call stands behind a test that what it is given is not empty: `if tree_leaves(state): f(state)`."""
    given = {_path(argument) for argument in call.args} - {""}
    tests = (s.test for s in walks.statements(body) if isinstance(s, ir.If) and call.at in walks.ordinals(s.body))
    return any(_path(_asked_for(test)) in given for test in tests)


def _path(node: ir.Expr) -> str:
    """A variable, or what it holds under a key that is written."""
    match node:
        case ir.Subscript(base=base, index=(ir.Constant(value=key),)):
            outer = _path(base)
            return outer and f"{outer}[{key!r}]"
        case _:
            return walks.dotted(node)


def _asked_for(test: ir.Expr) -> ir.Expr:
    """What a test finds to be empty or not."""
    match test:
        case ir.Call(func=func, args=(asked,)) if walks.spelling(func).lstrip(".") in _COUNTING:
            return asked
        case _:
            return test


#: Functions that tell whether there is anything in a tree or a container.
_COUNTING = frozenset({"bool", "leaves", "len", "tree_leaves"})


def _decorators(frames: Iterable[Frame]) -> frozenset[str]:
    """The names in the decorators of the functions that are at work."""
    decorators = tuple(frame.function.decorators for frame in frames if frame.function is not None)
    names = (getattr(part, "attr", getattr(part, "id", "")) for part in walks.nodes(decorators))
    return frozenset(name for name in names if isinstance(name, str))


def _calls_parameter(it: Interpreter, frame: Frame, application: Application) -> bool:
    """Whether what is compiled calls a function that the caller gave: then it may be another one on purpose."""
    assert frame.function is not None
    receiver = {frame.function.parameters[0].name} if frame.cls is not None and frame.function.parameters else set()
    given = {parameter.name for parameter in frame.function.parameters} - receiver
    names = object_identity.mentioned(_given(it, frame, application), application.target, frame) & given
    for part in walks.nodes(frame.body):
        if isinstance(part, ir.Call) and not _is_of_arrays(it, part.func) and _root(part.func) in names:
            return True
    return any(callable_part in names for callable_part in _functions_given(it, frame, application))


def _is_of_arrays(it: Interpreter, function: ir.Expr) -> bool:
    """Whether a function is a method that arrays have: what has it is data."""
    return isinstance(function, ir.Attribute) and it.api.array_member(function.attr) is not None


def _root(function: ir.Expr) -> str:
    """The name that a function is taken from by attributes alone; empty where it comes from something else."""
    return walks.dotted(function).partition(".")[0]


def _functions_given(it: Interpreter, frame: Frame, application: Application) -> Iterator[str]:
    """Names that stand as functions in what is given to the transform: `f` of `partial(f, 2)` and `grad(f)`."""
    for part in walks.nodes(_given(it, frame, application)):
        if isinstance(part, ir.Call) and part.args and isinstance(part.args[0], ir.Name):
            yield part.args[0].id


def _remember(it: Interpreter, frame: Frame, application: Application, what: str, is_walked: bool) -> None:
    """A function that compiles at each call, and those that led to it: the next call tells that they repeat."""
    assert frame.function is not None
    known = it.tables[Repeatables].by_function.setdefault(id(frame.function), [])
    mine = next((one for one, _ in known if one.application.at == application.at), None)
    around = _decorators([frame])
    if mine is None:
        names = object_identity.mentioned(_given(it, frame, application), application.target, frame)
        is_loaded = meant_programs.runs_what_it_loads(it, frame, names)
        mine = Repeatable(frame, application, what, is_walked, is_loaded)
        known.append((mine, around))
    way = around
    for caller in list(frame.known_callers())[1:]:
        if caller.function is None or _is_chosen(caller, caller):
            break
        way |= _decorators([caller])
        others = it.tables[Repeatables].by_function.setdefault(id(caller.function), [])
        if (mine, way) not in others:
            others.append((mine, way))
    if not frame.is_open and frame.caller is not None:
        _count(it, mine, frame.caller, frame.call_at, around, direct=True)


def call_again(it: Interpreter, function: ir.Function, at: int) -> None:
    """A call of a project function that compiles, or leads to one that does."""
    for one, way in it.tables[Repeatables].by_function.get(id(function), ()):
        _count(it, one, it.frame, at, way, direct=one.frame.function is function)


def _count(it: Interpreter, one: Repeatable, caller: Frame, at: int, way: frozenset[str], *, direct: bool) -> None:
    """Take note of a call; tell the rules of one in a loop, and of the second one that an invocation makes.

    Calls from different functions may belong to programs that never run both.
    """
    chain = list(caller.known_callers())
    if (frozenset(), True) in one.told or caller.trace is not None or any(map(test_context.is_test, chain)):
        return
    if one.frame.function is None or _is_gone_over(one.frame.function, chain):
        return
    around = loop_variance.innermost(it, caller)
    if one.is_walked and not (around is not None and _learns(it, caller, at, *around)):
        return
    again, decorators = Place(caller.path, at), way | _decorators(chain)
    if around is not None and not _is_chosen(caller, around[1]) and _is_long(it, *around):
        is_seldom = one.is_loaded or meant_programs.waits_for_a_person(it, around[0].body)
        _tell(it, one, Place(around[1].path, around[0].at), decorators, in_loop=True, is_seldom=is_seldom)
    elif direct:
        others = one.calls.setdefault(caller.serial, {})
        for place, other in others.items():
            if place != again and not exclusive(other.conditions, caller.conditions):
                _tell(it, one, again, decorators | other.decorators, in_loop=False)
        others[again] = Call(caller.conditions, decorators)


def _is_long(it: Interpreter, this: Pass, frame: Frame) -> bool:
    """Whether a loop has more than a few passes, as far as is known."""
    return _counts(this) or not loop_variance.is_few(it, frame, this)


def _is_chosen(caller: Frame, outside: Frame) -> bool:
    """Whether what `caller`, or `outside` before it, calls is a method of one of several objects: others may run."""
    now, before = caller.caveats, NO_CAVEATS if outside.caller is None else outside.caller.caveats
    return (now.one_of_overrides, now.one_of_receivers) > (before.one_of_overrides, before.one_of_receivers)


def _learns(it: Interpreter, caller: Frame, at: int, this: Pass, frame: Frame) -> bool:
    """Whether a loop gives what it learns to the call in it that leads to this one."""
    for each in caller.known_callers():
        if each is frame:
            break
        at = each.call_at
    call = reaching_definitions.call_at(it, frame, at)
    return call is not None and learning_loops.is_given_what_is_learned(it, frame, this, call)


def _is_gone_over(function: ir.Function, chain: list[Frame]) -> bool:
    """Whether a loop around goes over functions, of which this is one: another one is called at each pass."""
    loops = (this.iter for frame in chain for this in frame.passes if this.iter is not None)
    return any(isinstance(part, ir.Name) and part.id == function.name for i in loops for part in walks.nodes(i))


def _tell(
    it: Interpreter, one: Repeatable, again: Place, around: frozenset[str], *, in_loop: bool, is_seldom: bool = False
) -> None:
    """Tell the rules, once for all calls with the same decorators around them, and again of one in a loop."""
    is_often = in_loop and not is_seldom
    if one.told.isdisjoint({(around, True), (around, is_often)}):
        one.told |= {(around, is_often)}
        made = one.frame, one.application.at, one.application, one.what
        it.emit(JitInFunction(*made, again, in_loop, around, is_seldom))
