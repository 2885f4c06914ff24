"""Numbers that are known while tracing and went through `jnp`, which traces what it makes: NumPy computes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of, qualified_name
from jaxlint.fixes.known_values import NUMBER
from jaxlint.fixes.names import is_stored_to
from jaxlint.syntax import ir

#: Functions that NumPy has under the same name, with the same result for numbers and shapes.
_SHARED: Final = frozenset(
    [
        "abs",
        "array",
        "asarray",
        "ceil",
        "cumprod",
        "cumsum",
        "exp",
        "floor",
        "floor_divide",
        "log",
        "log10",
        "log2",
        "max",
        "maximum",
        "mean",
        "min",
        "minimum",
        "mod",
        "power",
        "prod",
        "round",
        "sqrt",
        "square",
        "sum",
    ]
)
#: What these give of whole numbers are whole numbers, for NumPy as for JAX.
_COUNTS: Final = frozenset({"prod", "sum", "max", "min", "cumsum", "cumprod", "mod", "remainder", "floor_divide"})
#: What makes a whole number of any.
_ROUNDED: Final = frozenset({"ceil", "floor", "floor_divide", "round"})
#: What makes arrays of numbers on the way.
_MADE: Final = frozenset({"array", "asarray"})
#: What a request says of numbers that are whole, in code that works nowhere else.
WHOLE: Final = "=whole"
_PURE: Final = frozenset({"int", "float", "len", "min", "max", "abs", "round"})
_REASON: Final = "NumPy computes the number in double precision"


def by_numpy(code: Code, call: ir.Call, kinds: Mapping[str, str], *, is_certain: bool) -> Fix | None:
    """`int(jnp.ceil(n / 2))` as `int(np.ceil(n / 2))`, where `n` is known while tracing."""
    if len(call.args) != 1 or call.keywords:
        return None
    number = _written(code, call.args[0])
    nodes = [number, *code.inside(number)]
    calls = [node for node in nodes if isinstance(node, ir.Call) and _member(code, node) in _SHARED]
    if not calls or not _is_known(code, number, kinds):
        return None
    changes: list[Change] = []
    for node in calls:
        named = name_of(code, node.at, f"numpy.{_member(code, node)}")
        if named is None:
            return None
        changes += [Change(*code.outer(node.func.at), named.text), *named.changes]
    if is_certain:
        return code.fix("Compute it with NumPy", changes)
    return code.fix("Compute it with NumPy", changes, Applicability.UNSAFE, _REASON)


def in_numpy(code: Code, at: int, *, is_whole: bool) -> Fix | None:
    """The same function of NumPy for a call of `jnp`, the calls around it, and the arrays made in its arguments.

    `is_whole`: its arguments are whole numbers, and it only runs where what it gives is needed while tracing.
    """
    call = code.node(at)
    around = _around(code, call)
    changes: list[Change] = []
    names = set()
    for node in (*around, call, *code.inside(call)):
        member = _member(code, node) if isinstance(node, ir.Call) else ""
        if not member:
            continue
        named = name_of(code, node.at, f"numpy.{member}")
        if named is None or (node is not call and node not in around and member not in _MADE):
            return None
        names.add(member)
        changes += [Change(*code.outer(node.func.at), named.text), *named.changes]
    if not changes:
        return None
    if names <= _COUNTS | _MADE or (is_whole and names <= _COUNTS | _MADE | {"arange"}):
        return code.fix("Compute it with NumPy", changes)
    return code.fix("Compute it with NumPy", changes, Applicability.UNSAFE, _REASON)


def _around(code: Code, call: Any) -> list[ir.Call]:  # noqa: ANN401 - an expression
    """The calls of `jnp` around a call, up to the last that makes a whole number of what it gives.

    They would trace the number again, and such a number is for a loop or a shape.
    """
    node, calls = call, list[ir.Call]()
    while True:
        parent: Any = code.parent(node.at)
        match parent:
            case ir.Call(args=(only,), keywords=()) if only is node and _member(code, parent) in _SHARED:
                calls.append(parent)
            case ir.BinaryOperation() if isinstance(_other(parent, node), ir.Constant):
                pass
            case ir.UnaryOperation():
                pass
            case _:
                break
        node = parent
    while calls and _member(code, calls[-1]) not in _ROUNDED:
        calls.pop()
    return calls


def _other(operation: ir.BinaryOperation, side: Any) -> ir.Expr:  # noqa: ANN401 - an expression
    return operation.right if operation.left is side else operation.left


def _written(code: Code, node: Any) -> Any:  # noqa: ANN401 - an expression
    """The expression behind a name that its function binds once."""
    owner = code.owner(node.at)
    if not isinstance(node, ir.Name) or not isinstance(owner, ir.Function):
        return node
    stores = [n for n in code.owned(owner) if isinstance(n, ir.Name) and n.id == node.id and is_stored_to(code, n)]
    made: Any = code.parent(stores[0].at) if len(stores) == 1 else None
    is_alone = isinstance(made, ir.Assign) and len(made.targets) == 1 and made.targets[0].at == stores[0].at
    return made.value if is_alone and code.owner(made.at) is owner else node


def _member(code: Code, call: ir.Call) -> str:
    """`ceil` for a call of `jnp.ceil`; empty for others."""
    module, _, member = (qualified_name(code, call.func) or "").rpartition(".")
    return member if module == "jax.numpy" else ""


def _is_known(code: Code, node: Any, kinds: Mapping[str, str]) -> bool:  # noqa: ANN401, PLR0911 - kinds of expressions
    """Whether an expression is made of numbers and shapes alone, by operations and functions that NumPy has."""
    match node:
        case ir.Constant():
            return type(node.value) in (int, float)
        case ir.Attribute(attr="shape" | "size" | "ndim"):
            return isinstance(node.base, ir.Name)
        case ir.Subscript(base=ir.Attribute(attr="shape")):
            return True
        case ir.Name():
            return kinds.get(node.id) == NUMBER
        case ir.Call() if node.keywords:
            return False
        case ir.Call(func=ir.Name(id=name)) if name in _PURE:
            return name == "len" or all(_is_known(code, part, kinds) for part in node.args)
        case ir.Call():
            return _member(code, node) in _SHARED and all(_is_known(code, part, kinds) for part in node.args)
        case _:
            parts = list(_operands(node))
            return bool(parts) and all(_is_known(code, part, kinds) for part in parts)


def _operands(node: Any) -> Iterator[Any]:  # noqa: ANN401 - expressions
    match node:
        case ir.BinaryOperation():
            yield from (node.left, node.right)
        case ir.UnaryOperation(op="-" | "+"):
            yield node.operand
        case ir.SequenceDisplay(kind="tuple" | "list"):
            yield from node.elements
        case _:
            pass
