"""Loops: passes until their head looks the same, each from the state that the one before left."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.frames import Loop, Pass
from jaxlint.analysis.domain.values import Value
from jaxlint.analysis.machine.convergence import Convergence
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python import iteration, loop_costs, narrowing, stores, truth
from jaxlint.syntax import completion, ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.state import State
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Loops over this many known elements at most are gone through element by element.
MAX_UNROLLED = 8


def run_while(it: Interpreter, node: ir.While) -> bool:
    """A `while` loop; whether its end is reached."""
    iteration.forget_counters(it, node.body)
    left: list[State] = []
    loop = Loop()
    it.frame.flow.loops.append(loop)
    depth = len(it.frame.iteration)
    convergence = Convergence(it, node.body)
    for number in count():
        _begin_pass(it, depth, number, Pass(it.fresh(), node.at, None, None, node.body, None))
        outcome = truth.test(it, node.test, "while")
        if it.frame.failed:
            it.frame.failed = False
            break
        if outcome is not True:
            left.append(_assuming(it, node.test, False))
        if outcome is False or not narrowing.assume(it, node.test, True):
            break
        if not _pass(it, loop, node.body):
            break
        if convergence.is_reached():
            left.append(it.frame.state)
            break
    it.frame.end_passes(depth)
    it.frame.flow.loops.pop()
    return _leave(it, left, loop, node.orelse)


def _assuming(it: Interpreter, test: ir.Expr, outcome: bool) -> State:
    state = it.frame.state
    it.frame.state = state.fork()
    narrowing.assume(it, test, outcome)
    left, it.frame.state = it.frame.state, state
    return left


def _begin_pass(it: Interpreter, depth: int, number: int, this: Pass) -> None:
    """A pass begins; a loop of which no path leads to a second pass repeats nothing."""
    if this.known_count != 1 and _comes_back(it, this.body):
        it.frame.begin_pass(depth, number, this)


@memoised
def _comes_back(_: Interpreter, body: ir.Block) -> bool:
    return completion.comes_back(body)


def _pass(it: Interpreter, loop: Loop, body: ir.Block) -> bool:
    """One pass through a loop's body; False where no path comes back to its head."""
    conditions, caveats = it.frame.conditions, it.frame.caveats
    arrives = it.block(body)
    it.frame.conditions, it.frame.caveats = conditions, caveats
    states = [*loop.continues, it.frame.state] if arrives else list(loop.continues)
    loop.continues.clear()
    return it.resume(*states)


def _leave(it: Interpreter, left: list[State], loop: Loop, orelse: ir.Block) -> bool:
    ended = None
    if it.resume(*left) and it.block(orelse):
        ended = it.frame.state
    return it.resume(ended, *loop.breaks)


def run_for(it: Interpreter, node: ir.For) -> bool:
    """A `for` loop; whether its end is reached."""
    iterable = iteration.walked(it, it.eval(node.iter), node.iter)
    if it.frame.failed:
        return False
    exact = iteration.exact_elements(it, iterable)
    length = None if exact is None else len(exact)
    if exact is not None and len(exact) <= MAX_UNROLLED:
        return _unrolled(it, node, list(exact))
    iteration.forget_counters(it, node.body)
    left = [] if iteration.surely_runs(it, iterable) else [it.frame.state.fork()]
    loop = Loop()
    it.frame.flow.loops.append(loop)
    depth = len(it.frame.iteration)
    convergence = Convergence(it, node.body)
    cost = loop_costs.LoopCost(it, iterable)
    for number in count():
        _begin_pass(it, depth, number, Pass(it.fresh(), node.at, node.iter, node.target, node.body, length))
        stores.bind(it, node.target, iteration.element(it, iterable, node.iter.at), node.iter)
        if not _pass(it, loop, node.body):
            break
        if number == 0:
            cost.first_pass_is_done(node.iter, node.body)
        done = convergence.is_reached()
        left.append(it.frame.state if done else it.frame.state.fork())
        if done:
            break
    cost.is_over()
    it.frame.end_passes(depth)
    it.frame.flow.loops.pop()
    return _leave(it, left, loop, node.orelse)


def _unrolled(it: Interpreter, node: ir.For, elements: list[Value]) -> bool:
    """A loop over elements that are all known."""
    loop = Loop()
    it.frame.flow.loops.append(loop)
    depth, length = len(it.frame.iteration), len(elements)
    arrives = True
    for number, value in enumerate(elements):
        _begin_pass(it, depth, number, Pass(it.fresh(), node.at, node.iter, node.target, node.body, length))
        stores.bind(it, node.target, value, node.iter)
        arrives = _pass(it, loop, node.body)
        if not arrives:
            break
    it.frame.end_passes(depth)
    it.frame.flow.loops.pop()
    return _leave(it, [it.frame.state] if arrives else [], loop, node.orelse)
