"""Keys from outside a mapped function: each of its runs draws the same numbers from them."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.identities import holders
from jaxlint.analysis.domain.idents import Ident, made_at
from jaxlint.analysis.domain.values import atoms_of
from jaxlint.analysis.events.random import KeyBroadcast, KeyMade
from jaxlint.analysis.source.ownership import entry_frame
from jaxlint.analysis.typestate.evaluation_flags import only_evaluates
from jaxlint.analysis.typestate.intended_reuse import CHOOSING
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.domain.frames import Frame, Trace
    from jaxlint.analysis.domain.state import KeyUse
    from jaxlint.analysis.events.event import Operand
    from jaxlint.analysis.machine.interpreter import Interpreter


def tell(it: Interpreter, ident: Ident, new: KeyUse, operand: Operand, made: KeyMade | None) -> None:
    """A key from outside a repeated function drives each of its runs alike; `made` tells of one of a constant."""
    if new.action not in ("consume", "split") or not it.wants(KeyBroadcast):
        return
    trace = _repeating_trace(it, it.frame.trace, ident)
    if trace is None:
        return
    passed = ident in trace.unmapped
    if passed and new.function.rpartition(".")[2] in CHOOSING:
        return  # one choice for all rows, as the caller says: a batch that all members of a population see
    if passed and it.api.has(trace.transform, "maps-in-front"):
        return  # one key for all rows or an array of them: nobody says
    if passed and trace.application is not None and _is_given(trace.application):
        return  # what every function that can be given has to do with one key is what both sides agreed on
    step = new.chain[-1]
    if new.action == "split" and step.frame == it.frame.serial and only_evaluates(it.frame, step.at):
        return  # no row draws
    frame, at = _captured(it, ident, new, trace)
    if passed:
        inner = entry_frame(it.frame, trace)
        if inner is None or inner.caller is None:
            return
        frame, at = inner.caller, inner.call_at
    it.emit(KeyBroadcast(frame, at, operand, new, trace.transform, ident, _is_default(it, made, trace)))


def _is_default(it: Interpreter, made: KeyMade | None, trace: Trace) -> bool:
    """Whether a key is made of a constant as the default of a parameter, of a function that runs for each row."""
    if made is None:
        return False
    inside = takewhile(lambda frame: frame.serial > trace.entry, it.frame.callers())
    parameters = (p for frame in inside if frame.function is not None for p in frame.function.parameters)
    return any(made.at in walks.ordinals(parameter.default) for parameter in parameters)


def _captured(it: Interpreter, ident: Ident, use: KeyUse, trace: Trace) -> tuple[Frame, int]:
    """Where the repeated function, or what it calls, first names a key from around it: a draw, or a call with it."""
    steps = {step.frame: step.at for step in use.chain}
    inside = takewhile(lambda frame: frame.trace is trace, it.frame.callers())
    for frame in reversed([frame for frame in inside if frame is not it.frame]):
        at = steps.get(frame.serial, -1)
        call = next((node for node in walks.nodes(frame.body) if isinstance(node, ir.Call) and node.at == at), None)
        given = () if call is None else (*call.args, *(value for _, value in call.keywords))
        names = {node.id for node in walks.nodes(given) if isinstance(node, ir.Name)}
        if names & holders(ident, frame).keys():
            return frame, at
    return it.frame, steps.get(it.frame.serial, use.chain[-1].at)


def _is_given(application: Application) -> bool:
    """Whether the transformed function is an argument of the function in which it is transformed."""
    for frame in application.frame.scopes():
        for parameter in frame.function.parameters if frame.function is not None else ():
            value = frame.state.env.get(parameter.name)
            if value is not None and application.target in atoms_of(value):
                return True
    return False


def _repeating_trace(it: Interpreter, trace: Trace | None, ident: Ident) -> Trace | None:
    while trace is not None:
        if it.api.has(trace.transform, "repeats") and 0 < made_at(ident) < trace.entry:
            return trace
        trace = trace.parent
    return None
