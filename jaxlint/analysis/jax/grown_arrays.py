"""Arrays that a loop makes longer at each pass: each time all of what is there is copied, into a new shape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import Ident
from jaxlint.analysis.domain.values import Arguments, Array, Level, Value, atoms_of, ident_of
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.performance import GrownArray
from jaxlint.analysis.jax import eager_loops, loop_variance
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.python import iteration
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


@dataclass(slots=True)
class _Given(Table):
    """The arrays that operations gave, by the invocation and the ordinal."""

    by_operation: dict[tuple[int, int], set[Ident]] = field(default_factory=dict)

    def fork(self) -> _Given:
        """The same with sets of its own."""
        return _Given({key: set(idents) for key, idents in self.by_operation.items()})


def tell(it: Interpreter, arguments: Arguments, result: Value, node: ir.Expr) -> None:
    """Arrays were put together: tell the rules where one of them is what this very operation gave in the last pass."""
    frame = it.frame
    if not it.wants(GrownArray):
        return
    given = it.tables[_Given].by_operation.setdefault((frame.serial, node.at), set())
    longer = next((at for part, at in _parts(it, arguments) if ident_of(part) in given), None)
    given.update(ident for ident in map(ident_of, atoms_of(result)) if ident is not None)
    this = frame.passes[-1]
    if longer is not None and not loop_variance.is_few(it, frame, this) and eager_loops.is_eager(it):
        operand = Operand(result, frame, longer if longer >= 0 else node.at)
        it.emit(GrownArray(frame, node.at, operand, Place(frame.path, this.at)))


def _parts(it: Interpreter, arguments: Arguments) -> Iterator[tuple[Array, int]]:
    """The arrays of JAX among the arguments, and in a sequence that is one of them, with the argument's place."""
    for value, at in zip(arguments.positional, arguments.positional_at):
        for atom in atoms_of(value):
            parts = (atom,) if isinstance(atom, Array) else iteration.exact_elements(it, atom) or ()
            arrays = (a for part in parts for a in atoms_of(part) if isinstance(a, Array))
            yield from ((array, at) for array in arrays if array.level > Level.HOST)
