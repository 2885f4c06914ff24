"""Whether a function reads on what it changed in an argument: then the change is for the function itself.

JAX gives a traced function containers of its own, so that nothing is lost of a change that only it wants.
"""

from __future__ import annotations

import ast
import linecache
from typing import Any

_trees: dict[str, ast.Module | None] = {}


def reads_on(place: tuple[str, int], label: str, changed: list[Any]) -> bool:
    """Whether the function at a place reads an entry or attribute that it changed in what `label` names.

    True as well where its code cannot be read: what is not known is not told.
    """
    function = _function(*place)
    if function is None:
        return True
    name = label.partition(".")[0]
    parents = {id(child): node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
    uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name]
    first = min((_place(node) for node in uses if _may_change(node, parents)), default=(0, 0))
    later = [node for node in uses if _place(node) > first or _is_repeated(node, parents)]
    later = [node for node in later if not _is_of_store(node, name, parents)]
    return any(_is_read(node, parents, changed) for node in later)


def _function(path: str, line: int) -> ast.AST | None:
    """The definition that starts at a line, with its decorators."""
    if path not in _trees:
        try:
            _trees[path] = ast.parse("".join(linecache.getlines(path)))
        except (SyntaxError, ValueError):
            _trees[path] = None
    tree = _trees[path]
    found = [] if tree is None else [node for node in ast.walk(tree) if _starts_at(node, line)]
    return found[0] if found else None


def _starts_at(node: ast.AST, line: int) -> bool:
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    return line in (node.lineno, *(decorator.lineno for decorator in node.decorator_list))


def _place(node: ast.Name) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _is_of_store(node: ast.AST, name: str, parents: dict[int, ast.AST]) -> bool:
    """Whether it is part of the statement that stores a part: what `s["n"] = s["n"] + 1` reads is what was there."""
    statement: ast.AST | None = node
    while statement is not None and not isinstance(statement, ast.stmt):
        statement = parents.get(id(statement))
    if not isinstance(statement, (ast.Assign, ast.AugAssign)):
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    stored = [target for target in targets if isinstance(target, (ast.Subscript, ast.Attribute))]
    return any(isinstance(part, ast.Name) and part.id == name for target in stored for part in ast.walk(target))


def _is_repeated(node: ast.AST, parents: dict[int, ast.AST]) -> bool:
    above = parents.get(id(node))
    while above is not None:
        if isinstance(above, (ast.For, ast.While)):
            return True
        above = parents.get(id(above))
    return False


def _may_change(node: ast.AST, parents: dict[int, ast.AST]) -> bool:
    """Whether a use of the name stores to what it holds, calls a method of it, or hands it to a function."""
    above = parents.get(id(node))
    if isinstance(above, (ast.Subscript, ast.Attribute)) and above.value is node:
        calls = parents.get(id(above))
        return not isinstance(above.ctx, ast.Load) or (isinstance(calls, ast.Call) and calls.func is above)
    return isinstance(above, ast.Call) and above.func is not node


def _is_read(node: ast.Name, parents: dict[int, ast.AST], changed: list[Any]) -> bool:
    """Whether a use of the name takes a changed part out of what it holds, or all of it."""
    above = parents.get(id(node))
    if isinstance(node.ctx, ast.Store):
        return False
    if isinstance(above, ast.Subscript) and above.value is node:
        is_constant = isinstance(above.slice, ast.Constant)
        return isinstance(above.ctx, ast.Load) and (not is_constant or above.slice.value in changed)  # type: ignore[attr-defined]
    if isinstance(above, ast.Attribute):
        call = parents.get(id(above))
        is_method = isinstance(call, ast.Call) and call.func is above
        if is_method:
            return not isinstance(parents.get(id(call)), ast.Expr)
        return isinstance(above.ctx, ast.Load) and above.attr in changed
    return not isinstance(above, ast.Call) or not isinstance(parents.get(id(above)), ast.Expr)
