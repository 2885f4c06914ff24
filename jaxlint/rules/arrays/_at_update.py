"""Stores into arrays as `.at[...]` updates: `x[i] = v` becomes `x = x.at[i].set(v)`."""

from __future__ import annotations

from jaxlint.analysis.findings import FixRequest
from jaxlint.diagnostics import Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.precedence import Level, level_of
from jaxlint.fixes.rebinding import rebinding
from jaxlint.syntax import ir


def set_item(request: FixRequest, code: Code) -> Fix | None:
    """`x[i] = v` as `x = x.at[i].set(v)`."""
    statement, target = code.statement(request.at), code.node(request.at)
    if not isinstance(statement, ir.Assign) or len(statement.targets) != 1 or statement.targets[0].at != target.at:
        return None
    judged = rebinding(code, target.base.at)
    if judged is None:
        return None
    base = code.segment(target.base.at)
    title = f"Replace with `{base} = {base}.at[...].set(...)`"
    return code.fix(title, update(code, target, statement.value.at, "set"), judged.applicability, judged.reason)


def update(code: Code, target: ir.Subscript, value: int, method: str) -> list[Change]:
    """The changes that make `x = x.at[i].method(v)` of the statement that stores `v` (an ordinal) to `x[i]`."""
    base = code.segment(target.base.at)
    start = code.span(code.statement(target.at).at)[0]
    opening, end = code.bracket(target)
    value_start, value_end = code.outer(value)
    opener, closer = _call_brackets(code, value)
    return [
        Change(start, start, f"{base} = "),
        Change(opening, opening, ".at"),
        Change(end, value_start, f".{method}{opener}"),
        Change(value_end, value_end, closer),
    ]


def _call_brackets(code: Code, value: int) -> tuple[str, str]:
    """What opens and closes a call whose one argument a value becomes; its own parentheses serve where they can."""
    needs_own = level_of(code.node(value)) < Level.NAMED
    is_wrapped = code.span(value) != code.outer(value)
    if is_wrapped:
        return ("(", ")") if needs_own else ("", "")
    return ("((", "))") if needs_own else ("(", ")")
