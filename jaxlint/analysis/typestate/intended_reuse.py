"""Second uses of a key that the code around them has a purpose for: equal starts, one mask for the terms of a loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.identities import holders
from jaxlint.analysis.domain.idents import Derived, Ident
from jaxlint.analysis.domain.state import KeyUse, Step
from jaxlint.analysis.domain.values import BoundMethod, ClassValue, Key, Qualified
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.dropped_results import is_dropped, is_left_unread, is_wait
from jaxlint.analysis.source.joint_use import are_used_together
from jaxlint.analysis.source.ownership import statement_of
from jaxlint.analysis.source.reaching_definitions import call_at, call_in, is_of_pass, known_bindings
from jaxlint.analysis.source.unread_names import names_read_nowhere
from jaxlint.analysis.typestate import made_anew, repeated_passes, rng_streams
from jaxlint.analysis.typestate.equal_draws import (
    INITIALIZING,
    is_contrast,
    is_dummy,
    is_for_state_alone,
    is_one_trained,
    is_times_zero,
)
from jaxlint.analysis.typestate.equal_draws import last_name as _last_name
from jaxlint.analysis.typestate.key_causes import divergence, forgets_a_key
from jaxlint.analysis.typestate.key_threading import unread_siblings
from jaxlint.analysis.typestate.stated_reuse import is_said
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Functions that choose rows or numbers of them.
CHOOSING = frozenset({"choice", "permutation", "randint", "shuffle"})

#: Words in the names of flags for what leaves nothing to chance.
_WITHOUT_CHANCE = frozenset({"det", "deterministic"})
#: Names under which objects keep how their network is run.
_RUNNING = frozenset({"apply", "apply_fn"})

_BESIDE = "the function also receives `{}` to draw from; its draws from a constant may be meant to stay the same"
_DETERMINISTIC = "`{}` says that nothing random is wanted here; the object may draw nothing from its key"
_SAME_CHOICE = "the function chooses the same rows each time; they may be a sample for display"
_EQUAL_START = "one model is initialized twice; a copy, such as a target network, may need the same initial parameters"
_OTHER_ROWS = "the calls are the same, and a different part is taken of the result of each"
_ALIAS = "the code sets `{}` to `{}` under a condition, so the equal numbers look intentional"
_EVALUATION = "nothing is learned between iterations; an evaluation may use one mask for all batches"
_ONE_FUNCTION = "the derivatives of one function are taken with the same random numbers"
_UNREAD = "nothing reads the result of one of the two, so the equal numbers have no effect"
_TIMES_ZERO = "one of the results is multiplied by zero, so the equal numbers have no effect"
_DUMMY = "one of the draws only initializes a model, which uses its shape and not its values"
_SAID = "a comment beside one of the uses mentions equal numbers"
_FROM_STATE = "two runs start from one state with other settings; equal numbers make them comparable"
_STATE = "one of the calls initializes a model for its other variables, and does not use its parameters"
_OPTION = "one call has the arguments of the other and one more; both objects may need the same start"
_CONTRAST = "the results are compared; equal numbers isolate the difference"
_OTHER_PART = "the calls run two parts of one model; the framework folds the name of each into the key"
_RERUN = "`{}` runs again without arguments; that is how run times are compared"
_UNREAD_NUMBERS = "nothing reads the numbers: the code waits for them, or asks for their shape, as a benchmark does"
_APART = "no computation uses both results, so nothing in view depends on their equal numbers"
_ANEW = "`{}` is made a second time, and nothing that was made of the first one is used after that"
_UNSEEN = "two networks that are out of sight receive the key; one of them may have no random layers"
_ONE_MASK = "one model is applied to different inputs; a comparison may need the same mask"


def purpose(  # noqa: PLR0911, PLR0912 - one purpose after another
    it: Interpreter, frame: Frame, ident: Ident, earlier: KeyUse, new: KeyUse
) -> str:
    """Why a key may be used again on purpose, empty where nothing says so.

    `frame` is the invocation in which the two uses part ways.
    """
    first, second = _calls(it, frame, earlier, new)
    if first is None or second is None:
        return ""
    given = sorted(_run_as_given(frame, first) & _run_as_given(frame, second))
    if given:
        return _RERUN.format(given[0])
    if is_said(frame, (first, second)):
        return _SAID
    if first.at != second.at and any(_is_unused(it, frame.body, *each) for each in ((first, earlier), (second, new))):
        return _UNREAD
    if first.at != second.at and any(is_times_zero(it, frame, call) for call in (first, second)):
        return _TIMES_ZERO
    if first.at == second.at:
        is_model = _last_name(new.function) == "apply" and isinstance(new.detail, Derived)
        if is_model and is_of_pass(it, frame, second.at):
            return _EVALUATION
        return repeated_passes.purpose(it, frame, second)
    replaced = made_anew.replaced(it, frame, first, second)
    if replaced:
        return _ANEW.format(replaced)
    if is_for_state_alone(it, earlier) or is_for_state_alone(it, new):
        return _STATE
    if earlier.action == new.action == "consume" and _takes_other_part(frame, first, second):
        return _OTHER_ROWS
    if _last_name(earlier.function) in INITIALIZING and _last_name(new.function) in INITIALIZING:
        is_copy = _makes_a_copy(frame, first, second) or _is_target(it, frame, first, second)
        return _EQUAL_START if is_copy else ""
    if _is_a_named_copy(it, frame, first, second):
        return _EQUAL_START
    if rng_streams.is_unseen(it, earlier) and rng_streams.is_unseen(it, new) and _are_two(frame, first, second):
        return _UNSEEN
    if _adds_an_option(it, frame, first, second):
        return _OPTION
    if _runs_other_part(it, earlier, new):
        return _OTHER_PART
    if _starts_from_one_state(ident, first, second, frame):
        return _FROM_STATE
    if is_dummy(it, frame, first) or is_dummy(it, frame, second):
        return _DUMMY
    if is_contrast(it, frame, first, second):
        return _CONTRAST
    alias = _conditional_alias(it, frame, ident, first, second)
    if alias is not None:
        return _ALIAS.format(*alias)
    if _derives(it, frame, first) and _derives(it, frame, second):
        return _ONE_FUNCTION if _same_text(frame, first.args[:1], second.args[:1]) else ""
    if _shares_a_mask(it, frame, earlier, new, first, second):
        return _ONE_MASK
    forgets = forgets_a_key(new, earlier) or _is_beside_an_unread(it, frame, first, second)
    are_runs = _are_runs(frame, earlier, new) and not _same_text(frame, (first,), (second,))
    return "" if forgets or are_used_together(it, frame, first, second, are_runs=are_runs) else _APART


def of_a_benchmark(it: Interpreter, earlier: KeyUse, new: KeyUse) -> str | None:
    """Why numbers may be equal that nothing reads: something waits for them, or a helper is run for what else it gives.

    The function in which the two uses part ways has to drop them: another caller may read what it returns. None where
    that depends on calls that are yet to come.
    """
    both = (earlier.chain, new.chain), (new.chain, earlier.chain)
    below = [chain[chain.index(divergence(other, chain)) :] for chain, other in both]
    dropped = [is_dropped(it, chain, examined=True) for chain in below]
    if any(dropped):
        return _UNREAD_NUMBERS
    is_one_draw = earlier.chain[-1][1:] == new.chain[-1][1:]
    unread = [is_left_unread(it, chain) for chain in below if is_one_draw]
    if any(unread):
        return _UNREAD
    return None if None in (*dropped, *unread) else ""


def _are_runs(frame: Frame, earlier: KeyUse, new: KeyUse) -> bool:
    """Whether two uses are in functions that an invocation calls, and that do more than draw: whole runs.

    Such functions split the key that they get, or one of them calls further ones.
    """
    below = []
    for use in (earlier, new):
        here = next((n for n, step in enumerate(use.chain) if step.frame == frame.serial), len(use.chain))
        below.append(len(use.chain) - here - 1)
    return min(below) > 0 and (max(below) > 1 or earlier.action == new.action == "split")


def _are_two(frame: Frame, first: ir.Call, second: ir.Call) -> bool:
    """Whether two calls run networks of different names."""
    networks = [
        call.func.base if isinstance(call.func, ir.Attribute) and call.func.attr in _RUNNING else call.func
        for call in (first, second)
    ]
    return not _same_text(frame, networks[:1], networks[1:])


def _is_beside_an_unread(it: Interpreter, frame: Frame, first: ir.Call, second: ir.Call) -> bool:
    """Whether the split that made the key of one of two calls also made one that nothing reads."""
    given = (*_arguments(first), *_arguments(second))
    return any(isinstance(part, ir.Name) and part.id in unread_siblings(it, frame.body) for part in given)


def stands_in_for_an_unread(it: Interpreter, frame: Frame, earlier: KeyUse, new: KeyUse) -> bool:
    """Whether a key that two calls get was split off beside one that nothing reads, which one of them should get."""
    first, second = _calls(it, frame, earlier, new)
    return first is not None and second is not None and _is_beside_an_unread(it, frame, first, second)


def _is_unused(it: Interpreter, body: ir.Block, call: ir.Call, use: KeyUse) -> bool:
    """Whether the code says of a call that nothing uses its result.

    Numbers that are kept in a plain name are meant to be used, now or by the next version of the code, so their call
    must be a bare wait or assign names with a leading underscore. A call that itself splits makes no numbers.
    """
    if _is_waited_for(it, body, call.at):
        return True
    names = names_read_nowhere(it, body, call.at)
    is_split = use.action == "split" and use.chain[-1].at == call.at
    return bool(names) and (is_split or all(name.startswith("_") for name in names))


@memoised
def _is_waited_for(_: Interpreter, body: ir.Block, at: int) -> bool:
    """Whether the statement of a call only waits for its result."""
    statement = statement_of(body, at)
    if not isinstance(statement, ir.ExpressionStatement) or not isinstance(statement.value, ir.Call):
        return False
    wait = statement.value
    base = (wait.func.base,) if isinstance(wait.func, ir.Attribute) else ()
    return is_wait(wait) and at in {part.at for part in (*wait.args, *base)}


def are_alternatives(it: Interpreter, frame: Frame, earlier: KeyUse, new: KeyUse) -> bool:
    """Whether two draws are made for one choice between them: `where(x > 0, draw(key), draw(key))`."""
    mine, theirs = divergence(earlier.chain, new.chain).at, divergence(new.chain, earlier.chain).at
    callees = it.tables[Callees].by_call
    for call in _calls_around(it, frame.body, mine):
        callee = callees.get((frame.path, call.at))
        if isinstance(callee, Qualified) and it.api.has(callee.name, "picks-one"):
            arms = [set(walks.ordinals(arm)) for arm in call.args[1:]]
            if any(mine in arm for arm in arms) and any(theirs in arm and mine not in arm for arm in arms):
                return True
    return False


@memoised
def _calls_around(_: Interpreter, body: ir.Block, at: int) -> tuple[ir.Call, ...]:
    statement = statement_of(body, at)
    calls = (node for node in walks.nodes(statement) if isinstance(node, ir.Call) and node.at != at)
    return tuple(call for call in calls if at in set(walks.ordinals(call.args)))


def _calls(it: Interpreter, frame: Frame, earlier: KeyUse, new: KeyUse) -> tuple[ir.Call | None, ir.Call | None]:
    """The two calls of one invocation that lead to the two uses."""
    mine, theirs = divergence(earlier.chain, new.chain), divergence(new.chain, earlier.chain)
    return call_at(it, frame, theirs.at), call_at(it, frame, mine.at)


def purpose_of_constant(frame: Frame, ident: Ident, new: KeyUse) -> str:
    """Why a function may make its key from a constant, empty where nothing says so."""
    env, function = frame.state.env, frame.function
    if function is None:
        return ""
    held = ((parameter.name, env.get(parameter.name)) for parameter in function.parameters)
    given = next((name for name, value in held if isinstance(value, Key) and value.ident != ident), None)
    if given is not None:
        return _BESIDE.format(given)
    flag = next(_deterministic_flags(new), None) if "." not in new.function else None
    if flag is not None:
        return _DETERMINISTIC.format(flag)
    is_whole = not frame.iteration and frame.trace is None
    return _SAME_CHOICE if is_whole and _last_name(new.function) in CHOOSING else ""


def _deterministic_flags(use: KeyUse) -> Iterator[str]:
    """The variables of tests on the way to a use that say that what is done there is deterministic."""
    names = (name.lstrip(".") for condition in use.conditions if condition.outcome for name in sorted(condition.names))
    return (name for name in names if not _WITHOUT_CHANCE.isdisjoint(name.lower().split("_")))


def _starts_from_one_state(ident: Ident, first: ir.Call, second: ir.Call, frame: Frame) -> bool:
    """Whether one function is run twice on what holds a key, and only numbers that the calls name differ."""
    if holders(ident, frame) or not _same_text(frame, (first.func,), (second.func,)):
        return False
    settings = [
        {name: value for name, value in call.keywords if isinstance(value, ir.Constant)} for call in (first, second)
    ]
    if not settings[0] or settings[0].keys() != settings[1].keys():
        return False
    rest = [
        [*call.args, *(value for name, value in call.keywords if name not in settings[0])] for call in (first, second)
    ]
    values = [[value.value for value in named.values()] for named in settings]
    return _same_text(frame, *rest) and values[0] != values[1]


# --- equal starts


def _makes_a_copy(frame: Frame, first: ir.Call, second: ir.Call) -> bool:
    """Whether two calls initialize one model alike, and not both results are trained."""
    if not _same_text(frame, (first.func,), (second.func,)) or not _is_part(frame, first, second):
        return False
    statements = [statement_of(frame.body, call.at) for call in (first, second)]
    if statements[0] is statements[1]:
        return True
    one, other = (getattr(statement, "value", None) for statement in statements)
    match one, other:
        case ir.Call(), ir.Call() if not _same_text(frame, _arguments(one), _arguments(other)):
            return _is_part(frame, one, other)
    return not all(_is_trained(frame.body, holder, call) for holder, call in zip(statements, (first, second)))


def _is_target(it: Interpreter, frame: Frame, first: ir.Call, second: ir.Call) -> bool:
    """Whether two calls initialize one model alike, and what becomes of one of the two is never trained."""
    alike = _same_text(frame, (first.func,), (second.func,)) and _is_part(frame, first, second)
    return alike and is_one_trained(it, frame, first, second)


def _is_a_named_copy(it: Interpreter, frame: Frame, first: ir.Call, second: ir.Call) -> bool:
    """Whether two objects are made alike, and the name of one is that of the other and more: `q` and `target_q`."""
    callee = it.tables[Callees].by_call.get((frame.path, second.at))
    if not isinstance(callee, ClassValue) or not _same_text(frame, (first,), (second,)):
        return False
    words = [set(_last_name(walks.dotted(name)).split("_")) for name in _targets(frame, first, second)]
    return len(words) == 2 and (words[0] < words[1] or words[1] < words[0])


def _targets(frame: Frame, *calls: ir.Call) -> Iterator[ir.Expr]:
    """What the values of calls are assigned to, each to one name or attribute."""
    for call in calls:
        statement = statement_of(frame.body, call.at)
        if isinstance(statement, ir.Assign) and statement.value.at == call.at and len(statement.targets) == 1:
            yield statement.targets[0]


def _takes_other_part(frame: Frame, first: ir.Call, second: ir.Call) -> bool:
    """Whether two calls are alike, and one part is taken of what the one gives, another one of the other."""
    if not _same_text(frame, (first,), (second,)):
        return False
    taken = [
        tuple(_texts(frame, node.index))
        for call in (first, second)
        for node in walks.nodes(statement_of(frame.body, call.at))
        if isinstance(node, ir.Subscript) and node.base.at == call.at
    ]
    return len(taken) == len(set(taken)) == 2


def _is_part(frame: Frame, first: ir.Call, second: ir.Call) -> bool:
    """Whether one of two calls is the other one, but for arguments that only that has."""
    texts = [set(_texts(frame, _arguments(call))) for call in (first, second)]
    return texts[0] <= texts[1] or texts[1] <= texts[0]


def _adds_an_option(it: Interpreter, frame: Frame, first: ir.Call, second: ir.Call) -> bool:
    """Whether two calls make an object of one class alike, but for arguments that one of them alone has."""
    callee = it.tables[Callees].by_call.get((frame.path, second.at))
    made = callee.receiver if isinstance(callee, BoundMethod) else callee
    if not isinstance(made, ClassValue):
        return False
    if not _same_text(frame, (first.func,), (second.func,)) or not _is_part(frame, first, second):
        return False
    return len(list(_arguments(first))) != len(list(_arguments(second)))


def _arguments(call: ir.Call) -> Iterator[ir.Expr]:
    yield from call.args
    yield from (value for _, value in call.keywords)


def _is_trained(body: ir.Block, statement: Any, call: ir.Call) -> bool:
    """Whether parameters are part of what is made with further arguments, or given to an optimizer's `init`."""
    if not isinstance(statement, ir.Assign) or statement.value.at != call.at:
        return True
    names = {name for target in statement.targets for name in walks.target_names(target)}
    return any(
        isinstance(node, ir.Call)
        and walks.spelling(node.func) in (".init", "init")
        and any(isinstance(part, ir.Name) and part.id in names for given in node.args for part in walks.nodes(given))
        for node in walks.nodes(body)
    )


