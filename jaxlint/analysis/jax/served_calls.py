"""Calls of compiled functions that a program serves which the same pass of a loop has just compiled.

Warming up in each pass compiles once for each value; the call behind it, of the same values, compiles nothing. Where
the loop is around the function, all that is done in one call of the function is done in one pass.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain.values import Value
from jaxlint.analysis.machine.tables import Table
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.findings import Place
    from jaxlint.analysis.domain.frames import Frame, Pass
    from jaxlint.analysis.domain.state import Condition
    from jaxlint.analysis.machine.interpreter import Interpreter


class _Call(NamedTuple):
    """A call in a pass: where, under which conditions, in which loops, as written, and what its names were."""

    at: int
    conditions: tuple[Condition, ...]
    passes: tuple[Pass, ...]
    written: Any
    names: dict[str, Value | None]


@dataclass(slots=True)
class _Calls(Table):
    """The calls with static arguments in each invocation of a function, by its frame."""

    by_frame: dict[int, list[_Call]] = field(default_factory=dict)


class Served(NamedTuple):
    """Whether an earlier call is surely the same: in the same pass of the loops here, and in the same invocation."""

    in_pass: bool
    in_invocation: bool

    def covers(self, frame: Frame, loop: Place) -> bool:
        """Whether the program of the earlier call was compiled in the same pass of this loop."""
        is_here = loop.path == frame.path and any(this.at == loop.at for this in frame.passes)
        return self.in_pass if is_here else self.in_invocation


def served(it: Interpreter, node: ir.Expr) -> Served:
    """Which earlier calls compiled for the call at hand, which is noted."""
    frame = it.frame
    names = {name: it.peek(name) for name in sorted(walks.names(node))}
    here = _Call(node.at, frame.conditions, frame.passes, _written(node), names)
    calls = it.tables[_Calls].by_frame.setdefault(frame.serial, [])
    same = [earlier for earlier in calls if _is_same(earlier, here)]
    calls.append(here)
    in_pass = any(earlier.passes[-1:] == here.passes[-1:] for earlier in same) if here.passes else False
    return Served(in_pass, any(_surely_ran(earlier, here) for earlier in same))


def _surely_ran(earlier: _Call, here: _Call) -> bool:
    """Whether the loops around an earlier call are around this one as well, or have passes."""
    return all(this in here.passes or this.known_count for this in earlier.passes)


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
