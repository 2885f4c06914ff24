"""Static parameters: what static_argnums, static_argnames and their relatives say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.application import Statics
from jaxlint.analysis.domain.values import Arguments, Object, SetCell, Static, Value, is_none
from jaxlint.analysis.python import iteration

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import FunctionRow, TransformRow


def parse(it: Interpreter, row: TransformRow, name: str, arguments: Arguments) -> Statics:
    """Read the static parameters off a transform's arguments."""
    found_numbers: set[int] = set()
    found_names: set[str] = set()
    known = True
    function = it.api.function(name)
    for parameter in row.statics:
        position = None
        if function is not None and parameter in function.params.positional:
            position = function.params.positional.index(parameter)
        value = arguments.get(position, parameter)
        if value is None or (isinstance(value, Static) and is_none(value)):
            continue
        found = constants(it, value)
        if found is None:
            known = False
            continue
        found_numbers.update(c for c in found if isinstance(c, int))
        found_names.update(c for c in found if isinstance(c, str))
    known &= not arguments.extra and not _is_older_form(function, arguments)
    return Statics(frozenset(found_numbers), frozenset(found_names), known)


def _is_older_form(function: FunctionRow | None, arguments: Arguments) -> bool:
    """Whether a transform gets by position what its newest release takes by keyword: any of it may be static."""
    return function is not None and len(arguments.positional) > len(function.params.positional)


def numbers(it: Interpreter, value: Value) -> frozenset[int] | None:
    """The ints of `0`, `(0, 1)` or `[0]`; None where they cannot be read."""
    found = constants(it, value)
    if found is None or not all(isinstance(c, int) for c in found):
        return None
    return frozenset(c for c in found if isinstance(c, int))


def constants(it: Interpreter, value: Value) -> list[object] | None:
    """The ints or strings of one constant, or of a tuple or list of them; None where they cannot be read."""
    if isinstance(value, Static) and value.known:
        return [value.value]
    if isinstance(value, Object) and isinstance(it.cell(value), SetCell):
        return None
    exact = iteration.exact_elements(it, value)
    if exact is None or not all(isinstance(e, Static) and e.known for e in exact):
        return None
    return [e.value for e in exact if isinstance(e, Static)]
