"""The text of an operation without the names of its variables, by which a finding is known again."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.fixes.code import Code
from jaxlint.syntax import ir


def anonymous_text(code: Code, at: int) -> str:
    """The operation with numbers for its variables, in order of appearance in it; white space is folded.

    What is imported or defined, built-in names and attributes keep their names.
    """
    start, end = code.span(at)
    numbers: dict[str, int] = {}
    parts: list[str] = []
    for offset, name in sorted(_variables(code, at)):
        if start <= offset < end:
            parts += (code.text[start:offset], f"${numbers.setdefault(name, len(numbers))}")
            start = offset + len(name)
    return " ".join("".join((*parts, code.text[start:end])).split())


def _variables(code: Code, at: int) -> Iterator[tuple[int, str]]:
    """The variables of an operation, by where they are written."""
    node = code.node(at)
    for part in (node, *code.inside(node)):
        name = part.id if isinstance(part, ir.Name) else part.name if isinstance(part, ir.Parameter) else ""
        start, end = code.span(part.at)
        if name and code.text.startswith(name, start, end) and _is_variable(code, part.at, name):
            yield start, name


def _is_variable(code: Code, at: int, name: str) -> bool:
    """Whether the function around a node, one around that or the module binds the name, and by no definition."""
    binder = next((owner for owner in code.owners(at) if name in owner.scope.bound), None)
    is_bound = binder is not None or name in code.source.module.scope.bound
    return is_bound and name not in code.defined(binder)
