"""What to do about each reason for a recompilation, in one sentence."""

from __future__ import annotations

from typing import Final

_ADVICE: Final = {
    "shape": "pad or bucket the argument to a few fixed shapes (drop the ragged last batch)",
    "rank": "give the argument the same number of dimensions at every call",
    "dtype": "convert the argument once, where it enters the program",
    "weak-type": "pass `jnp.asarray(value, dtype)` at every call, or a Python number at every call",
    "static-value": "pass it as an ordinary argument, or fix the values it takes",
    "static-identity": "create the static object once, or give its class `__eq__` and `__hash__` by value",
    "static-vs-traced": "pass the argument the same way at every call",
    "pytree": "keep the structure of the container fixed",
    "arity": "pass the same arguments at every call, defaults included",
    "kwargs": "call it one way: by position or by keyword",
    "config": "set the configuration once, before the first call",
    "sharding": "place the argument once, and the same way at every call",
    "new-function-object": "create the compiled function once, outside the loop or function that calls it",
    "cache-cleared": "call `jax.clear_caches()` only if memory is scarce",
    "unexplained": "compare the arguments of the two calls: objects whose fields differ compile again",
    "no-retrace": "keep the arguments on the same devices with the same sharding at every call",
}
#: Equinox compiles for the value of every leaf that is not an array, numbers included.
_FILTERED: Final = {
    "static-value": "pass it as an array, `jnp.asarray(value)`, or fix the values it takes: `filter_jit` treats "
    "everything that is not an array as static",
}

EAGER_ADVICE: Final = "put the operations into one compiled function, or keep their shapes and static arguments fixed"


def advice(reason: str, transform: str) -> str | None:
    """What to do about a recompilation for `reason` of what `transform` compiled; None where nothing is known."""
    if transform.startswith("filter_") and reason in _FILTERED:
        return _FILTERED[reason]
    return _ADVICE.get(reason)
