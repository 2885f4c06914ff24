"""What loops and choices ask of the functions that they run: how they are called, and what they return."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.application import function_label, short_name, underlying
from jaxlint.analysis.domain.values import (
    Arguments,
    Array,
    Atom,
    DictCell,
    Key,
    ListCell,
    Object,
    Static,
    Transformed,
    Tuple,
    Value,
    atoms_of,
    is_none,
)
from jaxlint.analysis.events.contracts import BodyContract, CarryType
from jaxlint.analysis.jax import tree_types
from jaxlint.analysis.jax.returned_places import returned_place
from jaxlint.analysis.jax.traced_calls import parameter_names
from jaxlint.analysis.machine.levels import NUMBERS
from jaxlint.syntax import ir
from jaxlint.syntax.ir import ParameterKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import TracedFunction, TransformRow


class Ran(NamedTuple):
    """One function that a transform ran: what stands for it in the table, what it got and what it returned."""

    spec: TracedFunction
    target: Value
    given: Arguments
    result: Value


class _Fault(NamedTuple):
    """What is wrong with a function; whether its result is, and whether that is the carry alone."""

    text: str
    is_returned: bool = True
    is_carry: bool = False


def takes(it: Interpreter, row: TransformRow, target: Value, given: Arguments, node: ir.Expr) -> bool:
    """Whether a function can be called with as many arguments as the transform passes; the rules are told if not."""
    if not it.api.has(row.name, "checks-types") or not it.wants(BodyContract) or is_unpacked(node):
        return True
    count, wanted = len(given.positional), accepted(it, target)
    if wanted is None or wanted[0] <= count <= wanted[1]:
        return True
    least, most = wanted
    takes_count = str(most) if least == most else f"at least {least}" if count < least else f"at most {most}"
    fault = f"takes {takes_count} argument{'' if takes_count == '1' else 's'}, but it is called with {count}"
    _tell(it, row, target, _Fault(fault, is_returned=False), node)
    return False


def is_unpacked(node: ir.Expr) -> bool:
    """Whether a call takes its arguments out of containers: of those there may be more than the analysis made up."""
    return isinstance(node, ir.Call) and any(isinstance(argument, ir.Starred) for argument in node.args)


def accepted(it: Interpreter, target: Value) -> tuple[int, int] | None:
    """The least and the largest number of positional arguments that a function of the project takes."""
    function = underlying(target)
    if function is None or isinstance(target, Transformed) or function.wrapped is not None:
        return None
    if any(p.kind is ParameterKind.VAR_POSITIONAL for p in function.function.parameters):
        return None  # the object of a method may be in it, too
    parameters = parameter_names(it, target)
    positional = [p for p in parameters if p.kind <= ParameterKind.POSITIONAL]
    return sum(p.default is None for p in positional), len(positional)


def check(it: Interpreter, row: TransformRow, ran: Sequence[Ran], node: ir.Expr) -> None:
    """Tell the rules what the functions returned that they must not."""
    if not it.api.has(row.name, "checks-types") or not (it.wants(BodyContract) or it.wants(CarryType)):
        return
    if it.api.has(row.name, "branches"):
        _check_branches(it, row, ran, node)
        return
    outer = it.frame.caveats
    for each in ran:
        initial = _initial(each)
        if initial is None:
            continue
        rivals = (other for other in ran if other is not each and other.spec is each.spec)
        is_doubtful = outer.one_of_several or any(_keeps_carry(it, row, rival) for rival in rivals)
        it.frame.caveats = outer._replace(one_of_several=is_doubtful)
        if len(row.functions) > 1 and each.spec is row.functions[0]:
            fault = _no_truth_value(it, each.result)
            if fault is not None:
                fault = f"returns {fault}, but must return a boolean of shape ()"
                _tell(it, row, each.target, _Fault(fault), node)
        elif row.result.head == "tuple":
            _check_pair(it, row, each, initial, node)
        else:
            _check_carry(it, row, each, initial, each.result, node)
    it.frame.caveats = outer


def _initial(ran: Ran) -> Value | None:
    """The carry that a function got; None for one that gets no carry."""
    terms = [term.head for term in ran.spec.traced]
    at = terms.index("carry") if "carry" in terms else len(ran.given.positional)
    return ran.given.positional[at] if at < len(ran.given.positional) else None


def _keeps_carry(it: Interpreter, row: TransformRow, ran: Ran) -> bool:
    """Whether a function returns a carry like the one that it got: what chose the carry may have chosen it, too."""
    initial, result = _initial(ran), ran.result
    if row.result.head == "tuple":
        if not isinstance(result, Tuple) or len(result.elements) != 2:
            return False
        result = result.elements[0]
    return initial is not None and tree_types.Comparison(it, is_loop=True).difference(initial, result) is None


def _check_pair(it: Interpreter, row: TransformRow, ran: Ran, initial: Value, node: ir.Expr) -> None:
    faults = [_no_pair(it, atom) for atom in atoms_of(ran.result)]
    if all(faults):
        is_carry = tree_types.Comparison(it, is_loop=True).difference(initial, ran.result) is None
        fault = _Fault(f"returns {faults[0]}, but must return a pair `(carry, y)`", is_carry=is_carry)
        _tell(it, row, ran.target, fault, node)
    elif isinstance(ran.result, Tuple) and len(ran.result.elements) == 2:
        _check_carry(it, row, ran, initial, ran.result.elements[0], node)


def _no_pair(it: Interpreter, atom: Atom) -> str | None:
    """What an atom is that is no pair; None for one that may be one."""
    cell = it.cell(atom) if isinstance(atom, Object) else None
    match atom:
        case Tuple():
            return None if len(atom.elements) == 2 else f"a tuple of {len(atom.elements)}"
        case Static() if is_none(atom):
            return "None"
        case Static() if atom.type in NUMBERS:
            return "a number"
        case Array() | Key():
            return "an array"
    match cell:
        case ListCell(elements=tuple(elements)) if len(elements) != 2:
            return f"a list of {len(elements)}"
        case DictCell():
            return "a dict"
        case _:
            return None


def _no_truth_value(it: Interpreter, result: Value) -> str | None:
    """What a condition returned that is no truth value; None for what may be one."""
    faults = [_not_true_or_false(it, atom) for atom in atoms_of(result)]
    return faults[0] if all(faults) else None


def _not_true_or_false(it: Interpreter, atom: Atom) -> str | None:
    match atom:
        case Array(shape=shape) if shape:
            return f"an array of shape {tree_types.dims(shape)}"
        case Array(dtype=dtype) if shapes.dtype_class(dtype) in shapes.CLASSES and dtype != "bool":
            return f"a value of dtype {dtype}"
        case Static() if is_none(atom) or (atom.type in NUMBERS and atom.type != "bool"):
            return "None" if is_none(atom) else f"a Python {atom.type}"
        case Tuple():
            return "a tuple"
        case Object() if isinstance(it.cell(atom), ListCell | DictCell):
            return "a container"
        case _:
            return None


def _check_carry(it: Interpreter, row: TransformRow, ran: Ran, initial: Value, returned: Value, node: ir.Expr) -> None:
    if not it.wants(CarryType):
        return
    found = tree_types.Comparison(it, is_loop=True).difference(initial, returned)
    if found is not None:
        function = underlying(ran.target)
        is_made_here = function is not None and function.closure is it.frame
        place = returned_place(it, ran.target) if is_made_here else None  # others may start from another carry
        it.emit(CarryType(it.frame, node.at, short_name(row.name), *found, is_branch=False, returned=place))


def _check_branches(it: Interpreter, row: TransformRow, ran: Sequence[Ran], node: ir.Expr) -> None:
    """All functions of a choice must return the same type; each is compared with the first."""
    if not it.wants(CarryType) or len({id(each.target) for each in ran}) < len(ran):
        return
    for other in ran[1:]:
        found = tree_types.Comparison(it, is_loop=False).difference(ran[0].result, other.result)
        if found is not None:
            it.emit(CarryType(it.frame, node.at, short_name(row.name), *found, is_branch=True, returned=None))
            return


def _tell(
    it: Interpreter,
    row: TransformRow,
    target: Value,
    fault: _Fault,
    node: ir.Expr,
) -> None:
    function = underlying(target)
    if function is None or not it.wants(BodyContract):
        return
    place = returned_place(it, target) if fault.is_returned else None
    label = function_label(function)
    it.emit(BodyContract(it.frame, node.at, short_name(row.name), label, fault.text, place, fault.is_carry))
