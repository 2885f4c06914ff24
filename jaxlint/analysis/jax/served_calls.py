"""Calls of compiled functions that a program serves which the same pass of a loop has just compiled.

Warming up in each pass compiles once for each value; the call behind it, of the same values, compiles nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain.values import Value
from jaxlint.analysis.machine.tables import Table
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.state import Condition
    from jaxlint.analysis.machine.interpreter import Interpreter


class _Call(NamedTuple):
    """A call in a pass: where, under which conditions, as written, and what its names were."""

    at: int
    conditions: tuple[Condition, ...]
    written: Any
    names: dict[str, Value | None]


@dataclass(slots=True)
class _Calls(Table):
    """The calls with static arguments in each pass, by the moment at which it began."""

    by_pass: dict[int, list[_Call]] = field(default_factory=dict)


def is_served(it: Interpreter, node: ir.Expr) -> bool:
    """Whether an earlier call of the same pass is surely the same: notes the call at hand."""
    frame = it.frame
    if not frame.passes:
        return False
    read = walks.names(node)
    here = _Call(node.at, frame.conditions, _written(node), {name: it.peek(name) for name in sorted(read)})
    calls = it.tables[_Calls].by_pass.setdefault(frame.passes[-1].start, [])
    found = any(_is_same(earlier, here) for earlier in calls)
    calls.append(here)
    return found


def _is_same(earlier: _Call, here: _Call) -> bool:
    """Whether a call that surely ran means the same: as written, by names that nothing has bound again."""
    is_before = earlier.at != here.at and here.conditions[: len(earlier.conditions)] == earlier.conditions
    if not is_before or earlier.written != here.written:
        return False
    return all(value is not None and earlier.names[name] is value for name, value in here.names.items())


def _written(node: Any) -> Any:
    """An expression without the places of its parts."""
    if not isinstance(node, tuple):
        return node
    parts = node if node.__class__ is tuple else node[:-1]  # every node ends in its place
    return (node.__class__, *map(_written, parts))
