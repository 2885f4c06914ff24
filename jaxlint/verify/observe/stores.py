"""Where the source of a function changes what was there before: a name, a container, an attribute."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from typing import Final, TypeGuard

from jaxlint.verify.observe.places import source_lines

_MUTATORS: Final = frozenset(
    {
        "append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "add", "discard", "update",
        "setdefault", "popitem", "appendleft",
    }
)  # fmt: skip


def changing_line(path: str, first_line: int, label: str) -> int:
    """The line that changes `label` in the function at `first_line`, else in the file; else the function's own."""
    tree = _tree(path)
    if tree is None:
        return first_line
    function = next((node for node in ast.walk(tree) if _starts_at(node, first_line)), None)
    for scope in (function, tree):
        for changed in (label, f"{label}()"):
            found = _changing(scope, changed) if scope is not None else []
            if found:
                return found[0]
    return first_line


def losing_line(path: str, first_line: int, label: str) -> int | None:
    """The line at which the function at `first_line` changes its argument, or hands it to what does.

    None where each call that gets it gives it back under the same name, as in `state = advance(state)`.
    """
    tree = _tree(path)
    function = next((node for node in ast.walk(tree) if _starts_at(node, first_line)), None) if tree else None
    if function is None:
        return first_line
    changed = [node.lineno for node in ast.walk(function) if _changes_object(node, label)]
    if changed:
        return min(changed)
    handing = [node for node in ast.walk(function) if _hands_on(node, label) and _may_change(tree, node, label)]
    lost = [node.lineno for node in handing if not _gives_back(node, label)]
    return min(lost) if lost else None if handing else first_line


def _changes_object(node: ast.AST, label: str) -> TypeGuard[ast.stmt | ast.Call]:
    """Whether a node changes what the name stands for; an assignment to the name itself does not."""
    targets = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else []
    is_rebound = any(_is(target, label) for target in targets)
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr not in _MUTATORS
    return not is_rebound and not is_call and any(_is(changed, label) for changed in _changed(node))


def _hands_on(node: ast.AST, label: str) -> TypeGuard[ast.stmt]:
    """Whether a simple statement gives it to a call."""
    if not isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)):
        return False
    calls = (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))
    return any(_is(given, label) for call in calls for given in (*call.args, *(word.value for word in call.keywords)))


def _may_change(tree: ast.Module | None, statement: ast.stmt, label: str) -> bool:
    """Whether a call of a statement may change what it is given: unknown, or a function of the file that does."""
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
    given = [(call, index) for call in calls for index, value in enumerate(call.args) if _is(value, label)]
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)] if tree else []
    for call, index in given:
        named = [f for f in functions if _is(call.func, f.name)]
        if len(named) != 1 or index >= len(named[0].args.args):
            return True
        parameter = named[0].args.args[index].arg
        if any(_changes_object(node, parameter) or _hands_on(node, parameter) for node in ast.walk(named[0])):
            return True
    return not given


def _gives_back(node: ast.stmt, label: str) -> bool:
    """Whether what a call returns takes the place of what it was given."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(_is(target, label) for outer in targets for target in _targets(outer))


@cache
def _tree(path: str) -> ast.Module | None:
    try:
        return ast.parse("\n".join(source_lines(path)))
    except (SyntaxError, ValueError, RecursionError):
        return None


def _starts_at(node: ast.AST, line: int) -> bool:
    if isinstance(node, ast.Lambda):
        return node.lineno == line
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    return line == min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _changing(tree: ast.AST, label: str) -> list[int]:
    """The lines in `tree` that change it; module-level statements run before any trace."""
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    inside = functions if isinstance(tree, ast.Module) else [tree]
    return sorted({line for function in inside for line in _lines(function, label)})


def _lines(function: ast.AST, label: str) -> Iterator[int]:
    for node in ast.walk(function):
        if any(_is(changed, label) for changed in _changed(node)):
            yield node.lineno  # type: ignore[attr-defined]


def _changed(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions whose objects, or whose own binding, a node changes."""
    if isinstance(node, (ast.Assign, ast.Delete)):
        for target in node.targets:
            yield from _targets(target)
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        yield from _targets(node.target)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATORS:
        yield node.func.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield ast.Call(node.func.value, [], [])  # the call of a method that may change its object


def _targets(target: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _targets(element)
    else:
        yield target.value if isinstance(target, (ast.Subscript, ast.Starred)) else target


def _is(expression: ast.expr, label: str) -> bool:
    return ast.unparse(expression) == label
