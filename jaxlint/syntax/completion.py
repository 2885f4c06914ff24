"""Where control goes from a block: to its end, to the next pass of the loop around it, or out by an exception alone."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.syntax import ir

#: How control may leave a block: at its end, by a statement that says so, or by an exception.
_END, _CONTINUE, _BREAK, _RETURN, _RAISE = "end", "continue", "break", "return", "raise"


def comes_back(body: ir.Block) -> bool:
    """Whether a loop with this body may come to a second pass."""
    return not {_END, _CONTINUE}.isdisjoint(_exits(body))


def only_raises(body: ir.Block) -> bool:
    """Whether a function with this body ends by an exception in any case, if it ends."""
    return {_END, _RETURN}.isdisjoint(_exits(body))


def _exits(block: ir.Block) -> frozenset[str]:
    found: set[str] = set()
    for statement in block:
        ways = _ways(statement)
        found |= ways - {_END}
        if _END not in ways:
            return frozenset(found)
    return frozenset({*found, _END})


def _ways(statement: ir.Stmt) -> frozenset[str]:  # noqa: PLR0911 - dispatches on the kinds of statements
    match statement:
        case ir.Return():
            return frozenset({_RETURN})
        case ir.Raise():
            return frozenset({_RAISE})
        case ir.Jump(kind=kind):
            return frozenset({kind})
        case ir.If(body=body, orelse=orelse):
            return _exits(body) | _exits(orelse)
        case ir.For(body=body, orelse=orelse) | ir.While(body=body, orelse=orelse):
            return frozenset({_END}) | _exits(orelse) | (_exits(body) & {_RETURN, _RAISE})
        case ir.With(body=body):  # it may suppress what is raised in it
            ways = _exits(body)
            return ways | {_END} if _RAISE in ways else ways
        case ir.Try():
            return _of_try(statement)
        case ir.Match(cases=cases):
            return frozenset({_END}).union(*(_exits(case.body) for case in cases))
        case _:
            return frozenset({_END})


def _of_try(statement: ir.Try) -> frozenset[str]:
    """Any part of a `try` may raise what a handler takes, so that the handlers count as reached."""
    final = _exits(statement.final)
    if _END not in final:
        return final
    body = _exits(statement.body)
    inner: Iterator[frozenset[str]] = (_exits(handler.body) for handler in statement.handlers)
    ways = (body - {_END}).union(*inner)
    return ways | (_exits(statement.orelse) if _END in body else frozenset()) | (final - {_END})
