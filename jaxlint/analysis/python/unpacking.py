"""Values taken apart for several targets: `a, *b = value`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.idents import FromEnd, Part, RestFrom
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import Iterable, Key, Leaves, ListCell, Object, Tuple, Unknown, Value, atoms_of
from jaxlint.analysis.python import iteration, record_classes
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def unpack(it: Interpreter, value: Value, target: ir.SequenceDisplay) -> list[Value]:
    """The parts of a value for the elements of a target; a starred element takes the middle.

    A tuple of another length raises: another value is unpacked here, or an annotation is wrong about this one.
    """
    count = len(target.elements)
    star = next((i for i, e in enumerate(target.elements) if isinstance(e, ir.Starred)), None)
    fitting = [atom for atom in atoms_of(value) if _may_fit(atom, count, star)]
    options = [_unpack_atom(it, atom, count, star, target.at) for atom in fitting or [it.unknown("a part", target.at)]]
    return [join_all([parts[i] for parts in options]) for i in range(count)]


def _may_fit(atom: Any, count: int, star: int | None) -> bool:
    """Whether a value may have as many parts as a target wants."""
    if not isinstance(atom, Tuple):
        return True
    return len(atom.elements) == count if star is None else len(atom.elements) >= count - 1


def _unpack_atom(it: Interpreter, atom: Any, count: int, star: int | None, at: int) -> list[Value]:
    exact = iteration.exact_elements(it, atom)
    if exact is not None and star is None and len(exact) == count:
        return list(exact)
    if exact is not None and star is not None and len(exact) >= count - 1:
        tail = count - star - 1
        middle = exact[star : len(exact) - tail]
        rest = it.allocate(ListCell(it.birth(at), middle, join_all(middle)))
        return [*exact[:star], rest, *exact[len(exact) - tail :]]
    if isinstance(atom, Key):
        return [_part_of_keys(it, atom, i, star) for i in range(count)]
    if isinstance(atom, Unknown):
        return [Unknown(it.element_ident(atom.ident, i), atom.reason) for i in range(count)]
    if isinstance(atom, Leaves) and star is None:
        return _parts_of_tree(it, atom, count, at)
    parts = [iteration.element(it, atom, at, iteration.each(it, at, number)) for number in range(count)]
    if star is not None and isinstance(atom, Iterable | Object):
        parts[star] = it.allocate(ListCell(it.birth(at), None, parts[star]))
    return parts


def _parts_of_tree(it: Interpreter, tree: Leaves, count: int, at: int) -> list[Value]:
    """The parts of a tree of unknown structure, which may be a record that holds something beside its leaves."""
    parts = [iteration.element(it, tree, at, iteration.each(it, at, number)) for number in range(count)]
    beside = record_classes.places_beside(it, count)
    return [it.unknown("a field of a record", at) if n in beside else part for n, part in enumerate(parts)]


def _part_of_keys(it: Interpreter, keys: Key, number: int, star: int | None) -> Key:
    """The number-th part of unpacked keys; a starred part is an array of them."""
    if number == star:
        return replace(keys, ident=Part(keys.ident, RestFrom(number)), shape=None)
    index = number if star is None or number < star else FromEnd(number)
    return replace(keys, ident=it.element_ident(keys.ident, index), shape=())
