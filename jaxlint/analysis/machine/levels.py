"""Lifting: what a value becomes as an argument of a traced function, and what a result is outside again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable as Several
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain import class_fields, shapes
from jaxlint.analysis.domain.frames import Outside, Trace
from jaxlint.analysis.domain.idents import Ident, OfResult, Row
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    Birth,
    DictCell,
    InstanceCell,
    Iterable,
    Key,
    Leaves,
    Level,
    ListCell,
    Made,
    Object,
    Origin,
    Ref,
    Shape,
    Static,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    has_no_value,
    is_none,
    level_of,
)
from jaxlint.analysis.machine.class_bases import open_ended
from jaxlint.analysis.machine.tree_maps import map_leaves

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Python scalars that JAX turns into arrays.
NUMBERS = frozenset({"int", "float", "bool", "complex"})


class Destination(NamedTuple):
    """Where values are lifted to: the level, its evidence, the place, and the frame that new containers belong to.

    `outside` is told what the values were before, for what comes out of the trace again.
    """

    level: Level
    origin: Origin
    at: int
    owner: int
    outside: dict[int, Outside] | None = None


def is_surely_of_jax(atom: Atom) -> bool:
    """Whether this is an array of JAX, and not by an annotation alone."""
    if isinstance(atom, Array | Leaves) and atom.assumed:
        return False
    return has_no_value(atom) or (isinstance(atom, Array | Key) and atom.level is not Level.HOST)


class Lifting:
    """One lifting of values.

    `mapped` drops a dimension, that of `axis`, and makes keys new (a row of them); `arrays_only` leaves Python scalars
    alone, as Equinox does; `fresh_keys` gives keys a new identity (a carry that is replaced at every step).
    """

    def __init__(
        self,
        it: Interpreter,
        destination: Destination,
        *,
        mapped: bool = False,
        arrays_only: bool = False,
        fresh_keys: bool = False,
        axis: int | None = 0,
    ) -> None:
        self.it = it
        self.level, self.origin, self.at, self.owner, self.outside = destination
        self.mapped, self.arrays_only, self.fresh_keys = mapped, arrays_only, fresh_keys
        self.axis = axis
        self.open: set[int] = set()
        self.lifted: dict[tuple[int, bool, bool], Value] = {}  # by object, and by how its fields are lifted
        self.in_doubt = False  # in a carried object, whose class may be a pytree or not

    def __call__(self, value: Value) -> Value:
        """The value as the traced function sees it."""
        atoms = atoms_of(value)
        if len(atoms) == 1:
            return self._atom(atoms[0])
        return join_all([self._atom(atom) for atom in atoms])

    def _atom(self, atom: Atom) -> Value:  # noqa: PLR0911 - dispatches on the kinds of values
        self._note(atom)
        match atom:
            case Static():
                return self._static(atom)
            case Array():
                return self._array(atom)
            case Key():
                return self._key(atom)
            case Leaves():
                level = max(atom.level, self.level)
                return Leaves(level, self.origin, self._ident(atom.ident), atom.assumed, atom.element)
            case Made():
                return replace(atom, level=max(atom.level, self.level), origin=self.origin)
            case Unknown():
                return self._unknown(atom)
            case Tuple():
                return Tuple(tuple(map(self, atom.elements)), atom.names, atom.cls)
            case Iterable(kind="tuple" | "sequence"):
                return Iterable(atom.kind, self(atom.element), ident=atom.ident)
            case Object():
                return self._object(atom)
            case Ref():
                return Ref(max(atom.level, self.level), self.origin, atom.kernel)
            case _:
                return atom

    def _note(self, atom: Atom) -> None:
        """Remember what a value that is traced already was before it is lifted."""
        if self.outside is None or not isinstance(atom, Array | Key | Leaves | Made | Ref) or atom.level < Level.GRAD:
            return
        known = self.outside.get(self.origin.at)
        if known is None or known.level < atom.level:
            self.outside[self.origin.at] = Outside(atom.level, atom.origin)

    def _unknown(self, atom: Unknown) -> Value:
        if self.arrays_only:
            rows = self.mapped and atom.ident is not None
            return Unknown(Row(atom.ident, self.it.fresh()), atom.reason) if rows else atom
        return Leaves(self.level, self.origin, self._ident(atom.ident))

    def _static(self, atom: Static) -> Value:
        if self.in_doubt and atom.type in NUMBERS:
            return self.it.unknown("a field of a carried object, which may be an array", self.at)
        if is_none(atom) or self.arrays_only or atom.type not in NUMBERS:
            return atom if atom.type is not None or self.arrays_only else Leaves(self.level, self.origin)
        return Array(self.level, atom.type, (), True, self.origin)

    def _array(self, atom: Array) -> Value:
        shape = shapes.without_axis(atom.shape, self.axis) if self.mapped else atom.shape
        level = max(atom.level, self.level)
        ident = self._ident(atom.ident)
        return Array(level, atom.dtype, shape, atom.weak, self.origin, ident, strong=atom.strong)

    def _key(self, atom: Key) -> Value:
        shape = atom.shape[1:] if self.mapped and atom.shape else None if self.mapped else atom.shape
        if self.mapped and atom.shape is None:
            shape = ()
        ident = Row(atom.ident, self.it.fresh()) if self.mapped and atom.ident is not None else self._ident(atom.ident)
        ident = self.it.ident(self.at) if ident is None else ident
        return Key(ident, max(atom.level, self.level), shape, self.origin, atom.typed)

    def _ident(self, ident: Ident) -> Ident:
        """A row of keys is a new key each time; a carry is another one at each step."""
        if self.mapped or self.fresh_keys:
            return self.it.ident(self.at)
        return ident

    def _object(self, atom: Object) -> Value:
        if atom.oid in self.open:
            return Leaves(self.level, self.origin)  # it holds itself
        way = (atom.oid, self.arrays_only, self.in_doubt)
        if way not in self.lifted:
            self.open.add(atom.oid)
            self.lifted[way] = self._cell(atom)
            self.open.discard(atom.oid)
        return self.lifted[way]

    def _cell(self, atom: Object) -> Value:
        cell = self.it.cell(atom)
        told = () if cell is None else cell.birth[3:]  # an annotation tells of the copy what it tells of the original
        birth = Birth(self.owner, self.it.frame.path, self.at, *told)
        match cell:
            case ListCell():
                exact = None if cell.elements is None else tuple(map(self, cell.elements))
                return self.it.allocate(ListCell(birth, exact, self(cell.element)))
            case DictCell():
                items = {key: self(value) for key, value in cell.items.items()}
                return self.it.allocate(DictCell(birth, items, None if cell.rest is None else self(cell.rest)))
            case InstanceCell() if cell.cls.kind in ("pytree", "module") or self._may_be_tree(cell):
                is_module = cell.cls.kind != "pytree"  # its Python attributes are static, or may be
                outer = self.arrays_only, self.in_doubt
                self.arrays_only, self.in_doubt = outer[0] or is_module, self.fresh_keys and not cell.cls.kind
                attributes = class_fields.rebuilt(cell, self)
                self.arrays_only, self.in_doubt = outer
                level = None if self.arrays_only or is_module else self.level
                ident = None if self.mapped or self.fresh_keys else cell.ident
                return self.it.allocate(
                    InstanceCell(
                        birth, cell.cls, attributes, cell.open, cell.label, ident, level, self.origin, self.level
                    )
                )
            case InstanceCell() if any(isinstance(decorator, Unknown) for decorator in cell.cls.decorators):
                return self.it.unknown(f"what a decorator made of `{cell.cls.name}`", self.at)  # perhaps a pytree
            case _:
                return atom

    def _may_be_tree(self, cell: InstanceCell) -> bool:
        """Whether a class that is not seen may make the object a pytree: a base, or one below that an annotation hides.

        A carried object that is none raises.
        """
        return open_ended(self.it, cell.cls) or (cell.open and self.fresh_keys)


def settle(
    it: Interpreter, value: Value, trace: Trace | None = None, *, axes: Shape = (), arrays: bool = True
) -> Value:
    """A traced function's result, seen from outside of its trace: what it was made of is traced there, or is not.

    `arrays`: Python numbers come out as arrays, as from jit; `axes`: those that shapes gained in front, None where
    that is not known.
    """
    return map_leaves(it, value, lambda atom: _settled(it, atom, trace, axes, arrays))


def _settled(  # noqa: PLR0911 - dispatches on values
    it: Interpreter, atom: Atom, trace: Trace | None, axes: Shape, arrays: bool
) -> Value:
    level, origin = _seen_outside(it, atom, trace)
    batched = axes != ()
    match atom:
        case Array(level=Level.HOST) if not arrays:
            return atom
        case Array():
            shape = None if axes is None or atom.shape is None else (*axes, *atom.shape)
            weak = atom.weak and not batched
            return Array(level, atom.dtype, shape, weak, origin, it.ident(-1), strong=atom.strong)
        case Key():
            ident = OfResult(it.fresh()) if batched else atom.ident
            return Key(ident, level, None if batched else atom.shape, origin, atom.typed)
        case Leaves():
            return Leaves(level, origin, it.ident(-1))
        case Made():
            return replace(atom, level=level, origin=origin, ident=it.ident(-1))
        case Ref():
            return Ref(level, origin, atom.kernel)
        case Unknown() if atom.ident is not None:
            return Unknown(it.ident(-1), atom.reason)
        case Static() if arrays and atom.type in NUMBERS:
            return Array(it.frame.ambient, atom.type, axes, True, None, it.ident(-1))
        case _:
            return atom


def _seen_outside(it: Interpreter, atom: Atom, trace: Trace | None) -> Outside:
    """The level and evidence of a result outside of its trace: those of the operand that it came from."""
    ambient = it.frame.ambient
    found = None if trace is None else outside(trace, getattr(atom, "origin", None))
    if found is None:
        return Outside(ambient, None)
    level = found.level
    if isinstance(atom, Array) and shapes.is_discrete(atom.dtype):
        level = undifferentiated(level)
    origin = found.origin
    for mark in reversed(_marks(getattr(atom, "origin", None))):
        origin = mark._replace(parent=origin)
    return Outside(max(level, ambient), origin)


def _marks(origin: Origin | None) -> list[Origin]:
    """All that became of the derivative of a value with this evidence, last first."""
    found = []
    while origin is not None:
        if origin.kind in _MARKS:
            found.append(origin)
        origin = origin.parent
    return found


def outside(trace: Trace, origin: Origin | None) -> Outside | None:
    """What a value with this evidence is outside of a trace, if it is traced there."""
    inside = origin
    while origin is not None and origin.parent is not None:
        inside, origin = origin, origin.parent
    if inside is None:
        return None
    if origin is trace.origin:
        return trace.outside.get(inside.at)
    around = trace.parent
    while around is not None:
        if around.origin is origin:
            return Outside(around.level, inside)
        around = around.parent
    return None


def evidence(it: Interpreter, values: Several[Value]) -> Origin | None:
    """The origin of what is made of these: that of the operand of the highest level.

    In a trace inside of another, an operand that is traced outside as well comes first: what is made of it is, too.
    Of others, what that trace itself traces.
    """
    trace = it.frame.trace
    nested = trace if trace is not None and trace.parent is not None else None
    best: Origin | None = None
    highest = (-1, False, 0)
    for value in values:
        for atom in atoms_of(value):
            origin: Origin | None = getattr(atom, "origin", None)
            if origin is None:
                continue
            if origin.kind in ("while", "masked") and isinstance(atom, Array) and shapes.is_discrete(atom.dtype):
                origin = _unmarked(origin)  # no derivative goes through it
            level = int(level_of(atom) or Level.HOST)
            if nested is not None and outside(nested, origin) is not None:
                level += len(Level)
            rank = (level, nested is not None and _root(origin) is nested.origin, _PLACES[origin.kind])
            if rank > highest:
                best, highest = origin, rank
    return best


def _root(origin: Origin) -> Origin:
    while origin.parent is not None:
        origin = origin.parent
    return origin


def _unmarked(origin: Origin) -> Origin:
    """The same evidence without what last became of the derivative."""
    while origin.kind in ("while", "masked") and origin.parent is not None:
        origin = origin.parent
    return origin


#: What becomes of a derivative: it cannot go through a loop, is stopped, or is not a number where a mask is off.
_MARKS = frozenset({"while", "stopped", "masked"})
#: Of operands of one level, one out of a loop or a mask comes first, and last one through which no derivative goes.
_PLACES = defaultdict(lambda: 1, {"while": 2, "masked": 2, "stopped": 0})


def _mark_of(origin: Origin | None) -> Origin | None:
    """What last became of the derivative of a value with this evidence, if anything did."""
    while origin is not None and origin.kind not in ("while", "stopped"):
        origin = origin.parent
    return origin


def loop_of(origin: Origin | None) -> Origin | None:
    """The loop that a value with this evidence came out of, if its derivative cannot be taken backwards."""
    mark = _mark_of(origin)
    return mark if mark is not None and mark.kind == "while" else None


def mask_of(origin: Origin | None) -> Origin | None:
    """The choice by a mask that the derivative of a value with this evidence goes through, if it is marked."""
    return next((mark for mark in _marks_before_stop(origin) if mark.kind == "masked"), None)


def _marks_before_stop(origin: Origin | None) -> Iterator[Origin]:
    for mark in _marks(origin):
        if mark.kind == "stopped":
            return
        yield mark


def out_of_loop(it: Interpreter, value: Value, loop: str, at: int) -> Value:
    """The result of a loop whose derivative cannot be taken backwards."""
    return map_leaves(it, value, lambda atom: _out_of_loop(atom, Origin("while", loop, it.frame.path, at, None)))


def _out_of_loop(atom: Atom, loop: Origin) -> Value:
    if not isinstance(atom, Array | Leaves) or atom.level < Level.GRAD or atom.origin is None:
        return atom
    if isinstance(atom, Array) and shapes.is_discrete(atom.dtype):
        return atom
    mark = _mark_of(atom.origin)
    if mark is not None and mark.kind == "stopped":
        return atom
    return replace(atom, origin=loop._replace(parent=atom.origin))


def with_derivative(it: Interpreter, value: Value) -> Value:
    """The same with a derivative of its own: it does not matter which loop the arrays came out of."""
    return map_leaves(it, value, _with_derivative)


def _with_derivative(atom: Atom) -> Value:
    if isinstance(atom, Array | Leaves):
        marks = list(_marks_before_stop(atom.origin))
        return replace(atom, origin=marks[-1].parent) if marks else atom
    return atom


def stopped(it: Interpreter, value: Value, at: int) -> Value:
    """The same where no derivative goes through: it does not matter which loop the arrays came out of."""
    return map_leaves(it, value, lambda atom: _stopped(atom, Origin("stopped", "", it.frame.path, at, None)))


def _stopped(atom: Atom, mark: Origin) -> Value:
    if isinstance(atom, Array | Leaves) and atom.origin is not None:
        return replace(atom, origin=mark._replace(parent=atom.origin))
    return atom


def at_level(it: Interpreter, value: Value, level: Level, origin: Origin | None) -> Value:
    """The same tree with all its arrays at this level: the gradient of an argument, an abstract result."""
    return map_leaves(it, value, lambda atom: _at_level(it, atom, level, origin))


def _at_level(it: Interpreter, atom: Atom, level: Level, origin: Origin | None) -> Value:
    match atom:
        case Array():
            return Array(level, atom.dtype, atom.shape, False, origin, it.ident(-1))
        case Made():
            return replace(atom, level=level, origin=origin)
        case Leaves() | Unknown():
            return Leaves(level, origin, it.ident(-1))
        case Key() if level is Level.HOST:  # it has a value there, but stays an array of JAX
            return replace(atom, level=Level.CONCRETE, origin=None)
        case Static(type=kind) if kind in NUMBERS:
            return Array(level, kind, (), True, origin, it.ident(-1))
        case _:
            return atom


def at_least(it: Interpreter, value: Value, level: Level) -> Value:
    """The same tree of other arrays, none below this level."""
    return map_leaves(it, value, lambda atom: _at_least(it, atom, level))


def _at_least(it: Interpreter, atom: Atom, level: Level) -> Value:
    if isinstance(atom, Array | Leaves) and atom.level > level:
        return replace(atom, ident=it.ident(-1))
    return _at_level(it, atom, level, None)


def undifferentiated(level: Level) -> Level:
    """The level of a truth value or whole number, which has no derivative: under `grad` alone it is not lifted."""
    return Level.CONCRETE if level is Level.GRAD else level


def without_derivative(it: Interpreter, value: Value) -> Value:
    """The same tree with arrays that `grad` does not lift."""
    return map_leaves(it, value, _primal)


def _primal(atom: Atom) -> Value:
    match atom:
        case Array(level=Level.GRAD) | Key(level=Level.GRAD) | Leaves(level=Level.GRAD) | Made(level=Level.GRAD):
            return replace(atom, level=Level.CONCRETE, origin=None)
        case _:
            return atom


def copied(it: Interpreter, value: Value) -> Value:
    """The same tree of other arrays with the same contents; a copy of a key is the same key."""
    return map_leaves(it, value, lambda atom: _copied(it, atom))


def _copied(it: Interpreter, atom: Atom) -> Value:
    match atom:
        case Array() | Leaves() | Unknown() if atom.ident is not None:
            return replace(atom, ident=it.ident(-1))
        case _:
            return atom
