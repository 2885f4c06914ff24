"""Keys made from a constant: where what is drawn from them is the same each time, and where that matters."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.idents import Ident
from jaxlint.analysis.domain.state import UNSEEN, KeyUse
from jaxlint.analysis.domain.values import Array, Leaves, Qualified, Value
from jaxlint.analysis.events.random import KeyMade
from jaxlint.analysis.machine.questions import put_off
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.source.dropped_results import is_dropped
from jaxlint.analysis.source.joint_use import gives_numbers_only
from jaxlint.analysis.source.reaching_definitions import (
    advances,
    argument_for,
    call_at,
    depends_on_pass,
    names_of_pass,
)
from jaxlint.analysis.typestate.equal_draws import INITIALIZING
from jaxlint.analysis.typestate.intended_reuse import CHOOSING, purpose_of_constant
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter

_REPORTED: Final = "the loop keeps nothing that is made of the numbers, as a benchmark or an evaluation does"
_WHOLE_RUN: Final = "the compiled function runs a loop of its own, so the key may be the seed of a whole run"
_DROPPED: Final = "nothing reads the numbers that are drawn from it"


@dataclass(slots=True)
class ConstantKeys(Table):
    """Keys made from a constant: what they are used for decides whether that is a mistake."""

    made: dict[Ident, KeyMade] = field(default_factory=dict)


def is_of_every_pass(it: Interpreter, seed: ir.Expr) -> bool:
    """Whether a seed, `config.seed + 1`, is the same at each pass of a loop that hands a state through the calls to it.

    Such a loop, of a simulation or of training, needs new numbers; one that evaluates may need the same ones.
    """
    frame, names = it.frame, walks.names(seed)
    if any(isinstance(part, ir.Call) for part in walks.nodes(seed)):
        return False
    while frame.caller is not None and frame.function is not None and not frame.passes:
        given = frozenset[str]()
        for name in names & frame.state.env.keys():
            argument = argument_for(it, frame, name)
            if argument is None:
                return False
            given |= walks.names(argument)
        this = frame.caller.passes[-1] if frame.caller.passes else None
        if this is not None:
            return given.isdisjoint(names_of_pass(this)) and advances(this, frame.call_at)
        frame, names = frame.caller, given
    return False


def tell(it: Interpreter, ident: Ident, new: KeyUse) -> None:
    """A key made from a constant is drawn from in the very invocation that made it, or in what it calls.

    Outside of traces, a call with such a key may start something alike on purpose, unless it picks or orders data.
    """
    event = it.tables[ConstantKeys].made.get(ident)
    if event is None or new.action not in ("consume", "split"):
        return
    if new.chain[-1].frame != event.frame.serial:
        is_frozen = event.trace is not None and event.trace.runs_once
        may_be_meant = not is_frozen and new.function.rpartition(".")[2] not in CHOOSING
        if may_be_meant or all(step.frame != event.frame.serial for step in new.chain):
            return
    if new.function.rpartition(".")[2] in INITIALIZING:
        if not event.frame.iteration:
            return  # parameters that start alike in every run, or of which only the shapes are wanted
    elif new.detail == UNSEEN:
        return  # a key that stands in for none: what runs with these parameters may not draw
    if event.in_loop and _is_another_problem(it, new.chain[-1].at):
        return
    if it.wants(KeyMade):
        purpose = purpose_of_constant(event.frame, ident, new)
        if not purpose and event.in_loop and _is_only_reported(it, event.frame):
            purpose = _REPORTED
        _emit(it, replace(event, purpose=purpose), new)


def _is_only_reported(it: Interpreter, frame: Frame) -> bool:
    """Whether a loop calls the function that makes a key, and keeps but numbers for a person of what it gives."""
    while frame.caller is not None and not frame.passes:
        if frame.caller.passes:
            call = call_at(it, frame.caller, frame.call_at)
            return call is not None and gives_numbers_only(it, frame.caller, frame.caller.passes[-1], call)
        frame = frame.caller
    return False


def _emit(it: Interpreter, event: KeyMade, new: KeyUse) -> None:
    """Tell the rules, when the function that makes the key is done: by then is seen what becomes of the draw."""
    owner = event.frame
    if event.purpose or owner.kind != "function" or owner not in it.frame.callers() or it.frame.trying:
        it.emit(event if event.purpose else replace(event, purpose=_purpose_at_end(it, event, new)))
    else:
        put_off(it, owner, lambda: it.emit(replace(event, purpose=_purpose_at_end(it, event, new))))


def _purpose_at_end(it: Interpreter, event: KeyMade, new: KeyUse) -> str:
    if is_dropped(it, new.chain):
        return _DROPPED
    return _WHOLE_RUN if _is_of_a_run(it, event) else ""


def _is_of_a_run(it: Interpreter, event: KeyMade) -> bool:
    """Whether a compiled function that makes a key has a compiled loop of its own, and no loop around is known."""
    function = event.frame.function
    if event.in_loop or event.trace is None or not event.trace.runs_once or function is None:
        return False
    calls = (node for node in walks.nodes(function.body) if isinstance(node, ir.Call))
    callees = it.tables[Callees].by_call
    return any(_loops(it, callees.get((event.frame.path, call.at))) for call in calls)


def _loops(it: Interpreter, callee: Value | None) -> bool:
    """Whether what is called is a transform that runs a function again and again, and hands on what it gives."""
    row = it.api.transform(callee.name) if isinstance(callee, Qualified) else None
    return row is not None and any(term.head == "carry" for each in row.functions for term in each.traced)


def _is_another_problem(it: Interpreter, at: int) -> bool:
    """Whether each pass of a loop around sets another problem, each from the same start.

    A loop around a call does so by the settings that it passes; arrays that it passes are data.
    """
    if depends_on_pass(it, it.frame, at):
        return True
    for frame in it.frame.known_callers():
        if frame.caller is None or frame.function is None:
            return False
        given = (frame.state.env.get(parameter.name) for parameter in frame.function.parameters)
        is_data = any(isinstance(value, Array | Leaves) for value in given)
        if not is_data and depends_on_pass(it, frame.caller, frame.call_at):
            return True
    return False
