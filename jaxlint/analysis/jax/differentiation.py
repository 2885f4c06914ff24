"""What `grad` and its kin ask of the function that they differentiate, and of the arguments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.values import (
    Arguments,
    Array,
    Atom,
    Leaves,
    Partial,
    Static,
    Tuple,
    Value,
    atoms_of,
)
from jaxlint.analysis.events.contracts import (
    DifferentiatedArgument,
    Differentiation,
    MaskedDerivative,
    MissingArgument,
    ReverseThroughLoop,
)
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.jax import statics, traced_calls
from jaxlint.analysis.jax.loop_contracts import is_unpacked
from jaxlint.analysis.jax.masked_derivatives import masked_at
from jaxlint.analysis.jax.returned_places import returned_place
from jaxlint.analysis.jax.tree_nodes import node_of
from jaxlint.analysis.machine.levels import loop_of, mask_of
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING
from jaxlint.analysis.machine.tree_maps import map_leaves
from jaxlint.syntax.ir import ParameterKind

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.domain.frames import Trace
    from jaxlint.analysis.domain.idents import Ident
    from jaxlint.analysis.domain.values import Origin
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax import ir


def check_arguments(
    it: Interpreter, application: Application, arguments: Arguments, node: ir.Expr, *, is_call: bool
) -> bool:
    """Tell the rules of arguments that are not there, and of those that have no derivative; False where one is."""
    numbers = _argnums(it, application)
    if numbers is None or arguments.extra or is_unpacked(node):
        return True
    counts = it.api.has(application.name, "counts-arguments") and (is_call or not application.called)
    if counts and it.wants(MissingArgument):
        _tell_missing(it, application, arguments, numbers, node.at, is_call=is_call)
    if not is_call or not it.api.has(application.name, "wants-inexact"):
        return True
    if flag(it, application, "allow_int") is not False:
        return True
    count = len(arguments.positional)
    found = [_tell_discrete(it, application, arguments, n % count, node.at) for n in numbers if -count <= n < count]
    return not any(found)


def _argnums(it: Interpreter, application: Application) -> tuple[int, ...] | None:
    """The arguments that a function is differentiated by; None where they cannot be read."""
    value = _option(it, application, "argnums")
    if value is None:
        return None if application.arguments.extra else (0,)
    found = statics.numbers(it, value)
    return None if found is None else tuple(sorted(found))


def _option(it: Interpreter, application: Application, name: str) -> Value | None:
    function = it.api.function(application.name)
    positional = () if function is None else function.params.positional
    return application.arguments.get(positional.index(name) if name in positional else None, name)


def flag(it: Interpreter, application: Application, name: str) -> bool | None:
    """Whether a flag of the transform is set; None where that is not known."""
    value = _option(it, application, name)
    if value is None:
        return None if application.arguments.extra else False
    return value.value if isinstance(value, Static) and isinstance(value.value, bool) else None


def _tell_missing(
    it: Interpreter, application: Application, arguments: Arguments, numbers: tuple[int, ...], at: int, *, is_call: bool
) -> None:
    given = len(arguments.positional)
    parameters = traced_calls.parameter_names(it, application.target)
    if not is_call and any(p.kind is ParameterKind.VAR_POSITIONAL for p in parameters):
        return
    if not is_call and not parameters:
        return
    wrong = next((number for number in numbers if not -given <= number < given), None)
    if wrong is None:
        return
    taken_by = traced_calls.parameter_at(parameters, wrong) if wrong >= 0 else None
    by_keyword = taken_by.name if taken_by is not None and taken_by.name in arguments.keywords else None
    it.emit(MissingArgument(it.frame, at, application, wrong, given, by_keyword, is_call))


def _tell_discrete(it: Interpreter, application: Application, arguments: Arguments, number: int, at: int) -> bool:
    value = arguments.positional[number]
    found = next(_discrete(it, value, "", 0), None)
    if found is not None and it.wants(DifferentiatedArgument):
        part, leaf = found
        assumed = isinstance(leaf, Array) and leaf.assumed
        operand = Operand.argument(arguments, number, it.frame, at)
        it.emit(
            DifferentiatedArgument(
                it.frame, operand.at, operand, application, part, shapes.dtype_of(leaf) or "", assumed
            )
        )
    return found is not None


def _discrete(it: Interpreter, value: Value, path: str, depth: int) -> Iterator[tuple[str, Atom]]:
    """The parts of a tree that surely are whole numbers or truth values, each with how to get there."""
    atoms = atoms_of(value)
    if len(atoms) != 1 or depth > MAX_NESTING:
        return
    match atoms[0]:
        case Static(known=False):
            return  # an annotation may call an array a number
        case Array() | Static() as leaf if shapes.is_discrete(shapes.dtype_of(leaf)):
            yield path, leaf
        case atom:
            node = node_of(it, atom)
            for step, part in node.parts.items() if node is not None else ():
                yield from _discrete(it, part, f"{path}{step}", depth + 1)


def check_result(it: Interpreter, application: Application, result: Value, node: ir.Expr) -> None:
    """Tell the rules what the differentiated function returned."""
    if not it.wants(Differentiation) or not it.api.has(application.name, "wants-scalar"):
        return
    assumed = any(isinstance(atom, Array) and (atom.assumed or atom.axes > 0) for atom in atoms_of(result))
    event = Differentiation(
        it.frame, node.at, application, result, flag(it, application, "has_aux"),
        flag(it, application, "holomorphic") is not False, assumed, returned_place(it, application.target),
    )  # fmt: skip
    it.emit(event)


@dataclass(slots=True)
class _Pullbacks(Table):
    """The loops that pullbacks go backwards through, by the arrays whose cotangents they give."""

    found: dict[Ident, tuple[Application, Origin]] = field(default_factory=dict)


def check_loops(it: Interpreter, application: Application, trace: Trace, result: Value) -> None:
    """Tell the rules of a loss that comes out of a loop through which no derivative goes backwards.

    Also of one that a mask chose beside a value whose derivative is not a number there.
    """
    wanted = it.wants(ReverseThroughLoop) or it.wants(MaskedDerivative)
    if not wanted or not it.api.has(application.name, "reverse-mode"):
        return
    for loss, origin in _losses(it, application, trace, result):
        loop = loop_of(origin)
        if loop is not None:
            it.emit(ReverseThroughLoop(it.frame, application.at, application, loop))
        elif not isinstance(loss, Tuple):
            _tell_masked(it, application, origin, loss)


def pullback_made(it: Interpreter, application: Application, trace: Trace | None, result: Value, made: Value) -> None:
    """What `vjp` made holds a pullback, which may go backwards through a loop once it is called."""
    parts = made.elements if isinstance(made, Tuple) else ()
    operands = next((part.args[0] for part in parts if isinstance(part, Partial) and part.args), None)
    ident = _ident_of_operands(operands)
    for _, origin in () if trace is None or ident is None else _losses(it, application, trace, result):
        loop = loop_of(origin)
        if loop is not None and ident is not None:
            it.tables[_Pullbacks].found[ident] = (replace(application), loop)


def pulled_back(it: Interpreter, operands: Value, node: ir.Expr) -> None:
    """A pullback is called."""
    ident = _ident_of_operands(operands)
    found = None if ident is None else it.tables[_Pullbacks].found.get(ident)
    if found is not None and it.wants(ReverseThroughLoop):
        it.emit(ReverseThroughLoop(it.frame, node.at, *found))


def _ident_of_operands(operands: Value | None) -> Ident | None:
    """By what the operands of a pullback are known."""
    first = operands.elements[0] if isinstance(operands, Tuple) and operands.elements else None
    return first.ident if isinstance(first, Leaves) else None


def tangent(it: Interpreter, result: Value) -> Value:
    """The tangent of a result: truth values and whole numbers have one without elements, of a dtype of its own."""
    return map_leaves(it, result, _tangent)


def _tangent(atom: Atom) -> Value:
    return replace(atom, dtype="float0") if isinstance(atom, Array) and shapes.is_discrete(atom.dtype) else atom


def _losses(it: Interpreter, application: Application, trace: Trace, result: Value) -> Iterator[tuple[Value, Origin]]:
    """What is differentiated of what a function gives, where that is known, and how it came to be."""
    has_aux = flag(it, application, "has_aux")
    loss = result.elements[0] if has_aux and isinstance(result, Tuple) and result.elements else result
    if has_aux is None:
        return
    takes_trees = not it.api.has(application.name, "wants-scalar")
    for part in loss.elements if isinstance(loss, Tuple) and takes_trees else (loss,):
        atoms = atoms_of(part)
        origin = getattr(atoms[0], "origin", None) if len(atoms) == 1 else None
        if origin is not None and _root(origin) is trace.origin and not shapes.is_discrete(shapes.dtype_of(atoms[0])):
            yield loss, origin


def _tell_masked(it: Interpreter, application: Application, origin: Origin | None, loss: Value) -> None:
    mark = mask_of(origin)
    masked = None if mark is None else masked_at(it, mark, loss)
    if mark is not None and masked is not None:
        it.emit(MaskedDerivative(it.frame, application.at, application, mark, *masked))


def _root(origin: Origin | None) -> Origin | None:
    while origin is not None and origin.parent is not None:
        origin = origin.parent
    return origin
