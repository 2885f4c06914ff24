"""Keys that two helpers get, which each split them in their own way: subkeys repeat, and numbers seldom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.ownership import statement_of
from jaxlint.analysis.source.reaching_definitions import call_at
from jaxlint.analysis.typestate.key_causes import divergence, forgets_a_key
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.domain.state import KeyUse
    from jaxlint.analysis.machine.interpreter import Interpreter

_IN_HELPERS: Final = "two functions split the key, each for its own use; the subkeys repeat, but perhaps no number"
_DEFINITIONS: Final = (ir.FunctionDefinition, ir.ClassDefinition)


def purpose(it: Interpreter, frame: Frame, new: KeyUse, earlier: KeyUse) -> str:
    """Why a use behind a split may do no harm, empty where it does or nothing says so.

    It does where one helper is run twice, and where the key stands in for a subkey: one that nothing reads, or one for
    a function that others go to.
    """
    if earlier.action != "split" or new.action not in ("split", "consume") or earlier.iteration != new.iteration:
        return ""
    places = {(use.chain[-1].path, use.chain[-1].at) for use in (earlier, new)}
    if len(places) == 1 or any(_is_written_in(frame, *place) for place in places):
        return ""
    if forgets_a_key(new, earlier) or _is_passed_like_a_subkey(it, frame, new, earlier):
        return ""
    return _IN_HELPERS


def _is_written_in(frame: Frame, path: str, at: int) -> bool:
    """Whether the code of an invocation holds a place, in functions that it defines too; of a module, outside them."""
    code = frame.body if frame.function is not None else [s for s in frame.body if not isinstance(s, _DEFINITIONS)]
    return path == frame.path and at in set(walks.ordinals(code))


def _is_passed_like_a_subkey(it: Interpreter, frame: Frame, new: KeyUse, earlier: KeyUse) -> bool:
    """Whether the function that is given the key is given keys of the split, too."""
    call = call_at(it, frame, divergence(earlier.chain, new.chain).at)
    split = statement_of(frame.body, divergence(new.chain, earlier.chain).at)
    if call is None or not isinstance(split, ir.Assign):
        return False
    subkeys = {name for target in split.targets for name in walks.target_names(target)}
    return not subkeys.isdisjoint(_names_given_to(it, frame.body).get(walks.spelling(call.func), ()))


@memoised
def _names_given_to(_: Interpreter, body: ir.Block) -> dict[str | None, set[str]]:
    """The names in the arguments of all calls of a scope, by how the function is written."""
    found: dict[str | None, set[str]] = {}
    for node in walks.nodes(body):
        if isinstance(node, ir.Call):
            given = (*node.args, *(value for _, value in node.keywords))
            found.setdefault(walks.spelling(node.func), set()).update(walks.names(given))
    return found
