"""Uses of keys behind an option that no call in the project gives: they are there for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.source import given_arguments
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.domain.state import Condition, KeyUse
    from jaxlint.analysis.machine.interpreter import Interpreter

_LEFT_OUT: Final = "one of the two happens only if `{}` is given, and no call in the project gives it"


def of_an_option_left_out(it: Interpreter, frame: Frame, earlier: KeyUse, new: KeyUse) -> str:
    """What has to be assumed where only one of two uses stands behind a test that an optional parameter is given.

    `frame` is the invocation in which the two uses part ways.
    """
    function = frame.function
    if function is None or frame.closure is None or frame.closure.kind != "module" or frame.cls is not None:
        return ""
    optional = {
        p.name: p for p in function.parameters if isinstance(p.default, ir.Constant) and p.default.value is None
    }
    for use, other in ((earlier, new), (new, earlier)):
        for condition in use.conditions:
            name = _given(condition)
            if name not in optional or condition in other.conditions:
                continue
            if given_arguments.is_left_out(it, frame.module.source.name, function, optional[name]):
                return _LEFT_OUT.format(name)
    return ""


def _is_none(default: ir.Expr | None) -> bool:
    return isinstance(default, ir.Constant) and default.value is None


def _given(condition: Condition) -> str:
    """The name that a test finds to be something: `if x is not None`, `if x`."""
    if len(condition.names) != 1:
        return ""
    is_something = condition.constant == ("constant", "None") and not condition.outcome
    is_true = condition.constant is None and condition.outcome and condition.test[0] == "name"
    return next(iter(condition.names)) if is_something or is_true else ""
