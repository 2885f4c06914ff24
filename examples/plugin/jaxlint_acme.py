"""The JAX rules of Acme, as a plug-in of one module for jaxlint."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.performance import UnrolledLoop
from jaxlint.analysis.events.random import KeyMade
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule

LONGEST = 256


@rule("key-made-in-function", code="ACM001", category=Category.SUSPICIOUS, on=KeyMade, family="acme")
def key_made_in_function(made: KeyMade) -> Iterator[Finding]:
    """A function makes its own PRNG key.

    Functions take keys as arguments, so that a run is reproduced from one seed. Make the key in `main`:

    ```python
    def main(seed):
        train(jax.random.key(seed))
    ```
    """
    function = made.frame.function
    if function is not None and function.name != "main":
        yield made.diagnostic(f"`{made.text}` makes a key inside `{function.name}`; take it as an argument")


@rule("long-unrolled-loop", code="ACM002", category=Category.PERFORMANCE, on=UnrolledLoop, family="acme")
def long_unrolled_loop(loop: UnrolledLoop) -> Iterator[Finding]:
    """A traced loop has more than 256 iterations."""
    if loop.count is not None and loop.count > LONGEST:
        note = FindingNote("use `jax.lax.fori_loop` or `jax.lax.scan`", None)
        message = f"`{loop.iterable.text}` is unrolled into {loop.count} iterations; the limit is {LONGEST}"
        yield loop.diagnostic(message, notes=(note, *loop.traced_by()), confidence=Confidence.LIKELY)


RULES = [key_made_in_function, long_unrolled_loop]
