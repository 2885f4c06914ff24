"""Numbers that need 64 bits, and requests of 64 bits that hold none, as far as the code shows.

An integer loses nothing in 32 bits until it exceeds them, and few do; a float loses digits at once, but in a single
number, such as a rate or an elapsed time, nobody misses them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.values import Array, Qualified, Static, Tuple, Value, atoms_of
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import Trait

_COUNT: Final = "integers below 2³¹ lose nothing, and nothing here shows a larger one"
_SINGLE: Final = "only a single number is rounded, to seven digits"
_EXACT: Final = "truth values are exact in 32 bits"
_BITS: Final = 31


def why_narrow_is_enough(it: Interpreter, dtype: str, of: Value | None, node: ir.Expr) -> str:
    """Why 32 bits may do for what a call asks 64 for, empty where they may not; `of`: what it makes an array of."""
    if dtype in ("int64", "uint64"):
        return "" if _counts_far(it, of, node) else _COUNT
    if _calls(it, node, "wide-float"):
        return ""
    atoms = () if of is None else atoms_of(of)
    if atoms and all(_is_single(atom) for atom in atoms):
        return _SINGLE
    return _EXACT if atoms and all(isinstance(atom, Array) and atom.dtype == "bool" for atom in atoms) else ""


def _is_single(value: Value) -> bool:
    """A number, an array of one, or the shape of such an array."""
    match value:
        case Static(type=kind):
            return kind in ("int", "float", "complex", "bool")
        case Array(shape=shape):
            return shape == ()
        case Tuple(elements=elements):
            return not elements
        case _:
            return False


def _counts_far(it: Interpreter, of: Value | None, node: ir.Expr) -> bool:
    """Whether a number is large, or the function around computes with such numbers: a hash, a seed, nanoseconds."""
    known = [atom.value for atom in (() if of is None else atoms_of(of)) if isinstance(atom, Static)]
    if any(isinstance(value, int) and abs(value) >> _BITS for value in known):
        return True
    function = it.frame.function
    around = node if function is None else function.body
    return _names_far(it, around) or _calls(it, around, "wide-integer")


@memoised
def _names_far(_: Interpreter, around: ir.Expr | ir.Block) -> bool:
    """Whether code names an integer of more than 32 bits: as a literal, a shift or a power of two."""
    for part in walks.nodes(around):
        match part:
            case ir.Constant(value=int() as value) if abs(value) >> _BITS:
                return True
            case ir.BinaryOperation(op="<<", right=ir.Constant(value=int() as bits)) if bits >= _BITS:
                return True
            case ir.BinaryOperation(op="**", left=ir.Constant(value=2), right=ir.Constant(value=int() as bits)) if (
                bits >= _BITS
            ):
                return True
            case _:
                pass
    return False


def _calls(it: Interpreter, around: ir.Expr | ir.Block, trait: Trait) -> bool:
    """Whether code calls a function whose numbers need 64 bits."""
    callees, path = it.tables[Callees].by_call, it.frame.path
    called = (callees.get((path, part.at)) for part in walks.nodes(around) if isinstance(part, ir.Call))
    return any(isinstance(callee, Qualified) and it.api.has(callee.name, trait) for callee in called)
