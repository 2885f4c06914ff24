"""The places that are watched: which frames run them, which lines are theirs, and whether they are surely evaluated."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from .outline import first_line

_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Module)
_COMPREHENSION_NODES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class WatchedPlace:
    """One finding's span: `first` to `last` are the lines of its statement (of its header, if compound).

    `owner` is the name of the code that runs it, which starts between `owner_first` and `owner_line`.
    `names` are the names that the span reads. `always` says that the statement cannot end well without evaluating it,
    `thrown` that the statement is an expression whose value goes nowhere.
    """

    id: str
    line: int
    end_line: int
    first: int
    last: int
    owner: str
    owner_first: int
    owner_line: int
    names: tuple[str, ...] = ()
    formatted: tuple[str, ...] = ()
    always: bool = False
    thrown: bool = False
    lines: frozenset[int] = field(default=frozenset())

    def runs_in(self, code: CodeType) -> bool:
        """Whether code of this object runs the point."""
        start = code.co_firstlineno
        if code.co_name in _COMPREHENSIONS:
            return self.first <= start <= self.last
        return code.co_name == self.owner and self.owner_first <= start <= self.owner_line


def located(tree: ast.Module, wanted: list[dict[str, Any]]) -> list[WatchedPlace]:
    """The points of one file from findings as JSON."""
    parents: dict[ast.AST, ast.AST] = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    return [_located(tree, parents, finding) for finding in wanted]


def _located(tree: ast.Module, parents: dict[ast.AST, ast.AST], finding: dict[str, Any]) -> WatchedPlace:
    line, end_line = finding["line"], finding["end_line"]
    node = _smallest(tree, finding)
    statement = _statement(node, parents)
    first, last = _header(statement, line, end_line)
    owner, owner_first, owner_line = _owner(node, parents)
    inner = list(ast.walk(node)) if node is not None else []
    names = tuple(dict.fromkeys(n.id for n in inner if isinstance(n, ast.Name)))
    around = dict.fromkeys(_formatted(_own_nodes(statement)))
    return WatchedPlace(
        finding["id"], line, end_line, first, last, owner, owner_first, owner_line,
        tuple(dict.fromkeys((*names, *around))),
        tuple(name for name in around if name in names) or tuple(around),
        node is not None and _always(node, parents),
        isinstance(statement, ast.Expr),
        frozenset(range(first, last + 1)),
    )  # fmt: skip


def _own_nodes(statement: ast.AST | None) -> list[ast.AST]:
    """A statement's nodes; of a compound one only those of its header."""
    if statement is None:
        return []
    bodies = {id(inner) for inner in getattr(statement, "body", []) if isinstance(inner, ast.stmt)}
    children = [child for child in ast.iter_child_nodes(statement) if id(child) not in bodies]
    return [node for child in children for node in ast.walk(child)]


def _formatted(nodes: list[ast.AST]) -> Iterator[str]:
    """The names whose values become text: in braces, after `%`, as arguments of `format`, `str` and `repr`."""
    for node in nodes:
        parts: list[ast.AST] = []
        if isinstance(node, ast.FormattedValue):
            parts = [node.value]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant):
            parts = [node.right]
        elif isinstance(node, ast.Call) and _called(node) in ("format", "str", "repr", "info", "debug", "warning"):
            parts = [*node.args, *(keyword.value for keyword in node.keywords)]
        for part in parts:
            yield from _values(part)


#: What of an array is known while tracing, and calls that ask for nothing else.
_STATIC_MEMBERS = ("shape", "dtype", "ndim", "size", "aval", "sharding", "weak_type")
_STATIC_CALLS = ("len", "type", "isinstance", "id", "callable", "hasattr")


