"""Whether traced code is differentiated in reverse, which loops of unknown length do not allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Trace

_REVERSE = ("grad", "value_and_grad", "jacrev", "jacobian", "hessian", "vjp")


def is_reversed(trace: Trace | None) -> bool:
    """Whether a transform around the code goes backwards through it."""
    while trace is not None:
        if trace.transform.rpartition(".")[2].removeprefix("filter_") in _REVERSE:
            return True
        trace = trace.parent
    return False
