"""numerical-idiom: one function computes what a formula loses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.arrays import NumericalIdiom
from jaxlint.diagnostics import Category
from jaxlint.rules.arrays._fix_formulas import STABLE, stable_fix
from jaxlint.rules.rule import rule

_LOSS: Final = {
    "log1p": "loses the digits of a small number when it adds 1",
    "expm1": "loses digits when it subtracts 1 from an exponential near 1",
    "logsumexp": "overflows if an exponential does",
    "log_softmax": "is -inf if a probability underflows",
}


@rule("numerical-idiom", code="JX112", category=Category.PEDANTIC, on=NumericalIdiom, fix=stable_fix)
def numerical_idiom(idiom: NumericalIdiom) -> Iterator[Finding]:
    """A formula loses digits or overflows, and one JAX function does not."""
    name = STABLE[idiom.form].replace("jax.numpy.", "jnp.")
    message = f"`{idiom.text}` {_LOSS[idiom.form]}; `{name}` does not"
    if idiom.is_whole:
        yield idiom.diagnostic(message, fix=idiom.fix_request(words=(idiom.form,)))
    else:
        yield idiom.diagnostic(message, notes=(FindingNote("this value is computed here", idiom.part),))
