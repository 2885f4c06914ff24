"""Which calls need the contents of an array: those that fail once its buffer was donated, as run on JAX 0.10.2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.idents import AttributeOf
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import Arguments, Array, Atom, Key, Leaves, Member, Union, Unknown, Value, atoms_of
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.typestate import donated_uses
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Builtins that take one number, whatever array it may come as.
_NUMBERS = frozenset(
    f"builtins.{name}" for name in ("float", "int", "complex", "bool", "abs", "round", "divmod", "pow")
)
#: Builtins that walk over an array, or show it.
_WALKING = frozenset(
    f"builtins.{name}"
    for name in ("list", "tuple", "sorted", "sum", "min", "max", "any", "all", "iter", "print", "str", "repr", "format")
)
#: Methods of arrays that no container has, by which an unknown value is taken for an array.
_OF_ARRAYS = frozenset(
    {
        "all", "any", "argmax", "argmin", "argsort", "astype", "block_until_ready", "clip", "cumprod", "cumsum", "dot",
        "flatten", "item", "max", "mean", "min", "prod", "ravel", "round", "squeeze", "std", "sum", "tolist",
        "transpose", "var",
    }
)  # fmt: skip
#: Methods that do not fail, or not always: a cast or reshape to what the array is gives the very array back.
_HARMLESS = frozenset({"is_deleted", "delete", "is_ready", "astype", "reshape", "__len__"})


def library_call(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> None:
    """A library function is called."""
    if name in _NUMBERS or name in _WALKING:
        for value, argument in _placed(arguments, node):
            if name in _NUMBERS or _is_array(value):
                donated_uses.use(it, value, argument)
    elif it.api.has(name, "reads-contents"):
        for value, argument in _placed(arguments, node):
            donated_uses.use_leaves(it, value, argument)


def _placed(arguments: Arguments, node: ir.Expr) -> list[tuple[Value, ir.Expr]]:
    pairs = list(zip(arguments.positional, arguments.positional_at))
    pairs += [(value, arguments.keyword_at.get(name, -1)) for name, value in arguments.keywords.items()]
    return [(value, written(node, at)) for value, at in pairs]


def written(node: ir.Expr, at: int) -> ir.Expr:
    """The argument that stands at this place; the call where none does."""
    given = (*node.args, *(value for _, value in node.keywords)) if isinstance(node, ir.Call) and at >= 0 else ()
    return next((argument for argument in given if argument.at == at), node)


def _is_array(value: Value) -> bool:
    return all(isinstance(atom, Array | Key) for atom in atoms_of(value))


def method_call(it: Interpreter, receiver: Array | Leaves, name: str, node: ir.Expr) -> None:
    """A method of an array is called, or one of a tree that may be a single array."""
    if name not in _HARMLESS and (isinstance(receiver, Array) or name in _OF_ARRAYS):
        donated_uses.use(it, _one_of(it, receiver, node), _base(node))


def update(it: Interpreter, array: Value, arguments: Arguments, node: ir.Expr) -> None:
    """`x.at[i].set(value)`: both are read."""
    base = _base(node)
    while isinstance(base, ir.Subscript | ir.Attribute):
        is_at = isinstance(base, ir.Attribute) and base.attr == "at"
        base = base.base
        if is_at:
            break
    donated_uses.use(it, array, base)
    for value, argument in _placed(arguments, node):
        donated_uses.use(it, value, argument)


def unknown_method(it: Interpreter, callee: Atom, node: ir.Expr) -> None:
    """A method of an unknown value, which arrays alone have."""
    match callee:
        case Unknown(ident=AttributeOf(base=base, name=name)) if name in _OF_ARRAYS and name not in _HARMLESS:
            donated_uses.use(it, _one_of(it, Unknown(base), node), _base(node))
        case _:
            pass


def _one_of(it: Interpreter, receiver: Value, node: ir.Expr) -> Value:
    """All values that may stand before the dot, where the one whose method is called now is one of several."""
    callee = it.tables[Callees].by_call.get((it.frame.path, node.at))
    return join_all([_receiver(atom) for atom in callee.atoms]) if isinstance(callee, Union) else receiver


def _receiver(method: Atom) -> Value:
    match method:
        case Member(receiver=receiver):
            return receiver
        case Unknown(ident=AttributeOf(base=base)):
            return Unknown(base)
        case _:
            return Unknown()


def _base(node: ir.Expr) -> ir.Expr:
    """The receiver as written."""
    return node.func.base if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) else node
