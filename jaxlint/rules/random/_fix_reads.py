"""Where a key is read, and which statements a split of it can stand before."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, get_args

from jaxlint.fixes.code import Code
from jaxlint.fixes.names import is_stored_to
from jaxlint.syntax import ir, walks

#: Functions of jax.random, methods of containers and loggers that use no key up.
_HARMLESS: Final = frozenset(
    {
        "fold_in", "clone", "key", "PRNGKey", "key_data", "key_impl", "wrap_key_data", "append", "extend", "add",
        "insert", "get", "pop", "setdefault", "update", "remove", "index", "write", "log", "info", "debug",
        "warning", "error",
    }
)  # fmt: skip
#: Modules of which nothing else draws, by the names they go by.
_OTHERS: Final = re.compile(r"(jnp|jp|np|numpy|onp|jax(?!\.random\b)|log|logging|logger|chex)\.")
_BUILTINS: Final = frozenset(dir(builtins))
_STATEMENTS: Final = get_args(ir.Stmt)


class Use(NamedTuple):
    """A call that is given a key, and the expressions in it that are the key."""

    call: ir.Call
    reads: tuple[Any, ...]


def use_at(code: Code, at: int, text: str) -> Use | None:
    """The call at an ordinal with where it is given the key of this text; None where it is not, or no call."""
    call = code.node(at)
    if not isinstance(call, ir.Call):
        return None
    found = _given(code, call, text)
    found = found or [n for n in code.inside(call) if _is_key(code, n, text) and _is_beside(code, n, call)]
    return Use(call, tuple(found)) if found else None


def _given(code: Code, call: ir.Call, text: str) -> list[Any]:
    """The arguments that are the key."""
    return [node for node in (*call.args, *(value for _, value in call.keywords)) if _is_key(code, node, text)]


def _is_key(code: Code, node: Any, text: str) -> bool:  # noqa: ANN401 - an expression
    if not isinstance(node, (ir.Name, ir.Attribute, ir.Subscript)):
        return False
    return code.segment(node.at) == text and not is_stored_to(code, node)


def _is_beside(code: Code, node: Any, call: ir.Call) -> bool:  # noqa: ANN401 - an expression
    """Whether a node is evaluated once for each time that the call around it is."""
    if code.owner(node.at) is not code.owner(call.at):
        return False
    for parent in code.ancestors(node.at):
        if parent.at == call.at:
            return True
        if isinstance(parent, ir.Comprehension):
            return False
    return False


def uses_after(code: Code, first: Use, second: Use, text: str) -> Iterator[Use]:
    """Further calls that are given the key and look like ones that use it up, to where its name is bound anew.

    To take one too many for such a call costs a split that is not needed; to take one too few, another round of fixes.
    """
    owner, end = code.owner(first.call.at), _end(code, second, text)
    for node in code.owned(owner):
        if not isinstance(node, ir.Call) or not first.call.at < node.at <= end or code.owner(node.at) is not owner:
            continue
        if node.at != second.call.at and anchor(code, node.at) is not None and _may_use_up(code, node):
            given = _given(code, node, text)
            if given:
                yield Use(node, tuple(given))


def _may_use_up(code: Code, call: ir.Call) -> bool:
    if not isinstance(call.func, (ir.Name, ir.Attribute)):
        return True
    text = code.segment(call.func.at)
    return text not in _BUILTINS and text.rpartition(".")[2] not in _HARMLESS and _OTHERS.match(text) is None


def _end(code: Code, second: Use, text: str) -> int:
    """The ordinal up to which the key is the same: that of the last node of the statement that binds it anew."""
    statement = code.statement(second.call.at)
    for node in code.owned(code.owner(second.call.at)):
        if node.at < statement.at or not isinstance(node, ir.Name) or node.id != text:
            continue
        if is_stored_to(code, node) and code.owner(node.at) is code.owner(second.call.at):
            return last_of(code, code.statement(node.at))
    return code.order[-1]


def last_of(code: Code, statement: ir.Stmt) -> int:
    """The last ordinal of a statement."""
    last: int = max((inner.at for inner in code.inside(statement)), default=statement.at)
    return last


# --- places


def anchor(code: Code, at: int) -> Any:  # noqa: ANN401 - one of ir.Stmt
    """The statement before which something can be computed that the node at `at` is given, once for each time.

    None in lambdas, comprehensions and the tests of `while` loops, which are evaluated many times.
    """
    owner = code.owner(at)
    if isinstance(owner, ir.Function) and owner.is_lambda:
        return None
    statement = code.statement(at)
    if isinstance(statement, ir.While) or innermost_comprehension(code, at) is not None:
        return None
    return anchor_of(code, statement)


def anchor_of(code: Code, statement: Any) -> Any:  # noqa: ANN401 - one of ir.Stmt
    """The statement itself, or the `if` whose `elif` it is."""
    while isinstance(statement, ir.If) and statement.is_elif:
        statement = code.parent(statement.at)
    return statement


def innermost_comprehension(code: Code, at: int) -> ir.Comprehension | None:
    """The innermost comprehension that evaluates the node many times."""
    child = at
    for parent in code.ancestors(at):
        if isinstance(parent, ir.Comprehension) and parent.generators[0].iter.at != child:
            return parent
        if code.statement(at).at == parent.at:
            return None
        child = parent.at
    return None


def is_before(code: Code, statement: Any, at: int) -> bool:  # noqa: ANN401 - one of ir.Stmt
    """Whether a node stands in this statement or in one that runs only after it."""
    starts = {sibling.at for sibling in code.block(statement.at) if sibling.at >= statement.at}
    return code.statement(at).at in starts or any(node.at in starts for node in code.ancestors(at))


def can_follow(code: Code, earlier: int, later: int) -> bool:
    """Whether one run can evaluate both nodes: no branch that excludes the other, no exit between them."""
    path, depth, is_shared = _parting(code, earlier, later)
    if not is_shared:
        return not isinstance(path[depth - 1][0], (ir.If, ir.Match))
    return not any(isinstance(inner[-1], (ir.Return, ir.Raise)) for _, inner in path[depth + 1 :])


def comes_again(code: Code, first: Use, later: Use) -> bool:
    """Whether a loop around both uses comes back to the first one with the key that the later one has."""
    around = {statement.at for statement, _ in _path(code, later.call.at)}
    loops = [s for s, _ in _path(code, first.call.at) if isinstance(s, (ir.For, ir.While)) and s.at in around]
    if not loops or not first.reads:
        return False
    root = first.reads[0]
    bound = {part.id for part in walks.nodes(loops[-1]) if isinstance(part, ir.Name) and is_stored_to(code, part)}
    return isinstance(root, ir.Name) and root.id not in bound


def first_of_two(code: Code, one: int, other: int) -> Any:  # noqa: ANN401 - one of ir.Stmt
    """The statement that holds the earlier of two nodes, in the innermost block that holds both.

    None where they stand in branches of one statement.
    """
    path, depth, is_shared = _parting(code, min(one, other), max(one, other))
    return path[depth][0] if is_shared else None


def _parting(code: Code, one: int, other: int) -> tuple[list[tuple[Any, ir.Block]], int, bool]:
    """The path to a node, at which depth that to the other one leaves it, and whether they share that block."""
    path, theirs = _path(code, one), _path(code, other)
    for depth, ((statement, block), (their_statement, their_block)) in enumerate(zip(path, theirs, strict=False)):
        if block[0].at != their_block[0].at:
            return path, depth, False
        if statement.at != their_statement.at:
            return path, depth, True
    return path, min(len(path), len(theirs)) - 1, True


def _path(code: Code, at: int) -> list[tuple[Any, ir.Block]]:
    """The statements around a node with the blocks they stand in, outermost first."""
    statements = [code.statement(at)]
    statements += [node for node in code.ancestors(statements[0].at) if isinstance(node, _STATEMENTS)]
    return [(statement, code.block(statement.at)) for statement in reversed(statements)]