def _values(node: ast.AST) -> Iterator[str]:
    """The names whose own values an expression shows: not those of which it only shows the shape."""
    if isinstance(node, ast.Name):
        yield node.id
    if isinstance(node, ast.Attribute) and node.attr in _STATIC_MEMBERS:
        return
    if isinstance(node, ast.Call) and _called(node) in _STATIC_CALLS:
        return
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.Call) and child is node.func):
            yield from _values(child)


def _called(node: ast.Call) -> str:
    return str(getattr(node.func, "attr", None) or getattr(node.func, "id", ""))


def _smallest(tree: ast.Module, finding: dict[str, Any]) -> ast.AST | None:
    """The smallest node that covers the span; columns of the tree are in bytes, those of findings in code points."""
    start, end = (finding["line"], finding["start_byte"]), (finding["end_line"], finding["end_byte"])
    best: ast.AST | None = None
    for node in ast.walk(tree):
        if isinstance(node, (ast.expr, ast.stmt)) and node.end_lineno is not None and node.end_col_offset is not None:
            covers = (node.lineno, node.col_offset) <= start and (node.end_lineno, node.end_col_offset) >= end
            if covers:
                best = node  # the walk is by levels: a later one is deeper
    return best


def _statement(node: ast.AST | None, parents: dict[ast.AST, ast.AST]) -> ast.AST | None:
    while node is not None and not isinstance(node, (ast.stmt, ast.ExceptHandler)):
        node = parents.get(node)
    return node


def _header(statement: ast.AST | None, line: int, end_line: int) -> tuple[int, int]:
    """The lines that run when the statement does: the whole, or what stands before a compound one's body."""
    if statement is None or not isinstance(statement, (ast.stmt, ast.ExceptHandler)):
        return line, end_line
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return line, end_line
    body = getattr(statement, "body", None)
    last = statement.end_lineno or end_line
    if isinstance(body, list) and body:
        last = max(statement.lineno, body[0].lineno - 1)
    return statement.lineno, last


def _owner(node: ast.AST | None, parents: dict[ast.AST, ast.AST]) -> tuple[str, int, int]:
    """Name and place of the function around the node; a def's own header belongs to the scope around it."""
    at = node
    if isinstance(at, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        at = parents.get(at)
    child: ast.AST | None = None
    while at is not None and not (isinstance(at, _SCOPES) and not _in_header(at, child)):
        child, at = at, parents.get(at)
    if isinstance(at, ast.Lambda):
        return "<lambda>", at.lineno, at.lineno
    if isinstance(at, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return at.name, first_line(at), at.lineno
    if isinstance(at, ast.ClassDef):
        return at.name, at.lineno, at.lineno
    return "<module>", 0, 1


def _in_header(scope: ast.AST, child: ast.AST | None) -> bool:
    """Whether `child` is a decorator, default or annotation, which run outside the function."""
    if child is None or isinstance(scope, ast.Module):
        return False
    body = (
        scope.body
        if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        else [getattr(scope, "body", None)]
    )
    return child not in body


def _may_skip(parent: ast.AST, child: ast.AST) -> bool:
    """Whether a node can be evaluated without one of the nodes below it."""
    match parent:
        case ast.BoolOp():
            return parent.values[0] is not child
        case ast.IfExp():
            return parent.test is not child
        case ast.Compare():
            return len(parent.ops) > 1
        case ast.Assert():
            return parent.msg is child
        case _:
            return isinstance(parent, (ast.Lambda, *_COMPREHENSION_NODES))


def _always(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether the statement of a node cannot end well without evaluating the whole node."""
    if any(isinstance(n, (ast.BoolOp, ast.IfExp, ast.Lambda, *_COMPREHENSION_NODES)) for n in ast.walk(node)):
        return False
    if any(isinstance(n, ast.Compare) and len(n.ops) > 1 for n in ast.walk(node)):
        return False
    child, parent = node, parents.get(node)
    while parent is not None and not isinstance(child, ast.stmt):
        if _may_skip(parent, child):
            return False
        child, parent = parent, parents.get(parent)
    return isinstance(child, ast.stmt) and not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
