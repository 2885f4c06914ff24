"""What findings say: the transform that is at work, the argument that is at fault, and how sure that is."""

from __future__ import annotations

import pytest

from jaxlint.diagnostics import Confidence
from tests.linting import diagnostics

HEAD = """import logging
import math
import random

import jax
import jax.numpy as jnp
import numpy as np


"""


def only(source: str, slug: str, confidence: Confidence = Confidence.LIKELY) -> tuple[str, str]:
    """The message and the confidence of the one finding of a rule."""
    (found,) = diagnostics(HEAD + source, slug, confidence=confidence)
    return found.message, found.confidence.value


@pytest.mark.parametrize(
    ("body", "slug", "message"),
    [
        ("jnp.ones(n)", "traced-shape", "`jnp.ones` needs a static `shape`, but `n` is traced"),
        ("jnp.ones((n, 2))", "traced-shape", "`jnp.ones` needs a static `shape`, but `n` is traced"),
        ("jnp.ones((2, n + 1))", "traced-shape", "`jnp.ones` needs a static `shape`, but `n + 1` is traced"),
        ("jnp.ones([n, n])", "traced-shape", "`jnp.ones` needs a static `shape`, but `n` is traced"),
        ("x.reshape(n, 2)", "traced-shape", "`.reshape` needs a static `shape`, but `n` is traced"),
        ("x.reshape((n, 2))", "traced-shape", "`.reshape` needs a static `shape`, but `n` is traced"),
        ("x.transpose(n, 0)", "traced-shape", "`.transpose` needs a static `axes`, but `n` is traced"),
        ("jnp.arange(n)", "traced-shape", "`jnp.arange` needs a static `stop`, but `n` is traced"),
        ("jnp.arange(n, 9)", "traced-shape", "`jnp.arange` needs a static `start`, but `n` is traced"),
        ("jnp.trim_zeros(x)", "data-dependent-shape", "the shape of `jnp.trim_zeros(x)` depends on traced data"),
        ("jnp.setxor1d(x, n)", "data-dependent-shape",
         "the shape of `jnp.setxor1d(x, n)` depends on traced data; `size=` fixes the shape"),
        ("jnp.delete(x, n)", "data-dependent-shape",
         "the shape of the result of `jnp.delete` depends on `n`, which is traced;"
         " if no index repeats, `assume_unique_indices=True` fixes the shape"),
        ("jnp.delete(x, x > 1)", "data-dependent-shape",
         "the shape of the result of `jnp.delete` depends on `x > 1`, which is traced"),
        ("np.sum([x, x])", "numpy-on-tracer", "`np.sum` turns `[x, x]` into a NumPy array, but it is traced"),
        ("np.sum((x, 1))", "numpy-on-tracer", "`np.sum` turns `(x, 1)` into a NumPy array, but it is traced"),
        ("math.fsum([n])", "concretization", "`math.fsum` needs the value of `[n]`, which is traced"),
    ],
)  # fmt: skip
def test_a_part_is_as_sure_as_the_whole(body: str, slug: str, message: str) -> None:
    source = f"@jax.jit\ndef f(x, n):\n    return {body}\n\n\nf(jnp.ones(3), 2)\n"
    assert only(source, slug) == (message, "certain")


def test_elements_of_unknown_number_may_be_none() -> None:
    source = "@jax.jit\ndef f(xs):\n    return np.sum([x + 1 for x in xs])\n\n\nf({})\n"
    assert [d.confidence for d in diagnostics(HEAD + source, "numpy-on-tracer")] in ([], [Confidence.LIKELY])


@pytest.mark.parametrize(
    ("transform", "body", "slug", "message"),
    [
        ("jax.grad(f)(1.0)", "return np.sum([x, x])", "numpy-on-tracer",
         "`np.sum` turns `[x, x]` into a NumPy array, but it is being differentiated"),
        ("jax.jit(f)(1.0)", "return x * random.random()", "host-rng-in-traced-code",
         "`random.random()` draws once, during tracing; every call of the compiled function reuses that number"),
        ("jax.vmap(f)(jnp.ones(3))", "return x * random.random()", "host-rng-in-traced-code",
         "`random.random()` draws once for the whole batch; all its elements get the same number"),
        ("jax.jit(f)(1.0)", "print(x)", "print-in-traced-code",
         "`print` shows the tracer of `x`, once per compilation; `jax.debug.print` shows its value"),
        ("jax.vmap(f)(jnp.ones(3))", "print(x)", "print-in-traced-code",
         "`print` shows the tracer of `x`, once for the whole batch; `jax.debug.print` shows its value"),
        ("jax.jit(f)(1.0)", "seen.append(1); return x", "captured-mutation",
         "`seen` comes from outside the traced function; it is changed once, during tracing, and not on later calls"),
        ("jax.vmap(f)(jnp.ones(3))", "seen.append(1); return x", "captured-mutation",
         "`seen` comes from outside the traced function; "
         "it is changed once in each call, and not once for each element"),
        ("jax.vmap(f)(jnp.ones(3))", "seen.append(x); return x", "captured-mutation",
         "`seen` comes from outside the traced function; "
         "it stores a tracer, which is invalid once tracing ends (leaked tracer)"),
        ("jax.vmap(f)(jnp.ones(3))", "logging.info(x * 2)", "io-in-traced-code",
         "`logging.info(x * 2)` logs the tracer of `x * 2`, once for the whole batch"),
        ("jax.jit(f)(1.0)", "try: return 1 / x\n    except (ValueError, ZeroDivisionError): return x",
         "swallowed-trace-error",
         "compiled code never raises `ZeroDivisionError`, so this handler never runs for it"),
        ("f(jax.random.key(0))", "return x[0]", "key-misuse",
         "`x` is one key, not an array of keys; indexing it raises `IndexError`"),
    ],
)  # fmt: skip
def test_a_message_names_what_the_transform_does(transform: str, body: str, slug: str, message: str) -> None:
    assert only(f"seen = []\n\n\ndef f(x):\n    {body}\n\n\n{transform}\n", slug)[0] == message


@pytest.mark.parametrize("transform", ["jax.grad(f)(1.0)", "jax.vmap(f)(jnp.ones(3))"])
def test_what_runs_in_each_call_reads_the_clock_then(transform: str) -> None:
    source = f"import time\n\n\ndef f(x):\n    return x + time.time()\n\n\n{transform}\n"
    assert not diagnostics(HEAD + source, "io-in-traced-code")


@pytest.mark.parametrize(
    ("uses", "message", "confidence"),
    [
        ("params = model.init(key, x)\n    return params, jax.random.bits(key)",
         "`key` was already used by `init`; each key is for one use", "likely"),
        ("noise = jax.random.normal(key)\n    return model.init(key, x + noise), x * noise",
         "`key` was already used by `random.normal`; each key is for one use", "likely"),
        ("return jax.random.normal(key), jax.random.uniform(key)",
         "`key` was already used: the same key gives the same numbers again", "certain"),
    ],
)  # fmt: skip
def test_a_model_may_derive_keys_of_its_own(uses: str, message: str, confidence: str) -> None:
    found = only(f"def f(model, x):\n    key = jax.random.key(0)\n    {uses}\n", "key-reuse")
    assert found == (message, confidence)
