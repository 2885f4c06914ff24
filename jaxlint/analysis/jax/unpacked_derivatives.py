"""What a program unpacks the results of `grad` and `value_and_grad` into, beside what these are.

Under-approximates: only a call whose results are unpacked where it stands, of a function whose results are known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.values import Array, DictCell, Object, Value, atoms_of
from jaxlint.analysis.events.contracts import MisreadDerivative
from jaxlint.analysis.jax import differentiation
from jaxlint.analysis.source import reaching_definitions
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.domain.values import Arguments
    from jaxlint.analysis.machine.interpreter import Interpreter


class _Call(NamedTuple):
    """A call of a function that gives a value and its gradient, and what the differentiated function returned."""

    application: Application
    arguments: Arguments
    result: Value


def check(it: Interpreter, application: Application, arguments: Arguments, result: Value, node: ir.Expr) -> None:
    """Tell the rules of a value and a gradient that are taken for something else."""
    if not it.wants(MisreadDerivative) or application.row.result.head != "tuple" or application.row.aux is None:
        return
    targets = reaching_definitions.unpacked_into(it, it.frame.body, node.at)
    has_aux = differentiation.flag(it, application, "has_aux")
    if targets is None or has_aux is None:
        return
    fault = _fault(it, _Call(application, arguments, result), targets, has_aux=has_aux)
    if fault:
        it.emit(MisreadDerivative(it.frame, node.at, application, fault))


def _fault(it: Interpreter, call: _Call, targets: tuple[ir.Expr, ...], *, has_aux: bool) -> str:
    """What is wrong with the targets; empty where they may fit."""
    name = call.application.short_name
    given = "((value, aux), gradient)" if has_aux else "(value, gradient)"
    if len(targets) != 2:
        return f"`{name}` returns `{given}`, but is unpacked into {len(targets)} names"
    takes_several = [isinstance(each, ir.SequenceDisplay) for each in targets]
    if not has_aux and takes_several[0] and _is_number(call.result):
        return f"the value of `{name}` is one number without `has_aux=True`, but is unpacked"
    if has_aux and takes_several == [False, True] and _is_one(it, call):
        return f"`{name}` returns `{given}`, but is unpacked the other way round"
    return ""


def _is_number(value: Value) -> bool:
    return all(isinstance(atom, Array) and atom.shape == () and not atom.assumed for atom in atoms_of(value))


def _is_one(it: Interpreter, call: _Call) -> bool:
    """Whether the gradient is one array, or a dict of them."""
    if call.application.arguments.get(1, "argnums") is not None or not call.arguments.positional:
        return False
    atoms = atoms_of(call.arguments.positional[0])
    dicts = (isinstance(atom, Object) and isinstance(it.cell(atom), DictCell) for atom in atoms)
    return all(isinstance(atom, Array) or is_dict for atom, is_dict in zip(atoms, dicts))
