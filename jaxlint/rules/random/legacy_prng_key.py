"""legacy-prng-key: typed keys instead of arrays of raw bits."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.events.random import LegacyKey
from jaxlint.diagnostics import Applicability, Category, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.rules.rule import rule
from jaxlint.syntax import ir

_LEGACY, _TYPED = "jax.random.PRNGKey", "jax.random.key"


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """The same call of `jax.random.key`."""
    call, named = code.node(request.at), name_of(code, request.at, _TYPED)
    if named is None or not isinstance(call, ir.Call):
        return None
    changes = [Change(*code.span(call.func.at), named.text), *named.changes]
    reason = "code that indexes keys, or stores them as arrays of numbers, must change as well"
    return code.fix(f"Replace with `{named.text}`", changes, Applicability.UNSAFE, reason)


@rule("legacy-prng-key", code="JX208", category=Category.PEDANTIC, on=LegacyKey, fix=_fix)
def legacy_prng_key(key: LegacyKey) -> Iterator[Finding]:
    """`jax.random.PRNGKey`, where `jax.random.key` makes a typed key."""
    if key.function == _LEGACY:
        message = "`jax.random.PRNGKey` makes an array of raw bits; `jax.random.key` makes a typed key"
        yield key.diagnostic(message, fix=key.fix_request())
