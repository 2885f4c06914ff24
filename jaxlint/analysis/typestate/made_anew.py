"""What is initialized twice, the second time in the place of the first: that one only served to compile or to test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.values import ClassValue
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.source.ownership import statement_of
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Words in the names of functions that make something to start from.
_MAKING: Final = frozenset({"build", "create", "init", "initialise", "initialize", "make", "new", "reset", "setup"})


def replaced(it: Interpreter, frame: Frame, first: ir.Call, second: ir.Call) -> str:
    """The variable that two calls of one initializer set, if nothing made of the first is used behind the second."""
    held = {_target(statement_of(frame.body, call.at), call) for call in (first, second)}
    name = next(iter(held))
    if len(held) > 1 or not name or walks.dotted(first.func) != walks.dotted(second.func):
        return ""
    if not _makes(it, frame, second):
        return ""
    block = _block_of(frame.body, first, second)
    between = [s for s in block if first.at < s.at < second.at and second.at not in walks.ordinals(s)]
    behind = [s for s in block if s.at > second.at and second.at not in walks.ordinals(s)]
    made = {bound for statement in between for bound in _made_of(statement, name)} - {name}
    read = {walks.dotted(node) for s in behind for node in walks.nodes(s) if isinstance(node, ir.Name | ir.Attribute)}
    return name if block and made.isdisjoint(read) else ""


def _target(statement: ir.Stmt, call: ir.Call) -> str:
    match statement:
        case ir.Assign(targets=(target,), value=value) if value.at == call.at:
            return walks.dotted(target)
        case _:
            return ""


def _makes(it: Interpreter, frame: Frame, call: ir.Call) -> bool:
    """Whether a call makes an object or, by its name, what a program starts from."""
    if isinstance(it.tables[Callees].by_call.get((frame.path, call.at)), ClassValue):
        return True
    return not _MAKING.isdisjoint(walks.spelling(call.func).lower().lstrip("._").split("_"))


def _block_of(body: ir.Block, first: ir.Call, second: ir.Call) -> ir.Block:
    """The block that has the statements of both calls; empty where there is none."""
    statements = (statement_of(body, first.at), statement_of(body, second.at))
    return body if all(any(s is each for each in body) for s in statements) else ()


def _made_of(statement: ir.Stmt, name: str) -> Iterator[str]:
    """The variables that a statement sets to what it makes of another one."""
    for node in walks.nodes(statement):
        if isinstance(node, ir.Assign):
            given = {walks.dotted(part) for part in walks.nodes(node.value) if isinstance(part, ir.Name | ir.Attribute)}
            if name in given:
                for target in node.targets:
                    parts = target.elements if isinstance(target, ir.SequenceDisplay) else (target,)
                    yield from (walks.dotted(part) for part in parts if walks.dotted(part))
