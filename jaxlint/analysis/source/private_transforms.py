"""Which transformed functions only their own module calls: their names are private, or nobody imports the module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.machine.interpreter import Interpreter


def is_private(it: Interpreter, application: Application) -> bool:
    """Whether the module in which a function is transformed has all calls of what its body keeps."""
    if application.frame.kind != "module":
        return False
    source = application.frame.module.source
    if source.layout is not None:  # made of cells
        return True
    return _bound_names(it, source.module.body).get(application.at, "").startswith("_")


@memoised
def _bound_names(_: Interpreter, body: ir.Block) -> Mapping[int, str]:
    """The names that a module's body gives to values and to decorated functions, by where the transform stands."""
    names: dict[int, str] = {}
    for statement in body:
        if isinstance(statement, ir.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ir.Name):
                names[statement.value.at] = target.id
        elif isinstance(statement, ir.FunctionDefinition):
            names.update((decorator.at, statement.function.name) for decorator in statement.function.decorators)
    return names
