"""What a module imports, read off the statements of CPython's tree alone: all that is asked of most files."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.syntax.decode import compiled
from jaxlint.syntax.scopes import absolute_module


def imported_names(text: str | bytes, importer: str, *, is_package: bool, flags: int = 0) -> tuple[str, ...] | None:
    """The names that a module named `importer` may load as modules, as `ir.Module.imports` has them.

    None where this interpreter refuses the text.
    """
    tree = compiled(text, flags | ast.PyCF_ONLY_AST)
    if tree is None:
        return None
    found: set[str] = set()
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found.update((alias.name, alias.name if alias.asname else alias.name.partition(".")[0]))
        elif isinstance(node, ast.ImportFrom):
            module = absolute_module(importer, node.module or "", node.level, is_package=is_package)
            separator = "" if module.endswith(".") else "."
            found.add(module)
            found.update(f"{module}{separator}{alias.name}" for alias in node.names if alias.name != "*")
    return tuple(sorted(found))


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """The statements of a module at any depth; expressions hold none."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        for block in _BLOCKS:
            for inner in getattr(node, block, ()):
                waiting.append(inner)
                yield inner


#: The fields of nodes that hold statements, or what holds them.
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
