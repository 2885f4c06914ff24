"""What a function that is made for one call leaves in a `nonlocal` name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.application import underlying
from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Trace
    from jaxlint.analysis.machine.interpreter import Interpreter


def is_handed_out(it: Interpreter, owner: Frame | None, name: str) -> bool:
    """Whether a function that was made for one call leaves something to it: a new function is traced when called.

    One that is called in a loop, or that counts, is traced too rarely.
    """
    function, trace = it.frame.function, it.frame.trace
    if function is None or trace is None or owner is None or owner.iteration or trace.is_hypothetical:
        return False
    reads = (part for node in walks.nodes(function.body) for part in _read_by_store(node, name))
    counts = any(walks.spelling(part) == name for part in reads)
    compiled = (crossed for crossed in trace.crossed(owner.serial) if crossed.is_compiled)
    return not counts and all(_is_made_after(crossed, owner.serial) for crossed in compiled)


def is_of_one_branch(it: Interpreter, owner: Frame | None, name: str) -> bool:
    """Whether a name is a variable of one function alone, which is traced as the branch of one `cond`.

    Nobody else reads what is left in it.
    """
    function, trace = it.frame.function, it.frame.trace
    if function is None or trace is None or owner is None:
        return False
    crossed = list(trace.crossed(owner.serial))
    if not all(each.is_branch and _is_made_after(each, owner.serial) for each in crossed):
        return False
    is_once = all(_is_in_one_pass(each, owner.serial) for each in crossed)
    return is_once and _mentions(it, owner.body, name) == _mentions(it, function.body, name)


def _is_in_one_pass(trace: Trace, serial: int) -> bool:
    """Whether no loop that began after something was made runs what is traced more than once."""
    caller = None if trace.body is None else trace.body.caller
    return caller is not None and all(each.start <= serial for each in caller.passes)


@memoised
def _mentions(it: Interpreter, body: ir.Block, name: str) -> int:
    """How often a name stands in code."""
    return sum(isinstance(node, ir.Name) and node.id == name for node in walks.nodes(body))


def _read_by_store(node: Any, name: str) -> Iterator[Any]:
    """The parts of what a statement makes of a name's old value, where it assigns to it."""
    match node:
        case ir.AugmentedAssign(target=target):
            yield target
        case ir.Assign(targets=targets, value=value) if name in {n for t in targets for n in walks.target_names(t)}:
            yield from walks.nodes(value)
        case _:
            pass


def _is_made_after(trace: Trace, serial: int) -> bool:
    if trace.is_branch:
        closure = None if trace.body is None else trace.body.closure
        return closure is not None and closure.serial >= serial
    traced = None if trace.application is None else underlying(trace.application.target)
    return traced is not None and traced.made > serial
