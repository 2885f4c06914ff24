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
    except AttributeError:  # where an equation says where it is from is no public API
        return ()
    return () if found is None else found.frames


def equations(jaxpr: Any, files: Container[str]) -> Iterator[dict[str, Any]]:
    """Equations of the user's lines, each with whether what it computes reaches a result or an effect."""
    for number, (equation, is_live) in enumerate(_walk(jaxpr, is_live=True)):
        if number > _MOST_EQUATIONS:
            return
        lines = user_lines(equation, files)
        if lines:
            path, line = lines[0]
            yield {"path": path, "line": line, "primitive": equation.primitive.name, "used": is_live}


def _walk(jaxpr: Any, *, is_live: bool) -> Iterator[tuple[Any, bool]]:
    """Each equation with whether it is live; in a program whose results nothing uses, none is but for effects."""
    live = _live(jaxpr) if is_live else set()
    for index, equation in enumerate(jaxpr.eqns):
        own = index in live or bool(getattr(equation, "effects", None))
        yield equation, own
        for inner in subprograms(equation):
            yield from _walk(inner, is_live=own)


def _live(jaxpr: Any) -> set[int]:
    """The indices of the equations from which a result of the program, or an effect, is computed."""
    needed = {id(variable) for variable in jaxpr.outvars}
    live = set()
    for index in range(len(jaxpr.eqns) - 1, -1, -1):
        equation = jaxpr.eqns[index]
        if getattr(equation, "effects", None) or any(id(variable) in needed for variable in equation.outvars):
            live.add(index)
            needed.update(id(variable) for variable in equation.invars)
    return live
