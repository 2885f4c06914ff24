"""Keys that a framework hands out by name: whether a module that was given them draws from them.

Each draw is noted under the name of its stream like the use of a key, so that it is told again where a call is
replayed. Under-approximates: a layer whose flag is not known draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import Collection, Derived, Ident, MadeAt, Stream
from jaxlint.analysis.domain.state import KeyUse
from jaxlint.analysis.domain.values import UNKNOWN, Arguments, DictCell, Key, Leaves, Object, Static, Unknown, Value
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.typestate import keys
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Flags of a module's call that turn its random layers on, and those that turn them off.
TRAINING = frozenset({"train", "training", "is_train", "is_training"})
_OFF = frozenset({"deterministic", "inference", "eval", "evaluate"})
#: Linen takes from this stream what it has no other for.
DEFAULT = "params"


class Uses(NamedTuple):
    """What a module that was run draws from and updates: the uses by the name of the stream, or of the collection."""

    draws: dict[str, tuple[KeyUse, ...]]
    updates: dict[str, tuple[KeyUse, ...]]


@dataclass(slots=True)
class _Networks(Table):
    """Where the code of a network was run: which argument its key is, and whether it drew from one in any such call.

    `unseen` holds where a network ran that nobody sees, and was told that it is trained.
    """

    run: dict[Place, tuple[int, bool]] = field(default_factory=dict)
    unseen: set[Place] = field(default_factory=set)


def note_network(it: Interpreter, node: ir.Expr, position: int, *, draws: bool) -> None:
    """A network whose code can be seen ran here, with a key in this position."""
    run, place = it.tables[_Networks].run, it.place(node.at)
    run[place] = (position, draws or run.get(place, (position, False))[1])


def is_never_drawn_from(it: Interpreter, node: ir.Expr, position: int) -> bool:
    """Whether a call that cannot be seen into here was seen to run networks that drew nothing.

    Over-approximates: calls of the same code that are looked at only later are not known yet.
    """
    return it.tables[_Networks].run.get(it.place(node.at)) == (position, False)


#: The detail of a use that may not happen.
UNSURE = "unsure"


def note(it: Interpreter, name: str, node: ir.Expr, *, sure: bool = True) -> None:
    """The module that runs draws from its stream of this name."""
    _note(it, Stream(name), "draw", node, None if sure else UNSURE)


def note_update(it: Interpreter, name: str, node: ir.Expr) -> None:
    """The module that runs updates its variables of this collection."""
    _note(it, Collection(name), "update", node, None)


def _note(it: Interpreter, ident: Stream | Collection, action: str, node: ir.Expr, detail: str | None) -> None:
    frame = it.frame
    if any(each.is_open and each.closure is not None and each.closure.function is not None for each in frame.callers()):
        detail = UNSURE  # in a function that was given to something, which may call it
    use = KeyUse(action, "", detail, frame.chain(node.at), frame.all_conditions(), frame.all_iterations())
    keys.record(it, [ident], use, Operand(UNKNOWN, frame, node.at))


def hand_back(it: Interpreter, key: Value | None) -> None:
    """A key that this code took from a stream is given to what draws nothing from it: as if it had not been taken."""
    ident = key.ident if isinstance(key, Key) else None
    uses = it.frame.state.keys
    if not isinstance(ident, MadeAt) or uses.get(ident):
        return
    taken = it.frame.chain(ident.at)[-1]
    for stream in [each for each in uses if isinstance(each, Stream)]:
        uses[stream] = tuple(use for use in uses[stream] if use.chain[-1] != taken)
        if not uses[stream]:
            del uses[stream]
    for recording in it.recordings:
        of_streams = ((idents, use) for idents, use in recording.uses if isinstance(idents[0], Stream))
        for each in [(idents, use) for idents, use in of_streams if use.chain[-1] == taken]:
            recording.uses.remove(each)


def used_by(it: Interpreter, run: Callable[[], Value]) -> tuple[Value, Uses]:
    """The value of a call that runs a module, and what the module draws from and updates."""
    before = _taken(it)
    value = run()
    found = _taken(it)
    it.frame.state.keys.update(before)
    draws = {ident.name: uses for ident, uses in found.items() if isinstance(ident, Stream)}
    return value, Uses(draws, {ident.name: uses for ident, uses in found.items() if isinstance(ident, Collection)})


def _taken(it: Interpreter) -> dict[Ident, tuple[KeyUse, ...]]:
    """The uses of streams and collections so far, which the state forgets."""
    uses = it.frame.state.keys
    return {ident: uses.pop(ident) for ident in list(uses) if isinstance(ident, Stream | Collection)}


def consume(
    it: Interpreter, rngs: Value | None, drawn: Iterable[str], node: ir.Expr, at: int, method: str = "apply"
) -> None:
    """The keys given as `rngs` whose streams were drawn from are used up by this method of a module."""
    given, names = _by_name(it, rngs), frozenset(drawn)
    for name, key in given.items():
        if name in names or (name == DEFAULT and names - given.keys()):
            keys.use(it, key, drawing(name, method), node, at)


def drawing(stream: str, method: str, parts: frozenset[str] = frozenset()) -> keys.Action:
    """What a method of a Linen module does with the key of a stream: it folds in the place of each draw.

    So nothing else gives these numbers that is drawn or split from the key itself.
    """
    return keys.Action("consume", method, Derived(stream, parts))


def consume_rngs(it: Interpreter, arguments: Arguments, node: ir.Expr) -> None:
    """The same for a module that we cannot see, where a flag says that it is trained."""
    if _says(arguments, TRAINING, True) or _says(arguments, _OFF, False):
        it.tables[_Networks].unseen.add(it.place(node.at))
        at = arguments.keyword_at.get("rngs", -1)
        for name, key in _by_name(it, arguments.keywords.get("rngs")).items():
            keys.use(it, key, drawing(name, "apply"), node, at)


def is_unseen(it: Interpreter, use: KeyUse) -> bool:
    """Whether it is by a network that nobody sees, which may have no random layers."""
    step = use.chain[-1]
    return Place(step.path, step.at) in it.tables[_Networks].unseen


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
