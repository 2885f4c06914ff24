"""What a loop learns: values that one pass leaves for the next one, such as parameters. Keys and counters are none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.values import Key, Static, atoms_of
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.reaching_definitions import known_bindings
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jaxlint.analysis.domain.frames import Frame, Pass
    from jaxlint.analysis.machine.interpreter import Interpreter


def is_given_what_is_learned(it: Interpreter, frame: Frame, this: Pass, call: ir.Call) -> bool:
    """Whether a call in a loop is given what earlier passes computed: the passes are no runs of their own."""
    waiting = list(_names((call.args, tuple(value for _, value in call.keywords))))
    seen = set(waiting)
    while waiting:
        name = waiting.pop()
        if _is_left_for_the_next(it, this.body, name):
            if not _is_key_or_number(frame, name):
                return True
            continue
        more = {source for source in _sources(it, this.body, name) if source not in seen}
        seen |= more
        waiting += more
    return False


def _is_key_or_number(frame: Frame, name: str) -> bool:
    value = frame.state.env.get(name)
    return value is not None and all(isinstance(atom, Key | Static) for atom in atoms_of(value))


@memoised
def _is_left_for_the_next(it: Interpreter, body: ir.Block, name: str) -> bool:
    """Whether a pass reads a name before it binds it."""
    first = next(iter(known_bindings(it, body, name)), None)
    if first is None:
        return False
    if isinstance(first.statement, ir.AugmentedAssign):
        return True
    if name in _names(first.value):
        return True
    start = min(walks.ordinals(first.statement))
    targets = {at for target in walks.assignment_targets(body) for at in walks.ordinals(target)}
    reads = (part.at for part in _own_nodes(body) if isinstance(part, ir.Name) and part.id == name)
    return any(at < start and at not in targets for at in reads)


def _own_nodes(node: Any) -> Iterator[Any]:
    """All nodes but those of functions, which have names of their own."""
    if isinstance(node, ir.Function):
        return
    yield node
    for part in node if isinstance(node, tuple) else ():
        yield from _own_nodes(part)


def _names(node: Any) -> Iterator[str]:
    return (part.id for part in _own_nodes(node) if isinstance(part, ir.Name))


@memoised
def _sources(it: Interpreter, body: ir.Block, name: str) -> Sequence[str]:
    """The names that a pass makes another one of."""
    return list(_names(tuple(binding.value for binding in known_bindings(it, body, name))))
