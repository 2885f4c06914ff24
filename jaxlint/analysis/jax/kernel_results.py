"""Results of kernels, which write what they compute into references and return nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import Unknown, Value, atoms_of, is_none
from jaxlint.analysis.events.kernels import KernelResult
from jaxlint.analysis.source.ownership import entry_frame

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax import ir


def check_result(it: Interpreter, value: Value, node: ir.Expr) -> None:
    """Tell the rules that a kernel gives a value, where nobody takes one."""
    frame, trace = it.frame, it.frame.trace
    function = frame.function
    if trace is None or trace.application is None or function is None or not it.wants(KernelResult):
        return
    if not it.api.has(trace.application.name, "writes-results") or entry_frame(frame, trace) is not frame:
        return
    given = atoms_of(value)
    if not any(is_none(atom) or isinstance(atom, Unknown) for atom in given):
        it.emit(KernelResult(frame, node.at, function.name, it.operand(value, node)))
