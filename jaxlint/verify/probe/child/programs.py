"""Reads jaxprs: which of the user's lines an equation comes from, and which results nothing uses."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

#: Parameters of equations under which a sub-program may stand.
_MOST_EQUATIONS = 50_000


def subprograms(equation: Any) -> Iterator[Any]:
    """The jaxprs inside an equation."""
    for value in equation.params.values():
        for entry in value if isinstance(value, (tuple, list)) else (value,):
            inner = getattr(entry, "jaxpr", entry)
            if hasattr(inner, "eqns"):
                yield inner


def user_lines(equation: Any, files: Container[str]) -> list[tuple[str, int]]:
    """The user's lines from which an equation was recorded, the innermost first.

    Equations of a cached library function name the line of its first caller: those lie outside the trace that the
    equation belongs to, and are left out.
    """
    lines = []
    for frame in _frames(equation):
        if frame.function_name.startswith("trace_to_"):
            break
        if frame.file_name in files:
            lines.append((frame.file_name, frame.line_num))
    return lines


def _frames(equation: Any) -> Any:
    try:
        found = equation.source_info.traceback
        return () if found is None else found.frames
    except AttributeError:  # where an equation says where it is from is no public API
        return ()


def dead_equations(jaxpr: Any, files: Container[str]) -> Iterator[dict[str, Any]]:
    """Equations of the user's lines, each with whether anything uses what it computes."""
    for number, (program, equation) in enumerate(_walk(jaxpr)):
        if number > _MOST_EQUATIONS:
            return
        lines = user_lines(equation, files)
        if lines:
            path, line = lines[0]
            yield {
                "path": path,
                "line": line,
                "primitive": equation.primitive.name,
                "used": _is_used(program, equation),
                "around": sorted({other for _, other in lines}),
            }


def _walk(jaxpr: Any) -> Iterator[tuple[Any, Any]]:
    for equation in jaxpr.eqns:
        yield jaxpr, equation
        for inner in subprograms(equation):
            yield from _walk(inner)


_USERS: dict[int, tuple[Any, set[int]]] = {}


def _is_used(jaxpr: Any, equation: Any) -> bool:
    """Whether the program reads a result of the equation, or gives it back, or the equation has an effect."""
    if getattr(equation, "effects", None):
        return True
    known = _USERS.get(id(jaxpr))
    if known is None or known[0] is not jaxpr:
        read = {id(variable) for e in jaxpr.eqns for variable in e.invars}
        known = _USERS[id(jaxpr)] = (jaxpr, read | {id(variable) for variable in jaxpr.outvars})
    return any(id(variable) in known[1] for variable in equation.outvars)
