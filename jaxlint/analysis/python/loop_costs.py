"""What a loop of Python over arrays, or over many numbers, comes to: each pass is dispatched, or traced, by itself."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.values import Array, Atom, Iterable, Level, Static, Value, atoms_of
from jaxlint.analysis.events.performance import ArrayLoop, UnrolledLoop
from jaxlint.analysis.machine.tables import Table, memoised
from jaxlint.analysis.python import iteration
from jaxlint.analysis.source import reaching_definitions
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.analysis.machine.interpreter import Interpreter

#: Loops up to this length are meant.
FEW = 10
#: With so many operations in the program, compiling it takes seconds.
MANY_OPERATIONS = 500
#: Names that a number is followed through.
MAX_NAMES = 4


@dataclass(slots=True)
class _Repeated(Table):
    """How many operations the passes of loops in compiled code add that are done, and were not interpreted."""

    operations: int = 0


class Begun(NamedTuple):
    """What was counted when a loop or a call began."""

    operations: int
    host_reads: int


def begin(it: Interpreter) -> Begun:
    """A loop, or a call whose cost is asked for, begins."""
    return Begun(it.facts.array_operations, it.facts.host_reads)


class LoopCost:
    """What the passes of a loop over a value come to, while the loop is interpreted."""

    def __init__(self, it: Interpreter, iterable: Value) -> None:
        self._it = it
        self._iterable = iterable
        self._begun, self._repeated = begin(it), it.tables[_Repeated].operations
        self._all_passes = 0

    def first_pass_is_done(self, node: ir.Expr, body: ir.Block) -> None:
        """Tell the rules what each pass does; the body of a comprehension is empty."""
        it = self._it
        operations = it.facts.array_operations - self._begun.operations
        if not operations:
            return
        if it.frame.ambient is Level.TRACED:
            if it.wants(UnrolledLoop):
                operations += it.tables[_Repeated].operations - self._repeated
                is_told = _unrolled(it, self._iterable, node, operations)
                self._all_passes = 0 if is_told else operations * _length(it, self._iterable)
        elif it.frame.ambient is Level.CONCRETE and it.wants(ArrayLoop):
            reads = it.facts.host_reads > self._begun.host_reads
            if all(map(_is_long_array, atoms_of(self._iterable))) and not reads and not _carries(it, body):
                it.emit(ArrayLoop(it.frame, node.at, it.operand(self._iterable, node), operations))

    def is_over(self) -> None:
        """Count all passes for the loop around, unless the rules were told of this one."""
        if self._all_passes:
            interpreted = self._it.facts.array_operations - self._begun.operations
            self._it.tables[_Repeated].operations = self._repeated + max(self._all_passes - interpreted, 0)


def _is_long_array(atom: Atom) -> bool:
    """Whether this is an array of JAX that is not known to have a few rows only."""
    if not isinstance(atom, Array) or atom.level is Level.HOST:
        return False
    length = atom.shape[0] if atom.shape else None
    return not (isinstance(length, int) and length <= FEW)


@memoised
def _carries(_: Interpreter, body: ir.Block) -> bool:
    """Whether a pass goes on from what the one before has computed, beyond adding to a total."""
    bound: dict[str, int] = {}  # the last ordinal of the statement that binds a name first
    targets: set[int] = set()
    for part in walks.nodes(body):
        if isinstance(part, ir.Assign):
            for target in part.targets:
                targets.update(walks.ordinals(target))
                for name in walks.target_names(target):
                    bound.setdefault(name, max(walks.ordinals(part)))
    names = (part for part in walks.nodes(body) if isinstance(part, ir.Name) and part.at not in targets)
    return any(part.at <= bound.get(part.id, -1) for part in names)


# --- loops in compiled code


def _unrolled(it: Interpreter, iterable: Value, node: ir.Expr, operations: int) -> bool:
    """Tell the rules of a loop with many passes, or with as many as there is data; whether they were told."""
    atoms = atoms_of(iterable)
    if len(atoms) > 1:
        return False
    match atoms[0]:
        case Array(level=Level.TRACED, shape=(int() as number, *_)) if number > FEW:
            length: int | None = number
        case Iterable(kind="range", length=Static(value=int() as number)) if number <= FEW:
            return False
        case Iterable(kind="range") if isinstance(node, ir.Call) and any(_is_size(it, a, 0) for a in node.args):
            length = None
        case Iterable(kind="range", length=Static(value=int() as number)):
            length = number
        case _:
            return False
    repeats = math.prod(_repeats(it, node))
    if length is not None and length * operations * repeats < MANY_OPERATIONS:
        return False
    it.emit(UnrolledLoop(it.frame, node.at, it.operand(iterable, node), length, operations, repeats))
    return True


def _length(it: Interpreter, iterable: Value) -> int:
    """How many passes there are; 1 where that is not known."""
    match iterable:
        case Array(shape=(int() as number, *_)) | Iterable(kind="range", length=Static(value=int() as number)):
            return number
        case _:
            return len(iteration.exact_elements(it, iterable) or (None,))


def _repeats(it: Interpreter, node: ir.Expr) -> Iterator[int]:
    """The lengths of the loops around that are meant, of the same program: they are not reported themselves."""
    frames = (frame for frame in it.frame.callers() if frame.trace is it.frame.trace)
    for this in (this for frame in frames for this in frame.passes):
        is_own = this.iter is not None and this.iter.at == node.at
        if not is_own and this.known_count and (this.known_count <= FEW or not _is_range(this.iter)):
            yield this.known_count


def _is_range(node: ir.Expr | None) -> bool:
    return isinstance(node, ir.Call) and walks.dotted(node.func) == "range"


def _is_size(it: Interpreter, node: ir.Expr, depth: int) -> bool:
    """Whether a number is the length of an array that is traced, or made of such a length."""
    match node:
        case ir.Subscript(base=ir.Attribute(attr="shape", base=base)):
            return _is_traced(it, base)
        case ir.Call(func=ir.Name(id="len"), args=(base,)):
            return _is_traced(it, base)
        case ir.BinaryOperation(left=left, right=right):
            return _is_size(it, left, depth) or _is_size(it, right, depth)
        case ir.Name(id=name) if depth < MAX_NAMES:
            found = reaching_definitions.known_bindings(it, it.frame.body, name)
            statement = found[0].statement if len(found) == 1 else None
            if not isinstance(statement, ir.Assign):
                return False
            if isinstance(statement.targets[0], ir.SequenceDisplay):
                value = statement.value
                return isinstance(value, ir.Attribute) and value.attr == "shape" and _is_traced(it, value.base)
            return _is_size(it, statement.value, depth + 1)
        case _:
            return False


def _is_traced(it: Interpreter, node: ir.Expr) -> bool:
    value = it.peek(node.id) if isinstance(node, ir.Name) else None
    return value is not None and all(isinstance(a, Array) and a.level is Level.TRACED for a in atoms_of(value))
