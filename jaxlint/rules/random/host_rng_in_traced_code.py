"""host-rng-in-traced-code: a random number drawn while tracing is a constant."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.domain.values import Level
from jaxlint.analysis.events.effects import LibraryCall
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("host-rng-in-traced-code", code="JX205", category=Category.CORRECTNESS, on=LibraryCall)
def host_rng_in_traced_code(call: LibraryCall) -> Iterator[Finding]:
    """`np.random`, `random`, `uuid`, `secrets` in traced code."""
    trace = call.trace
    if call.effect != "host-rng" or trace is None:
        return
    if trace.runs_once:
        message = f"`{call.text}` draws once, during tracing; every call of the compiled function reuses that number"
    elif trace.level is Level.MAPPED:
        message = f"`{call.text}` draws once for the whole batch; all its elements get the same number"
    else:
        return
    yield call.diagnostic(message, notes=call.traced_by())
