"""What functions of a script read under names that its module binds to different code one after another.

A later look at a function of which a call is known, when the module's body is done, must not see what only that end
binds: `import jax.numpy as np` at the top and `import numpy as np` behind the last call leave JAX's functions in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.lattice import join
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.source import names_of_time, unused_functions

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.domain.values import FunctionValue, Value
    from jaxlint.analysis.machine.interpreter import Interpreter


@dataclass(slots=True)
class _AtCalls(Table):
    """What names were when the body of their module led to a function, by its address; the modules that are done."""

    values: dict[tuple[int, str], Value] = field(default_factory=dict)
    done: set[int] = field(default_factory=set)


def note(it: Interpreter, function: FunctionValue) -> None:
    """A function is entered: while the body of its module runs, its names are what they are now."""
    module = function.closure
    names = names_of_time.code_of_time(it, module.body) if module.kind == "module" else ()
    if not names or module.serial in it.tables[_AtCalls].done:
        return
    values = it.tables[_AtCalls].values
    for name in names:
        now = module.state.env.get(name)
        if now is not None:
            known = values.get((id(function.function), name))
            values[id(function.function), name] = now if known is None else join(known, now)


def close(it: Interpreter, module: Frame) -> None:
    """The body of a module is done: what is looked at from here on is no call of it."""
    it.tables[_AtCalls].done.add(module.serial)


def value_of(it: Interpreter, owner: Frame, name: str, value: Value) -> Value:
    """What a name of a module, which has this value by now, is in the code at hand."""
    table = it.tables[_AtCalls]
    if not table.values or owner.serial not in table.done:
        return value
    outermost = next(frame for frame in it.frame.scopes() if frame.closure is owner)
    seen = table.values.get((id(outermost.function), name))
    *_, root = it.frame.callers()
    if seen is None or root.module is not owner.module:
        return value
    is_called_from_elsewhere = unused_functions.is_imported(it, owner.module.source)
    return join(seen, value) if is_called_from_elsewhere else seen
