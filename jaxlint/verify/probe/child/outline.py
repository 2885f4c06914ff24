"""What a file holds, read and not run: functions with their spec comments, and why it must not be imported."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from typing import Any, Union

from .guard import refusal

FunctionNode = Union[ast.FunctionDef, ast.AsyncFunctionDef]
_SPEC = re.compile(r"(?P<before>\s*#+\s*jaxlint\s*:\s*spec\b)(?P<text>.*)", re.DOTALL)


def read_tree(path: str) -> tuple[ast.Module, list[str]]:
    """The tree and the lines of a file. Raises SyntaxError, OSError or ValueError as Python itself does."""
    with tokenize.open(path) as file:
        text = file.read()
    return ast.parse(text, path), text.splitlines()


def outline(path: str) -> dict[str, Any]:
    """The functions of a file as JSON; `error` where it cannot be read, `refused` where it must not be imported."""
    try:
        tree, lines = read_tree(path)
    except (SyntaxError, OSError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        return {"path": path, "error": reason.splitlines()[0] if reason else type(error).__name__}
    functions = [_described(node, qualname, lines) for node, qualname in function_nodes(tree)]
    functions += [_named_value(node, name, lines) for node, name in _assigned_functions(tree.body)]
    taken = {spec["line"] for function in functions for spec in function["specs"]}
    loose = [number for number, line in enumerate(lines, 1) if _SPEC.match(line) and number not in taken]
    return {"path": path, "error": None, "refused": refusal(tree), "functions": functions, "loose": loose}


def function_nodes(tree: ast.AST, prefix: str = "") -> Iterator[tuple[FunctionNode, str]]:
    """Each def with its qualified name, as Python spells it, in source order."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node, prefix + node.name
            yield from function_nodes(node, f"{prefix}{node.name}.<locals>.")
        elif isinstance(node, ast.ClassDef):
            yield from function_nodes(node, f"{prefix}{node.name}.")
        else:
            yield from function_nodes(node, prefix)


def first_line(node: FunctionNode) -> int:
    """The line of the first decorator, or of the def."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _described(node: FunctionNode, qualname: str, lines: list[str]) -> dict[str, Any]:
    return {
        "qualname": qualname,
        "line": node.lineno,
        "first": first_line(node),
        "body": node.body[0].lineno,
        "end": node.end_lineno or node.lineno,
        "specs": list(_specs_above(first_line(node), lines)),
    }


def _assigned_functions(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[ast.stmt, str]]:
    """The variables of a module, and of its classes, that are assigned a lambda, or something made with one."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _assigned_functions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.Assign) and any(isinstance(inner, ast.Lambda) for inner in ast.walk(node.value)):
            yield from ((node, prefix + target.id) for target in node.targets if isinstance(target, ast.Name))


def _named_value(node: ast.stmt, name: str, lines: list[str]) -> dict[str, Any]:
    first = node.lineno
    end, specs = node.end_lineno or first, list(_specs_above(first, lines))
    return {"qualname": name, "line": first, "first": first, "body": first, "end": end, "specs": specs}


def _specs_above(first: int, lines: list[str]) -> Iterator[dict[str, Any]]:
    """The spec comments among the comments right above a line, in order."""
    start = first - 1
    while start > 0 and lines[start - 1].lstrip().startswith("#"):
        start -= 1
    for number in range(start, first - 1):
        found = _SPEC.match(lines[number])
        if found:
            yield {"line": number + 1, "column": len(found["before"]) + 1, "text": found["text"]}
