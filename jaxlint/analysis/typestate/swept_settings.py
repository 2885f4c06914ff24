"""Loops over the values of a setting: points of a grid, or real numbers that the code lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.source.ownership import statement_of
from jaxlint.analysis.source.reaching_definitions import known_bindings
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Pass
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Functions that make the points of a grid.
_GRIDS: Final = frozenset({"linspace", "logspace", "geomspace"})
#: Functions that give the same elements again, of their first argument.
_SAME: Final = frozenset({"array", "asarray", "expand_dims", "list", "reversed", "sorted", "tqdm", "tuple"})
#: Names are followed to other names as deep as this.
MAX_STEPS: Final = 4


def swept_settings(it: Interpreter, frame: Frame, this: Pass, call: ir.Call) -> frozenset[str]:
    """The settings of a pass that code around a call reads, unless a later pass goes on from what comes of it.

    What draws by itself is none: the numbers are the same then, whatever the setting is.
    """
    names = frozenset(_bound_to_settings(it, frame, this.iter, this.target))
    statement = statement_of(frame.body, call.at) if names else None
    if not isinstance(statement, ir.Assign | ir.ExpressionStatement):
        return frozenset()
    read = walks.names(statement.value) & names
    if _is_drawn_from(statement.value, call, names) or _goes_on(this, statement):
        return frozenset()
    return read


def is_grid(it: Interpreter, frame: Frame, node: ir.Expr | None, steps: int = 0) -> bool:
    """Whether an expression is a grid, or lists real numbers."""
    match node:
        case ir.SequenceDisplay(elements=elements) if elements:
            numbers = all(isinstance(element, ir.Constant | ir.UnaryOperation) for element in elements)
            return numbers and any(map(_is_real, elements))
        case ir.Call(func=func, args=args):
            called = walks.spelling(func).rpartition(".")[2]
            return called in _GRIDS or (called in _SAME and bool(args) and is_grid(it, frame, args[0], steps))
        case ir.Subscript(base=base):
            return is_grid(it, frame, base, steps)
        case ir.Name(id=name) if steps < MAX_STEPS:
            bound = [binding.value for binding in _bindings(it, frame, name)]
            own = [value for value in bound if not _is_part_of(value, name)]
            return bool(own) and all(is_grid(it, frame, value, steps + 1) for value in own)
        case _:
            return False


def _bound_to_settings(it: Interpreter, frame: Frame, over: ir.Expr | None, target: ir.Expr | None) -> Iterator[str]:
    """The names of a loop's target that its passes bind to settings."""
    match over, target:
        case ir.Call(func=ir.Name(id="enumerate"), args=(inner, *_)), ir.SequenceDisplay(elements=(_, element)):
            yield from _bound_to_settings(it, frame, inner, element)
        case ir.Call(func=ir.Name(id="zip"), args=args), ir.SequenceDisplay(elements=elements):
            for inner, element in zip(args, elements):
                yield from _bound_to_settings(it, frame, inner, element)
        case _, ir.Name(id=name) if is_grid(it, frame, over):
            yield name
        case _:
            pass


def _is_real(node: ir.Expr) -> bool:
    number = node.operand if isinstance(node, ir.UnaryOperation) else node
    return isinstance(number, ir.Constant) and isinstance(number.value, float)


def _bindings(it: Interpreter, frame: Frame, name: str) -> Any:
    """What binds a name in the innermost scope around that does."""
    return next((found for scope in frame.scopes() if (found := known_bindings(it, scope.body, name))), ())


def _is_part_of(node: ir.Expr | None, name: str) -> bool:
    """Whether a name is bound to a part of what it was: `ts = ts[1:]`."""
    return isinstance(node, ir.Subscript) and walks.dotted(node.base) == name


def _is_drawn_from(node: ir.Expr, call: ir.Call, names: frozenset[str]) -> bool:
    """Whether no call around a draw, nor the draw itself, is given a setting.

    A draw of JAX's own is spelled with its module; what other functions do with a key and a setting is theirs.
    """
    around = [part for part in walks.nodes(node) if isinstance(part, ir.Call) and call.at in walks.ordinals(part)]
    outer = [part for part in around if part.at != call.at or "random" not in walks.spelling(part.func)]
    return not any(walks.names(part) & names for part in outer)


def _goes_on(this: Pass, statement: ir.Assign | ir.ExpressionStatement) -> bool:
    """Whether what a statement gives is what it, or a later statement, goes on from in the next pass."""
    drawn: set[str] = set()
    if isinstance(statement, ir.Assign):
        drawn = {name for target in statement.targets for name in walks.target_names(target)}
        if drawn & walks.names(statement.value):
            return True
    for part in walks.nodes(this.body):
        match part:
            case ir.AugmentedAssign(value=value) if drawn & walks.names(value):
                return True
            case ir.Assign(targets=targets, value=value) if part is not statement and drawn & walks.names(value):
                own = {name for target in targets for name in walks.target_names(target)}
                if (own - drawn) & walks.names(value):
                    return True
            case _:
                pass
    return False
