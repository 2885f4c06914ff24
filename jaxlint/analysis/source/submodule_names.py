"""The names that a module of a framework gives its parts: they lead to its parameters, and into what makes these."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.class_fields import ancestors, fields
from jaxlint.analysis.domain.values import ClassValue
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.method_effects import methods, stored
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Stands for all names that the framework makes, of a class and a number.
NUMBERED: Final = "*"
_NUMBERED: Final = re.compile(r".+_\d+")
#: Where a module says what its parts are called.
_DECLARING: Final = "setup"
#: Fields that these annotate hold settings, and no parts.
_SETTINGS: Final = frozenset({"bool", "float", "int", "str"})


@memoised
def submodule_names(_: Interpreter, cls: ClassValue) -> frozenset[str]:
    """What the parts and parameters of a module may be called; a class that declares none numbers them.

    Over-approximates, but for names that are computed.
    """
    own = [function for each in (cls, *ancestors(cls)) for function in methods(each)]
    declared = [function for function in own if function.name == _DECLARING]
    names = {part.attr for function in declared for part, _ in stored(function)}
    names.update(name for name, (annotation, _) in fields(cls).items() if not _is_setting(annotation))
    names.update(name for function in own for name in _written(function))
    if not declared or any(map(_NUMBERED.fullmatch, names)):
        names.add(NUMBERED)
    return frozenset(names)


def _is_setting(annotation: ir.Expr | None) -> bool:
    return isinstance(annotation, ir.Name) and annotation.id in _SETTINGS


def _written(function: ir.Function) -> Iterator[str]:
    """Names given as `Dense(3, name="out")` or `self.param("scale", ...)`."""
    for node in walks.nodes(function.body):
        if not isinstance(node, ir.Call):
            continue
        given = [value for keyword, value in node.keywords if keyword == "name"]
        if isinstance(node.func, ir.Attribute) and node.args:
            given.append(node.args[0])
        yield from (value.value for value in given if isinstance(value, ir.Constant) and isinstance(value.value, str))