# --- equal numbers by name


def _conditional_alias(
    it: Interpreter, frame: Frame, ident: Ident, first: ir.Call, second: ir.Call
) -> tuple[str, str] | None:
    """The names of one key where a statement behind a test makes the one stand for the other, which had its own."""
    held = holders(ident, frame)
    given = [
        {part.id for part in _arguments(call) if isinstance(part, ir.Name)} & held.keys() for call in (first, second)
    ]
    for name in sorted(given[1] - given[0]):
        bound = known_bindings(it, frame.body, name)
        for binding in bound:
            is_alias = isinstance(binding.value, ir.Name) and binding.value.id in given[0]
            if is_alias and not binding.always and len(bound) > 1:
                return name, str(walks.spelling(binding.value))
    return None


# --- equal numbers for several terms


def _derives(it: Interpreter, frame: Frame, call: ir.Call) -> bool:
    """Whether a call takes a derivative of its first argument at a point."""
    callee = it.tables[Callees].by_call.get((frame.path, call.at))
    return isinstance(callee, Qualified) and it.api.has(callee.name, "derives-at-a-point")


def _shares_a_mask(
    it: Interpreter, frame: Frame, earlier: KeyUse, new: KeyUse, first: ir.Call, second: ir.Call
) -> bool:
    """Whether one module is applied to different inputs, with a stream that is no one's but the framework's."""
    if not isinstance(earlier.detail, Derived) or not isinstance(new.detail, Derived):
        return False
    if not earlier.detail.meets(new.detail) or earlier.function != new.function:
        return False
    if _derives(it, frame, first) or _derives(it, frame, second):
        return True
    is_one = _same_text(frame, (first.func,), (second.func,))
    return is_one and not _same_text(frame, _arguments(first), _arguments(second))


