"""Compiles a script with its points to a `.pyc`, which Python runs as the script: nothing else is on the stack.

Run by the interpreter of the command, before it: `python script.py SCRIPT PLAN TARGET ARGUMENTS...`.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import marshal
import os
import sys
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any

_HEADER = "__import__('_jaxlint_observer.script', fromlist=['script']).appear(globals(), {0!r}, {1!r}, {2!r})"


def main(script: str, watch_list: str, target: str, *command: str) -> None:
    """Write the code of `script` to `target`."""
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from _jaxlint_observer import rewriting  # type: ignore[import-not-found, unused-ignore]

    with open(watch_list, encoding="utf-8") as file:
        watched = json.load(file)[os.path.realpath(script)]
    with open(script, "rb") as source:
        text = source.read()
    if not rewriting.is_as_checked(text, watched):
        sys.exit(1)  # the script then runs as it stands
    path = as_python_names_it(script)
    tree, placed = rewriting.instrumented(text, path, watched["points"])
    header = ast.parse(_HEADER.format(script, list(command), placed))
    place = _after_preamble(tree)
    for node in ast.walk(header):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = 1  # type: ignore[attr-defined]
    tree.body[place:place] = header.body
    _write(compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True), target)


def as_python_names_it(script: str) -> str:
    """The path that a script has in `__file__` and in tracebacks: absolute, and otherwise as it was written."""
    return script if os.path.isabs(script) else os.path.join(os.getcwd(), script.removeprefix("./"))


def _after_preamble(tree: ast.Module) -> int:
    """Behind the docstring and the imports from `__future__`, which must come first."""
    place = 0
    for statement in tree.body:
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and place == 0
        if not is_text and not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            break
        place += 1
    return place


def _write(code: CodeType, target: str) -> None:
    with open(target, "wb") as file:
        file.write(importlib.util.MAGIC_NUMBER + bytes(12))
        file.write(marshal.dumps(code))


def appear(variables: dict[str, Any], script: str, command: list[str], placed: list[int]) -> None:
    """Make the process look as if Python had been given the script itself."""
    from . import points

    compiled = sys.argv[0]
    sys.argv[0] = script
    if sys.path and sys.path[0] == os.path.dirname(compiled):
        sys.path[0] = os.path.dirname(os.path.realpath(script))
    sys.orig_argv[:] = command
    path = as_python_names_it(script)
    variables.update(__file__=path, __cached__=None, __loader__=SourceFileLoader("__main__", path))
    points.loaded(os.path.realpath(script), placed)


if __name__ == "__main__":
    main(*sys.argv[1:])
