"""What a test asks: equal where the same operation is done on the same values; and the constants that stand in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain import orderings
from jaxlint.analysis.domain.idents import OfObject
from jaxlint.analysis.domain.values import (
    Atom,
    ClassValue,
    FunctionValue,
    InstanceCell,
    ModuleValue,
    Object,
    Qualified,
    Static,
    Value,
    atoms_of,
    ident_of,
)
from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def _held(interpreter: Interpreter, node: ir.Attribute) -> tuple[Atom, ...]:
    """What an attribute of an object under a name holds, where that is known."""
    value = interpreter.peek(node.base.id) if isinstance(node.base, ir.Name) else None
    cell = interpreter.held(value.oid) if isinstance(value, Object) else None
    held = cell.attributes.get(node.attr) if isinstance(cell, InstanceCell) else None
    return () if held is None else atoms_of(held)


def _type_asked(interpreter: Interpreter, call: ir.Call) -> Any:
    """The function of the project that a call asks for the types of its arguments alone; None of any other call."""
    value = interpreter.peek(call.func.id) if isinstance(call.func, ir.Name) and not call.keywords else None
    asks = isinstance(value, FunctionValue) and _asks_for_types(interpreter, value.function)
    return (value.module.path, value.function.at) if isinstance(value, FunctionValue) and asks else None


def _subject(interpreter: Interpreter, node: ir.Expr) -> Any:
    """What a test asks of: a known object stays of its type, whatever is stored in it."""
    value = interpreter.peek(node.id) if isinstance(node, ir.Name) else None
    if isinstance(value, Object):
        return ("name", None, frozenset({OfObject(value.oid)}))
    return signature(interpreter, node)


@memoised
def _asks_for_types(interpreter: Interpreter, function: ir.Function) -> bool:
    """Whether all that a function does is to ask what its parameters are: they stay that, whatever becomes of them."""
    statement = function.body[-1] if function.body else None
    has_docstring = [isinstance(node, ir.ExpressionStatement) for node in function.body[:-1]]
    if not isinstance(statement, ir.Return) or len(has_docstring) > 1 or not all(has_docstring):
        return False
    return statement.value is not None and _is_of_types(statement.value)


def _is_of_types(test: ir.Expr) -> bool:
    match test:
        case ir.UnaryOperation(op="not", operand=operand):
            return _is_of_types(operand)
        case ir.BooleanOperation(operands=operands):
            return all(map(_is_of_types, operands))
        case ir.Call(func=ir.Name(id="hasattr" | "isinstance" | "callable"), args=(ir.Name(), *_)):
            return True
        case _:
            return False


def signature(  # noqa: PLR0911, PLR0912 - dispatches on the kinds of expressions
    interpreter: Interpreter, node: ir.Expr
) -> Any:
    """A hashable form of an expression, equal where the same operation is done on the same values.

    Values are told apart by identity: a name that was assigned again has another value object.
    """
    match node:
        case ir.Name():
            value = interpreter.peek(node.id)
            # What a test narrowed and a join put together again is the same value still.
            atoms = () if value is None else atoms_of(value)
            idents = list(map(ident_of, atoms))
            if idents and None not in idents:
                return ("name", None, frozenset(idents))  # whatever it is called
            return ("name", node.id, frozenset(a if i is None else i for a, i in zip(atoms, idents)))
        case ir.Attribute():
            idents = list(map(ident_of, _held(interpreter, node)))
            if idents and None not in idents:
                return ("name", None, frozenset(idents))
            return ("attribute", signature(interpreter, node.base), node.attr)
        case ir.Constant():
            return ("constant", repr(node.value))
        case ir.Comparison():
            return (
                "compare",
                signature(interpreter, node.left),
                *((op, signature(interpreter, x)) for op, x in node.rest),
            )
        case ir.Subscript():
            return ("item", signature(interpreter, node.base), *(signature(interpreter, i) for i in node.index))
        case ir.BinaryOperation():
            return (node.op, signature(interpreter, node.left), signature(interpreter, node.right))
        case ir.UnaryOperation():
            return (node.op, signature(interpreter, node.operand))
        case ir.BooleanOperation():
            return (node.op, *(signature(interpreter, operand) for operand in node.operands))
        case ir.Call() if (asked := _type_asked(interpreter, node)) is not None:
            return ("type", asked, *(_subject(interpreter, argument) for argument in node.args))
        case ir.Call():
            keywords = ((name, signature(interpreter, value)) for name, value in node.keywords)
            arguments = (signature(interpreter, argument) for argument in node.args)
            return ("call", signature(interpreter, node.func), *arguments, *keywords)
        case _:
            return ("node", interpreter.frame.serial, node.at)


# --- constants


def number(interpreter: Interpreter, node: ir.Expr) -> Any:
    """The number that an expression is, where it is written as one or is a variable that holds one."""
    match node:
        case ir.Constant(value=value):
            return value
        case ir.UnaryOperation(op="-", operand=ir.Constant(value=value)) if orderings.is_number(value):
            return -value
        case _:
            known = _known(interpreter, node)
            return None if known is None else known.value


def constant(interpreter: Interpreter, node: ir.Expr) -> tuple[str, str] | None:
    """What kind of constant an expression is, and which one: of two of one kind, no value is both."""
    match node:
        case ir.Constant(value=value):
            return ("constant", repr(value))
        case ir.Name():
            known = _known(interpreter, node)
            return _class(interpreter.peek(node.id)) if known is None else ("constant", repr(known.value))
        case ir.Attribute(base=ir.Name(id=name), attr=attr):
            return _part(interpreter.peek(name), attr)
        case ir.Attribute(base=ir.Attribute(base=ir.Name(id=name), attr=inner), attr=attr):
            module = interpreter.peek(name)
            return _part(_of_module(module, inner), attr) if isinstance(module, ModuleValue) else None
        case _:
            return None


def _known(interpreter: Interpreter, node: ir.Expr) -> Static | None:
    """The value of a variable, where it is known."""
    value = interpreter.peek(node.id) if isinstance(node, ir.Name) else None
    return value if isinstance(value, Static) and value.known else None


def _of_module(module: ModuleValue, name: str) -> Value | None:
    frame = module.module.frame
    return None if frame is None else frame.state.env.get(name)


def _part(owner: Value | None, name: str) -> tuple[str, str] | None:
    """A member of an enumeration, or a class of a module."""
    match owner:
        case ClassValue(kind="enum") if name in owner.namespace:
            return (f"member of {owner.module.path}:{owner.cls.at}", _first_name(owner, name))
        case ModuleValue():
            return _class(_of_module(owner, name))
        case _:
            return None


def _first_name(enumeration: ClassValue, name: str) -> str:
    """The name of a member whose other names are given the same value."""
    value = enumeration.namespace[name]
    if not isinstance(value, Static) or not value.known:
        return name
    same = (key for key, other in enumeration.namespace.items() if isinstance(other, Static) and other.known)
    return next(key for key in same if getattr(enumeration.namespace[key], "value", None) == value.value)


def _class(value: Value | None) -> tuple[str, str] | None:
    match value:
        case ClassValue():
            return ("class", f"{value.module.path}:{value.cls.at}")
        case Qualified(name=name) if name.startswith("builtins."):
            return ("class", name)
        case _:
            return None