def _run_as_given(frame: Frame, call: ir.Call) -> set[str]:
    """The parameters of a function that a call runs without arguments, or hands on to another function."""
    if frame.function is None:
        return set()
    parameters = {parameter.name for parameter in frame.function.parameters}
    named = {part.id for part in _arguments(call) if isinstance(part, ir.Name)}
    if isinstance(call.func, ir.Name) and not call.args and not call.keywords:
        named.add(call.func.id)
    run = {
        node.func.id
        for node in walks.nodes(frame.function.body)
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Name) and not node.args and not node.keywords
    }
    return parameters & named & run


#: What tells a framework which part of a model to run.
_OF_PART = frozenset({"name", "method"})


def _runs_other_part(it: Interpreter, earlier: KeyUse, new: KeyUse) -> bool:
    """Whether two calls of a model's `apply` name different parts of it."""
    if not isinstance(earlier.detail, Derived) or not isinstance(new.detail, Derived):
        return False
    named = [_part_named(it, use.chain[-1]) for use in (earlier, new)]
    return any(text != named[1].get(keyword, text) for keyword, text in named[0].items())


def _part_named(it: Interpreter, step: Step) -> dict[str | None, str]:
    """The part that a call names, as written, by the keyword that names it."""
    call = call_in(it, step.path, step.at)
    given = () if call is None else call.keywords
    text = it.project.files[step.path].segment
    return {keyword: text(value.at) for keyword, value in given if keyword in _OF_PART}


def _same_text(frame: Frame, first: Iterable[ir.Expr], second: Iterable[ir.Expr]) -> bool:
    return list(_texts(frame, first)) == list(_texts(frame, second))


def _texts(frame: Frame, parts: Iterable[ir.Expr]) -> Iterator[str]:
    return (" ".join(frame.module.source.segment(part.at).split()) for part in parts)
