"""host-rng-in-traced-code: a random number drawn while tracing is a constant."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.domain.frames import Trace
from jaxlint.analysis.domain.values import Level
from jaxlint.analysis.events.effects import LibraryCall
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("host-rng-in-traced-code", code="JX205", category=Category.CORRECTNESS, on=LibraryCall)
def host_rng_in_traced_code(call: LibraryCall) -> Iterator[Finding]:
    """`np.random`, `random`, `uuid`, `secrets` in traced code."""
    if call.effect != "host-rng" or not _runs_less_often(call.trace):
        return
    message = f"`{call.text}` draws once, during tracing; every call of the compiled function reuses that number"
    yield call.diagnostic(message, notes=call.traced_by())


def _runs_less_often(trace: Trace | None) -> bool:
    """Once per compilation under jit, once for all rows under vmap."""
    return trace is not None and (trace.runs_once or trace.level is Level.MAPPED)
