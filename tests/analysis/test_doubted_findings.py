"""Findings that are hidden by default are still there for who asks for them, and their surer twins are shown."""

from __future__ import annotations

import pytest

from jaxlint.diagnostics import Confidence
from tests.linting import diagnostics

HEAD = "import jax\nimport jax.numpy as jnp\n\n"
PARENT = """
def draws(key):
    left, right = jax.random.split(key)
    return jax.random.normal(left), {other}, jax.random.{drawn}
"""
COUNT = """
@jax.jit
def count(x):
    n = jnp.prod(jnp.array(x.shape))
    return {used}
"""
LOOP = """
def loss(w):
    return jnp.sum(jnp.tanh(w) ** 2){host}

def fit():
    w = jnp.ones(8)
    for _ in range({passes}):
        w = w - 0.1 * jax.grad(loss)(w)
    return w

fit()
"""
RIGHT = "jax.random.normal(right)"

DOUBTED = [
    ("parent-key-after-split", PARENT.format(other=RIGHT, drawn="normal(key)")),
    ("jnp-on-static-value", COUNT.format(used="jnp.sum(x) / n")),
    ("unjitted-hot-loop", LOOP.format(host="", passes=20)),
    ("unjitted-hot-loop", LOOP.format(host=" * float(jax.lax.stop_gradient(jnp.ones(())))", passes=1000)),
]
SURE = [
    ("parent-key-after-split", PARENT.format(other="None", drawn="normal(key)")),
    ("parent-key-after-split", PARENT.format(other=RIGHT, drawn="randint(key, (), 0, 9)")),
    ("jnp-on-static-value", COUNT.format(used="x.reshape(n)")),
    ("unjitted-hot-loop", LOOP.format(host="", passes=1000)),
]


@pytest.mark.parametrize(("slug", "source"), DOUBTED)
def test_what_is_doubted_is_shown_where_asked_for(slug: str, source: str) -> None:
    (found,) = diagnostics(HEAD + source, slug, confidence=Confidence.POSSIBLE)
    assert found.confidence is Confidence.POSSIBLE
    assert not diagnostics(HEAD + source, slug)


@pytest.mark.parametrize(("slug", "source"), SURE)
def test_its_surer_twin_is_shown_by_default(slug: str, source: str) -> None:
    (found,) = diagnostics(HEAD + source, slug)
    assert found.confidence is not Confidence.POSSIBLE


STATIC = """
from functools import partial
from typing import Dict, List, Optional, Set

@partial(jax.jit, static_argnames="n")
def f(x, n: {}):
    return x
"""


@pytest.mark.parametrize(
    ("annotation", "what"),
    [
        ("list", "a list"),
        ("dict", "a dict"),
        ("set", "a set"),
        ("set[int]", "a set"),
        ("List", "a list"),
        ("Dict", "a dict"),
        ("Set[int]", "a set"),
        ("list | None", "a list"),
        ("list[int] | None = None", "a list"),
        ("Optional[dict[str, int]] = None", "a dict"),
    ],
)
def test_an_annotation_may_allow_what_has_no_hash(annotation: str, what: str) -> None:
    source = HEAD + STATIC.format(annotation)
    assert not diagnostics(source, "unhashable-static-argument")
    (found,) = diagnostics(source, "unhashable-static-argument", confidence=Confidence.POSSIBLE)
    assert found.confidence is Confidence.POSSIBLE
    assert found.message == f"`n` is static and must be hashable, but its annotation allows {what}"


@pytest.mark.parametrize("annotation", ["tuple", "frozenset", "object", "list | tuple", "int", "'list'"])
def test_other_annotations_tell_nothing_of_hashes(annotation: str) -> None:
    source = HEAD + STATIC.format(annotation)
    assert not diagnostics(source, "unhashable-static-argument", confidence=Confidence.POSSIBLE)


DROPOUT = """
import equinox as eqx

class Block(eqx.Module):
    dropout: eqx.nn.Dropout
{made}
    def __call__(self, x):
        return self.dropout(x)

class Net(eqx.Module):
    block: Block

    def encode(self, x):
        return self.block(x)

def encode(net: Net, x):
    return jax.jit(lambda x: net.encode(x))(x)
{called}
"""
MADE = """
    def __init__(self):
        self.dropout = eqx.nn.Dropout(0.5)
"""


def test_a_layer_that_only_an_annotation_tells_of_may_be_another_one() -> None:
    slug, annotated = "missing-rng-stream", HEAD + DROPOUT.format(made="", called="")
    assert not diagnostics(annotated, slug)
    (found,) = diagnostics(annotated, slug, confidence=Confidence.POSSIBLE)
    assert found.confidence is Confidence.POSSIBLE
    (shown,) = diagnostics(HEAD + DROPOUT.format(made=MADE, called="encode(Net(Block()), jnp.ones(3))"), slug)
    assert shown.confidence is Confidence.LIKELY


MAPPED = """
def draw(key, n):
    keys = jax.random.split(key, 4)
    drawn = lambda key: jax.random.normal(key)
    {loop}
    return drawn(keys)
"""


def test_what_a_loop_maps_an_unknown_number_of_times_may_get_anything() -> None:
    slug, looped = "key-misuse", HEAD + MAPPED.format(loop="for _ in range(n): drawn = jax.vmap(drawn)")
    assert not diagnostics(looped, slug)
    (found,) = diagnostics(looped, slug, confidence=Confidence.POSSIBLE)
    assert found.confidence is Confidence.POSSIBLE
    (shown,) = diagnostics(HEAD + MAPPED.format(loop="pass"), slug)
    assert shown.confidence is Confidence.CERTAIN
