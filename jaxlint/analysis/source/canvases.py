"""Figures and axes of plots: what is drawn on them is for a person, and no numbers come back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: A canvas is followed from name to name as often as this.
_STEPS = 3


@memoised
def canvases(it: Interpreter, module: ir.Module, scope: ir.Block) -> frozenset[str]:
    """The names of a scope to which it binds figures and axes, or parts of them, and nothing else."""
    imported = imports_of(module)
    bound = [
        (frozenset(walks.target_names(target)), value) for part in walks.nodes(scope) for target, value in _bound(part)
    ]
    found = frozenset[str]()
    for _ in range(_STEPS):
        are = [(names, _is_canvas(it, imported, found, value)) for names, value in bound]
        others = frozenset(name for names, is_one in are if not is_one for name in names)
        found = frozenset(name for names, is_one in are if is_one for name in names)
    return found - others


def imports_of(module: ir.Module) -> Mapping[str, str]:
    """The names that a module imports, and what they stand for."""
    statements = (statement for statement in walks.statements(module.body) if isinstance(statement, ir.Import))
    return {name: full for statement in statements for name, full in statement.bindings}


def full_name(imported: Mapping[str, str], call: ir.Call) -> str:
    """What a call names, by the imports of the module; empty if it is of the module itself."""
    root, _, rest = walks.dotted(call.func).partition(".")
    full = imported.get(root, "" if rest else f"builtins.{root}")
    return f"{full}.{rest}".rstrip(".") if full else ""


def _bound(part: object) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """What a statement binds, and what to: of a loop, to the parts of what it goes over."""
    match part:
        case ir.For(target=ir.SequenceDisplay(elements=targets), iter=ir.Call(func=ir.Name(id="zip"), args=args)):
            yield from zip(targets, args, strict=False)
        case ir.For(
            target=ir.SequenceDisplay(elements=(_, target)), iter=ir.Call(func=ir.Name(id="enumerate"), args=(over, *_))
        ):
            yield target, over
        case ir.For(target=target, iter=over):
            yield target, over
        case ir.Assign() | ir.AnnotatedAssign():
            yield from walks.assigned(part)
        case _:
            pass


def _is_canvas(it: Interpreter, imported: Mapping[str, str], known: frozenset[str], value: ir.Expr) -> bool:
    """Whether an expression is a new canvas, what a known one holds or gives, or lists such."""
    if isinstance(value, ir.SequenceDisplay) and value.elements:
        return all(_is_canvas(it, imported, known, element) for element in value.elements)
    if isinstance(value, ir.Call) and it.api.has(full_name(imported, value), "drawn-on"):
        return True
    while isinstance(value, ir.Call | ir.Attribute | ir.Subscript):
        value = value.func if isinstance(value, ir.Call) else value.base
    return isinstance(value, ir.Name) and value.id in known
