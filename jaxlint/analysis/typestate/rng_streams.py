"""Keys that a framework hands out by name: whether a module that was given them draws from them.

Each draw is noted under the name of its stream like the use of a key, so that it is told again where a call is
replayed. Under-approximates: a layer whose flag is not known draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.idents import Derived, Ident, Stream
from jaxlint.analysis.domain.state import KeyUse
from jaxlint.analysis.domain.values import UNKNOWN, Arguments, DictCell, Key, Leaves, Object, Static, Unknown, Value
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.typestate import keys
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Flags of a module's call that turn its random layers on, and those that turn them off.
_ON = frozenset({"train", "training", "is_training"})
_OFF = frozenset({"deterministic", "inference", "eval", "evaluate"})
#: Linen takes from this stream what it has no other for.
DEFAULT = "params"


def note(it: Interpreter, name: str, node: ir.Expr) -> None:
    """The module that runs draws from its stream of this name."""
    frame = it.frame
    use = KeyUse("draw", "", None, frame.chain(node.at), frame.all_conditions(), frame.all_iterations())
    keys.record(it, [Stream(name)], use, Operand(UNKNOWN, frame, node.at))


def drawn_by(it: Interpreter, run: Callable[[], Value]) -> tuple[Value, frozenset[str]]:
    """The value of a call, and the streams that it draws from."""
    uses = it.frame.state.keys
    before: dict[Ident, tuple[KeyUse, ...]] = {
        ident: uses.pop(ident) for ident in [i for i in uses if isinstance(i, Stream)]
    }
    value = run()
    uses = it.frame.state.keys
    found = frozenset(ident.name for ident in uses if isinstance(ident, Stream))
    for name in found:
        uses.pop(Stream(name))
    uses.update(before)
    return value, found


def consume(it: Interpreter, rngs: Value | None, drawn: frozenset[str], node: ir.Expr, at: int) -> None:
    """The keys given as `rngs` whose streams were drawn from are used up."""
    for name, key in _by_name(it, rngs).items():
        if name in drawn or (name == DEFAULT and drawn - _by_name(it, rngs).keys()):
            keys.use(it, key, drawing(name, "apply"), node, at)


def drawing(stream: str, method: str) -> keys.Action:
    """What a method of a Linen module does with the key of a stream: it folds in the place of each draw.

    So nothing else gives these numbers that is drawn or split from the key itself.
    """
    return keys.Action("consume", method, Derived(stream))


def consume_rngs(it: Interpreter, arguments: Arguments, node: ir.Expr) -> None:
    """The same for a module that we cannot see, where a flag says that it is trained."""
    if _says(arguments, _ON, True) or _says(arguments, _OFF, False):
        at = arguments.keyword_at.get("rngs", -1)
        for name, key in _by_name(it, arguments.keywords.get("rngs")).items():
            keys.use(it, key, drawing(name, "apply"), node, at)


def _says(arguments: Arguments, flags: frozenset[str], wanted: bool) -> bool:
    given = (arguments.keywords[flag] for flag in flags & arguments.keywords.keys())
    return any(isinstance(value, Static) and value.value is wanted for value in given)


def _by_name(it: Interpreter, rngs: Value | None) -> dict[str, Value]:
    """The keys by the names of their streams; a single key serves all."""
    if isinstance(rngs, Key):
        return {DEFAULT: rngs}
    cell = it.cell(rngs) if isinstance(rngs, Object) else None
    if not isinstance(cell, DictCell):
        return {}
    return {
        name: key
        for name, key in cell.items.items()
        if isinstance(key, Key | Leaves | Unknown) and isinstance(name, str)
    }
