"""Layers that draw random numbers unless they are told not to, and are called without a key.

A layer of which nothing but an annotation tells may be another one, which draws nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.values import Arguments, Made, Static, is_none
from jaxlint.analysis.events.frameworks import MissingKey
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import ObjectRow


def called(it: Interpreter, row: ObjectRow, layer: Made, arguments: Arguments, node: ir.Expr) -> None:
    """A method of a layer is called: tell the rules if it draws and has no key."""
    if not it.wants(MissingKey) or not it.api.has(row.name, "needs-key"):
        return
    key = arguments.keywords.get("key", Static(None))
    if arguments.extra or not isinstance(key, Static) or not is_none(key) or not isinstance(node, ir.Call):
        return
    given, made = arguments.keywords.get("inference", Static(None)), dict(layer.options)
    is_told = not isinstance(given, Static) or not is_none(given)
    if is_told or not _draws(made) or not _is_known(it):
        return
    it.emit(MissingKey(it.frame, node.at, it.frame.module.text(node.func.at), layer.declared))


def _draws(made: dict[str, Any]) -> bool:
    """Whether a layer that was made with these options surely draws: its rate is not 0, and it is in training mode."""
    rate = made.get("p", 0.5)
    return not made.get("inference", False) and isinstance(rate, int | float) and rate > 0


def _is_known(it: Interpreter) -> bool:
    """Whether nothing is assumed of the calls that lead here, and none of them is a try."""
    caveats, trace = it.frame.caveats, it.frame.trace
    if caveats.assumed or caveats.defaulted or caveats.eager:
        return False
    while trace is not None:
        if trace.is_uncalled:
            return False
        trace = trace.parent
    return not any(each.trying or not _holds_what_is_known(each) for each in it.frame.callers())


def _holds_what_is_known(frame: Frame) -> bool:
    """Whether no object is assumed in an invocation: what a method that nobody calls is a method of is one."""
    is_called = frame.caller is not None or frame.kind == "module"
    return (is_called and not frame.is_open) or "." not in frame.qualname
