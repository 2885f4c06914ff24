"""Rewrite import statements: one name may move to another module, and the rest stay where they are."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.names import reads
from jaxlint.fixes.statement_edits import after
from jaxlint.syntax import ir
from jaxlint.syntax.positions import lines_of


class _Alias(NamedTuple):
    """One `name as local` of a statement: the qualified name, the name bound, and its offsets in the file."""

    qualified: str
    local: str
    start: int
    end: int


def rename_imports(code: Code, node: ir.Import, renames: Sequence[tuple[str, str]]) -> tuple[Change, ...] | None:
    """The changes that import each old name from where the new one is; no new name: drop an import nobody reads."""
    aliases = _aliases(code, node)
    if aliases is None:
        return None
    by_name = dict(renames)
    moved: list[str] = []
    gone: list[_Alias] = []
    for alias in aliases:
        if alias.qualified not in by_name:
            continue
        new = by_name[alias.qualified]
        if new:
            moved.append(_statement(new, alias.local))
        elif not _is_unused(code, alias):
            return None
        gone.append(alias)
    if len(gone) < len(by_name):  # a module around the names, or one that `import a.b` loads
        return None
    return _edits(code, node, aliases, gone, list(dict.fromkeys(moved)))


def _aliases(code: Code, node: ir.Import) -> list[_Alias] | None:
    """The names of a statement with their places; None where they cannot be told, or `import a.b` binds `a` alone."""
    text = code.segment(node.at)
    try:
        (statement,) = ast.parse(text).body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(statement, ast.Import | ast.ImportFrom) or not text.isascii():
        return None
    if len(statement.names) != len(node.bindings):
        return None
    starts = [0]
    for line in lines_of(text):
        starts.append(starts[-1] + len(line))
    base = code.span(node.at)[0]
    found = []
    for each, (local, qualified) in zip(statement.names, node.bindings, strict=True):
        if isinstance(statement, ast.Import) and each.asname is None and "." in each.name:
            return None
        start = base + starts[each.lineno - 1] + each.col_offset
        end = base + starts[(each.end_lineno or each.lineno) - 1] + (each.end_col_offset or 0)
        found.append(_Alias(qualified, local, start, end))
    return found


def _statement(new: str, local: str) -> str:
    module, _, name = new.rpartition(".")
    if not module:
        return f"import {name}" if name == local else f"import {name} as {local}"
    return f"from {module} import {name}" if name == local else f"from {module} import {name} as {local}"


def _is_unused(code: Code, alias: _Alias) -> bool:
    if code.source.path.endswith("__init__.py") or f'"{alias.local}"' in code.text or f"'{alias.local}'" in code.text:
        return False
    return next(reads(code, alias.local, None), None) is None


def _edits(
    code: Code, node: ir.Import, aliases: list[_Alias], gone: list[_Alias], moved: list[str]
) -> tuple[Change, ...] | None:
    start, end = code.span(node.at)
    if len(gone) == len(aliases):
        if not moved:
            return _without(code, node)
        if len(moved) == 1:
            return (Change(start, end, moved[0]),)
        rest = after(code, node, moved[1:])
        return None if rest is None else (Change(start, end, moved[0]), rest)
    added = () if not moved else (after(code, node, moved),)
    if None in added:
        return None
    return (*_left_out(aliases, gone), *filter(None, added))


def _left_out(aliases: list[_Alias], gone: list[_Alias]) -> list[Change]:
    """Take names out of a list; those at its end with the comma before them."""
    last = max(index for index, alias in enumerate(aliases) if alias not in gone)
    changes = [
        Change(alias.start, aliases[index + 1].start, "") for index, alias in enumerate(aliases[:last]) if alias in gone
    ]
    if last + 1 < len(aliases):
        changes.append(Change(aliases[last].end, aliases[-1].end, ""))
    return changes


def _without(code: Code, node: ir.Import) -> tuple[Change, ...] | None:
    """Take a statement away with its line; None where the block would be empty, or the line holds something else."""
    start, end = code.span(node.at)
    line = code.line_start(start)
    stop = code.text.find("\n", end)
    stop = len(code.text) if stop < 0 else stop + 1
    if len(code.block(node.at)) == 1 or code.text[line:start].strip() or code.text[end:stop].strip():
        return None
    return (Change(line, stop, ""),)
