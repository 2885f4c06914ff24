"""Calls that need more than a table: of Python's own functions, by name, and of others by what the tables call them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import Arguments, Value
from jaxlint.analysis.python import (
    executed_code,
    field_specifiers,
    functools_calls,
    introspection,
    iterators,
    numeric_calls,
    operator_calls,
    own_containers,
    record_classes,
    timed_calls,
)
from jaxlint.analysis.typestate import timing
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

Handler = Callable[["Interpreter", str, Arguments, ir.Expr], Value]


@cache
def _handlers() -> Mapping[str, Handler]:
    """All of them; put together at the first call, when every module that they stand in is loaded."""
    python = {**numeric_calls.SPECIAL, **iterators.SPECIAL, **introspection.SPECIAL, **functools_calls.SPECIAL}
    python.update({**operator_calls.SPECIAL, **own_containers.SPECIAL, **executed_code.SPECIAL})
    return {**python, **field_specifiers.SPECIAL, **record_classes.SPECIAL, **timing.SPECIAL, **timed_calls.SPECIAL}


def handler(name: str) -> Handler | None:
    """What evaluates a call of a Python function, or of one that means this; None where tables say all of it."""
    return _handlers().get(name)
