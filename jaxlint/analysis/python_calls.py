"""Calls of Python's own functions, and of a few others, that need more than a table: each by its qualified name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from jaxlint.analysis import function_calls, iteration_calls, number_calls, object_calls
from jaxlint.analysis.values import Arguments, Value
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.interpreter import Interpreter

Handler = Callable[["Interpreter", str, Arguments, ir.Expr], Value]

SPECIAL: dict[str, Handler] = {
    **number_calls.SPECIAL,
    **iteration_calls.SPECIAL,
    **object_calls.SPECIAL,
    **function_calls.SPECIAL,
}
