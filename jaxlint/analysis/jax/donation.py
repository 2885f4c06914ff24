"""Donation: which buffers a call of a jitted function gives away, and what it needs of what was given away before."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain import class_fields
from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.identities import instance_ident
from jaxlint.analysis.domain.idents import Ident, OfResult, made_at
from jaxlint.analysis.domain.state import Donation
from jaxlint.analysis.domain.values import (
    Arguments,
    Array,
    Atom,
    DictCell,
    InstanceCell,
    Key,
    Leaves,
    Level,
    Made,
    Object,
    Static,
    Tuple,
    Union,
    Unknown,
    Value,
    atoms_of,
    ident_of,
)
from jaxlint.analysis.events.compilation import DonatedUse, UnusedDonation
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.jax import donated_parameters, leaf_types, lengthened_results, module_apply
from jaxlint.analysis.machine import dependencies, path_values
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING, leaves_of
from jaxlint.analysis.machine.tree_maps import map_leaves
from jaxlint.analysis.typestate import donated_calls, donated_sizes, donated_uses
from jaxlint.analysis.typestate.donated_sizes import Taken
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.machine.interpreter import Interpreter


class _Given(NamedTuple):
    """One argument of a call: where it is written, and whether its buffers are given away."""

    value: Value
    at: int
    donated: bool


def use_arguments(it: Interpreter, application: Application, arguments: Arguments, node: ir.Expr) -> None:
    """A call of a transformed function needs all arrays in its arguments."""
    if it.frame.trace is None and application.row.level in ("traced", "mapped", "grad"):
        for _, _, value, at in donated_parameters.passed(it, application, arguments):
            donated_uses.use_leaves(it, value, donated_calls.written(node, at))


def give(it: Interpreter, application: Application, arguments: Arguments, result: Value, node: ir.Expr) -> Value:
    """A call of a function that donates has run: its donated arguments are gone from here on. Gives what it returns."""
    if it.frame.trace is not None or not (it.wants(DonatedUse) or it.wants(UnusedDonation)):
        return result  # inside a trace, jit inside it is inlined and gives nothing away
    marked = donated_parameters.of(it, application)
    if not marked.any:
        return result
    given = list(_given(it, application, arguments, marked, node))
    donated = [leaf for argument in given if argument.donated for leaf in leaves_of(it, argument.value)]
    buffers = [leaf for leaf in donated if all(_has_buffer(it, a) for a in atoms_of(leaf) if not isinstance(a, Static))]
    results = [leaf for leaf in leaves_of(it, result) if not isinstance(leaf, Static)]
    is_dropped = lengthened_results.are_longer(it, application.target)
    per_device = it.api.has(application.name, "per-device")
    taken = [] if is_dropped else donated_sizes.taken(buffers, results, per_device=per_device)
    _tell_twice(it, application, given, taken, node)
    _tell_unused(it, application, given, taken, results)
    gone = {atom.ident for part in taken for atom in atoms_of(part.leaf) if isinstance(atom, Key)}
    result = _with_new_keys(it, result, gone) if gone else result
    for part in taken:
        new = _donation(it, application, node, part)
        for atom in atoms_of(part.leaf):
            ident = _ident(atom)
            if ident is not None:
                chosen = path_values.conditions_of(it.frame, part.leaf, atom)
                _note(it, ident, new._replace(conditions=(*new.conditions, *chosen)))
    for argument in given:
        for atom in atoms_of(argument.value) if argument.donated and not is_dropped else ():
            _give_unseen(it, atom, _donation(it, application, node, Taken(argument.value)))
    return result


def _with_new_keys(it: Interpreter, result: Value, gone: AbstractSet[Ident]) -> Value:
    """The result with other arrays for the keys that were given away: they repeat the same numbers, but live on."""
    anew: dict[Ident, Ident] = {}

    def renewed(atom: Atom) -> Value:
        if not isinstance(atom, Key) or atom.ident not in gone:
            return atom
        if atom.ident not in anew:
            anew[atom.ident] = OfResult(it.fresh())
            uses = it.frame.state.keys
            if atom.ident in uses:
                uses[anew[atom.ident]] = uses[atom.ident]
        return replace(atom, ident=anew[atom.ident])

    return map_leaves(it, result, renewed)


def _donation(it: Interpreter, application: Application, node: ir.Expr, taken: Taken) -> Donation:
    frame = it.frame
    sure = taken.sure and frame.ambient is Level.CONCRETE  # nobody traces the code around
    return Donation(
        frame.chain(node.at), frame.all_conditions(), frame.all_iterations(), _callee(node), application.frame.path,
        application.at, sure, taken.doubtful,
    )  # fmt: skip


def _note(it: Interpreter, ident: Ident, new: Donation) -> None:
    donated = it.frame.state.donated
    known = donated.get(ident, ())
    donated[ident] = known if new in known else (*known, new)
    dependencies.change(it.recordings, made_at(ident))


def _give_unseen(it: Interpreter, atom: Atom, new: Donation) -> None:
    """The attributes of an object that came from outside are donated with it, those not seen yet, too."""
    cell = it.cell(atom) if isinstance(atom, Object) else None
    if isinstance(cell, InstanceCell) and cell.open and isinstance(atom, Object):
        _note(it, instance_ident(cell, atom), new)


def _given(
    it: Interpreter, application: Application, arguments: Arguments, marked: donated_parameters.Donated, node: ir.Expr
) -> Iterator[_Given]:
    """The arguments that reach the compiled function: not the static ones, nor those that it never reads."""
    are_variables = module_apply.applies_variables(application.target)  # which no result can take the place of
    for number, name, value, at in donated_parameters.passed(it, application, arguments):
        donated = marked.holds(number, name) and not (are_variables and number == 0)
        yield _Given(value, at if at >= 0 else node.at, donated)


def _has_buffer(it: Interpreter, atom: Atom) -> bool:
    """A NumPy array is copied to the device, and only the copy is donated; an object without arrays has none."""
    if isinstance(atom, Array | Leaves):
        return atom.level is not Level.HOST
    if isinstance(atom, Made):
        return not leaf_types.is_no_tree(it, atom.cls)
    return isinstance(atom, Unknown | Key)


def _ident(atom: Atom) -> Ident:
    return None if isinstance(atom, Static) else ident_of(atom)


def _tell_twice(
    it: Interpreter, application: Application, given: list[_Given], taken: list[Taken], node: ir.Expr
) -> None:
    """`f(x, x)` with one of them donated: the call itself needs the buffer that it gives away."""
    gone = {_ident(part.leaf): part for part in taken if not isinstance(part.leaf, Union)}
    for number in {ident for argument in given for ident in _numbers(it, argument.value)} if gone else ():
        gone.pop(number, None)
    seen: Counter[Ident] = Counter()
    by_donation = sorted(given, key=lambda argument: not argument.donated)
    for argument in by_donation:
        for leaf in leaves_of(it, argument.value):
            ident = None if isinstance(leaf, Union) else _ident(leaf)
            if ident is None:
                continue
            seen[ident] += 1
            if seen[ident] == 2 and ident in gone:
                new = _donation(it, application, node, gone[ident])
                operand = Operand(leaf, it.frame, argument.at)
                it.emit(DonatedUse(it.frame, argument.at, operand, new, new.sure, is_same_call=True))


def _numbers(it: Interpreter, value: Value, depth: int = 0) -> Iterator[Ident]:
    """Unknown values in fields that are declared as single numbers: a number of Python has no buffer to give away."""
    for atom in atoms_of(value) if depth <= MAX_NESTING else ():
        cell = it.cell(atom) if isinstance(atom, Object) else None
        parts: Iterable[Value] = atom.elements if isinstance(atom, Tuple) else ()
        if isinstance(cell, DictCell):
            parts = cell.items.values()
        elif isinstance(cell, InstanceCell) and cell.cls.kind == "pytree":
            parts = cell.attributes.values()
            declared = class_fields.fields(cell.cls)
            held = {name: part for name, part in cell.attributes.items() if isinstance(part, Unknown)}
            yield from (part.ident for name, part in held.items() if _is_number(declared.get(name, (None, False))[0]))
        for part in parts:
            yield from _numbers(it, part, depth + 1)


#: Types of single numbers by their last names: those of Python, and those of NumPy and JAX, which a field that holds
#: one is also declared with.
_SCALARS = re.compile(r"(int|uint|float|bfloat|complex)\d*|bool_?|Integral|Real|Number")


def _is_number(annotation: ir.Expr | None) -> bool:
    return annotation is not None and _SCALARS.fullmatch(walks.spelling(annotation).rpartition(".")[2]) is not None


def _tell_unused(
    it: Interpreter, application: Application, given: list[_Given], taken: list[Taken], results: Sequence[Value]
) -> None:
    """A donated array of a size that no result has, or none that is left: JAX drops the donation and warns.

    Parts of a donated tree are left out: those that the function never reads are dropped without a warning.
    """
    sizes = [donated_sizes.size_of(result) for result in results]
    if not it.wants(UnusedDonation) or not application.statics.known or any(s.elements is None for s in sizes):
        return
    if it.api.has(application.name, "donates-by-word"):
        return  # who donates all donates what fits
    used = {id(part.leaf) for part in taken}
    for argument in given:
        array = argument.value
        if not argument.donated or not isinstance(array, Array) or array.level is Level.HOST or id(array) in used:
            continue
        size = donated_sizes.size_of(array)
        if size.known:
            operand, asked = Operand(array, it.frame, argument.at), Place(application.frame.path, application.at)
            it.emit(UnusedDonation(it.frame, argument.at, operand, application, array, asked, size in sizes))


def _callee(node: ir.Expr) -> str:
    """The donating function as the call names it."""
    target = node.func if isinstance(node, ir.Call) else node
    return target.id if isinstance(target, ir.Name) else target.attr if isinstance(target, ir.Attribute) else ""
