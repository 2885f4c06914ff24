"""Statements added before and after others, in lines of their own or between semicolons."""

from __future__ import annotations

import re
from typing import Any, Final

from jaxlint.fixes.code import Change, Code
from jaxlint.syntax import ir

_REST_OF_LINE: Final = re.compile(r"[ \t\f]*(;[ \t\f]*)?(#[^\r\n]*)?(?=[\r\n]|\Z)")
_COMPOUND: Final = (
    ir.If, ir.While, ir.For, ir.With, ir.Try, ir.Match, ir.FunctionDefinition, ir.ClassDefinition,
)  # fmt: skip


def start_of(code: Code, statement: Any) -> int:  # noqa: ANN401 - one of ir.Stmt
    """Where a statement starts: of functions and classes, at the first decorator or the keyword."""
    if not isinstance(statement, (ir.FunctionDefinition, ir.ClassDefinition)):
        return code.span(statement.at)[0]
    made = statement.function if isinstance(statement, ir.FunctionDefinition) else statement.cls
    if made.decorators:
        return code.token_before(code.outer(made.decorators[0].at)[0])[0]
    keyword = code.token_before(code.span(statement.at)[0])[0]
    before = code.token_before(keyword)
    is_async = isinstance(statement, ir.FunctionDefinition) and statement.function.is_async
    return before[0] if is_async else keyword


def before(code: Code, statement: Any, lines: str | list[str]) -> Change:  # noqa: ANN401 - one of ir.Stmt
    """Put simple statements before a statement, which must be no `elif`."""
    texts = [lines] if isinstance(lines, str) else lines
    start = start_of(code, statement)
    line = code.line_start(start)
    if code.text[line:start].strip(" \t\f"):  # behind a colon or a semicolon
        return Change(start, start, "".join(f"{text}; " for text in texts))
    indentation = code.text[line:start]
    return Change(start, start, "".join(f"{text}{code.newline}{indentation}" for text in texts))


def after(code: Code, statement: Any, lines: str | list[str]) -> Change | None:  # noqa: ANN401 - one of ir.Stmt
    """Put simple statements after a simple statement; None after a compound one."""
    if isinstance(statement, _COMPOUND):
        return None
    texts = [lines] if isinstance(lines, str) else lines
    end = code.span(statement.at)[1]
    is_one_line = _is_in_one_line_suite(code, statement)
    rest = _REST_OF_LINE.match(code.text, end)
    if rest is None or is_one_line:
        return Change(end, end, "".join(f"; {text}" for text in texts))
    indentation = code.indentation(code.span(statement.at)[0])
    place = rest.end()
    return Change(place, place, "".join(f"{code.newline}{indentation}{text}" for text in texts))


def _is_in_one_line_suite(code: Code, statement: Any) -> bool:  # noqa: ANN401 - one of ir.Stmt
    """Whether the first statement of the line stands behind a colon: `if x: y = 1`."""
    first = code.block(statement.at)[0]
    for sibling in code.block(statement.at):
        if code.line_start(code.span(sibling.at)[0]) == code.line_start(code.span(statement.at)[0]):
            first = sibling
            break
    start = code.span(first.at)[0]
    return bool(code.text[code.line_start(start) : start].strip(" \t\f"))


def replace(code: Code, statement: Any, text: str) -> Change:  # noqa: ANN401 - one of ir.Stmt
    """Write another text for a simple statement, or for the header of a compound one."""
    return Change(*code.span(statement.at), text)
