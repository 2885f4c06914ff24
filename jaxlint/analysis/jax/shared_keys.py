"""Keys that a function mapped over the leaves of a tree takes from around it: each leaf draws the same numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.identities import holders
from jaxlint.analysis.domain.idents import Ident, made_at
from jaxlint.analysis.domain.state import KeyUse
from jaxlint.analysis.domain.values import Value, ident_of
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.random import KeyBroadcast
from jaxlint.analysis.typestate.intended_reuse import CHOOSING

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax import ir


class SharedKeys:
    """Watches one such call, from before its function runs to after it."""

    def __init__(self, it: Interpreter) -> None:
        self.it = it
        self.before = dict(it.frame.state.keys) if it.wants(KeyBroadcast) else None
        self.start = it.fresh()

    def tell(self, given: list[Value], name: str, node: ir.Expr) -> None:
        """Tell the rules of keys that are older than the call, and that a variable holds still: none was advanced."""
        it, before = self.it, self.before
        if before is None or (it.frame.trace is not None and not it.frame.trace.draws):
            return
        own = {ident_of(value) for value in given}
        for ident, uses in tuple(it.frame.state.keys.items()):
            earlier = before.get(ident, ())
            if uses is earlier or ident in own or made_at(ident) >= self.start:
                continue
            use = next(filter(_draws, uses[len(earlier) :]), None)
            held = holders(ident, it.frame) if use is not None else {}
            if use is not None and held:
                self._tell(ident, use, next(iter(held.values())), name, node)

    def _tell(self, ident: Ident, use: KeyUse, value: Value, name: str, node: ir.Expr) -> None:
        frame = self.it.frame
        inner = use.chain[min(len(frame.chain(node.at)), len(use.chain) - 1)]
        at = inner.at if inner.path == frame.path else node.at
        self.it.emit(KeyBroadcast(frame, at, Operand(value, frame, at), use, name, ident))


def _draws(use: KeyUse) -> bool:
    """Whether what comes of the key is wanted anew for each leaf; rows are chosen alike in all of them."""
    return use.action in ("consume", "split") and use.function.rpartition(".")[2] not in CHOOSING
