"""Tables: what a module of the analysis must remember over a run, beside the abstract state."""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, fields
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

_Table = TypeVar("_Table", bound="Table")
_Node = TypeVar("_Node")
_Answer = TypeVar("_Answer")
_Rest = ParamSpec("_Rest")


class Table:
    """What one module remembers over a run. Subclasses are dataclasses whose fields all have defaults."""

    __slots__ = ()

    def fork(self: _Table) -> _Table:
        """A table that goes on from here by itself; what its containers hold is shared unless a subclass says more."""
        copies = {each.name: copy.copy(getattr(self, each.name)) for each in fields(self)}  # type: ignore[arg-type]
        return type(self)(**copies)


@dataclass(slots=True)
class _Answers(Table):
    """Answers of memoised functions: by the function and the address of the node, which is kept alive, and the rest."""

    known: dict[tuple[Hashable, ...], tuple[Any, Any]] = field(default_factory=dict)


def memoised(
    question: Callable[Concatenate[Interpreter, _Node, _Rest], _Answer],
) -> Callable[Concatenate[Interpreter, _Node, _Rest], _Answer]:
    """Ask a question about a node of the source once a run; what else it is asked with must be hashable."""

    def ask(it: Interpreter, node: _Node, /, *rest: _Rest.args, **keywords: _Rest.kwargs) -> _Answer:
        known = it.tables[_Answers].known
        key = (question, id(node), *rest, *keywords.values()) if rest or keywords else (question, id(node))
        found = known.get(key)
        if found is None:
            found = known[key] = (node, question(it, node, *rest, **keywords))
        answer: _Answer = found[1]
        return answer

    update_wrapper(ask, question)
    return ask
