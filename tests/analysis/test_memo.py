"""Summaries change how much is interpreted, never what is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxlint.analysis.summaries import summary
from jaxlint.diagnostics import Confidence
from tests.analysis.places import said
from tests.linting import diagnostics, text_at
from tests.rulebook_blocks import FIXTURES

EXAMPLES = FIXTURES.parent.parent / "examples"
FILES = sorted([*FIXTURES.rglob("*.py"), *EXAMPLES.rglob("*.py")])


def found(source: str) -> list[tuple[int, str]]:
    """(line, rule): which of nested calls is blamed, and how surely, depends on the witness that came first."""
    return sorted({(d.span.line, d.rule) for d in diagnostics(source, confidence=Confidence.POSSIBLE)})


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_same_is_found_without_summaries(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = path.read_text(encoding="utf-8")
    with_summaries = found(source)
    monkeypatch.setattr(summary.Summaries, "find", lambda *_: None)
    monkeypatch.setattr(summary, "MAX_CONTEXTS", 10**9)
    assert found(source) == with_summaries


HELPER = """
import jax
from jax import random

def draw(key, n):
    return random.normal(key, (n,))

def twice(first, second):
    a = draw(first, 3)
    b = draw(second, 3)
    return a, b

def same(key):
    a = draw(key, 3)
    b = draw(key, 3)
    return a, b

def parts(key):
    k1, k2 = random.split(key)
    return twice(k1, k2), twice(k2, k1)
"""


def marked(source: str) -> list[tuple[int, str]]:
    return sorted((each.span.line, each.rule) for each in diagnostics(source))


def test_a_replayed_use_is_of_the_new_argument() -> None:
    """Two keys through one helper are two uses of two keys; one key through it twice is a reuse at the second call."""
    assert marked(HELPER) == [(15, "key-reuse"), (20, "key-reuse")]


BRANCHES = """
from jax import random

def draw(key, flag):
    if flag:
        return random.normal(key)
    return random.uniform(key)

def fold(key, n):
    for i in range(n):
        random.normal(random.fold_in(key, i))

def faulty(key):
    return random.normal(key) + random.uniform(key)

def first(k1, k2, flag):
    draw(k1, flag)
    fold(k1, 3)
    faulty(k2)

def second(k1, k2, k3, flag):
    draw(k1, flag)
    fold(k1, 3)
    faulty(k2)
    faulty(k3)
"""


def test_what_happens_inside_a_call_is_told_once_inside() -> None:
    """Uses on branches that exclude each other stay apart in a replay; a fault of the helper is no fault of calls."""
    assert marked(BRANCHES) == [(14, "key-reuse")]


EVIDENCE = """
import jax
import jax.numpy as jnp
from elsewhere import load

def doubled(v):
    return v * 2

def ones():
    return jnp.ones(3)

def same(v):
    return v

@jax.jit
def first(x):
    return doubled(x) + ones()

@jax.jit
def second(y):
    a = doubled(y)
    if a > 0:
        return a
    b = ones()
    if b.any():
        return b

def unknown():
    return same(load(1)), same(
        load(2))
"""


def test_the_evidence_of_a_replayed_call_is_that_of_its_own_arguments() -> None:
    texts = {
        (each.span.line, text_at(EVIDENCE, note.span))
        for each in diagnostics(EVIDENCE)
        for note in each.notes
        if note.span is not None and "traced by" in note.message
    }
    assert texts == {(22, "y"), (22, "jax.jit"), (25, "jax.jit")}
    assert all("first" not in note.message for each in diagnostics(EVIDENCE) for note in each.notes)


def test_a_replayed_unknown_names_the_call_it_came_from() -> None:
    assert "`same( load(2))`: unknown: call of `elsewhere.load` at line 29" in said(EVIDENCE, 28)


def test_a_function_nested_in_one_that_ran_out_of_contexts_is_still_looked_at() -> None:
    """Seven calls use up the contexts of `step`; only the eighth, on its own, can reach the branch."""
    text = "import jax\n\n\ndef make(mode, key):\n    def step(key):\n" + "        n = 1\n" * 60
    text += "        x = jax.random.normal(key)\n        if mode == 'other':\n"
    text += "            x += jax.random.normal(key)\n        return x\n\n    return step(key)\n\n\n"
    text += "".join(f"make('{each}', jax.random.key(0))\n" for each in "abcdefgh")
    assert marked(text) == [(68, "key-reuse")]


MADE = """
import jax

class Base:
    def __init__(self, key, scale):
        self.key = key
        self.scale = scale
        self.parts = []

class Noise(Base):
    def __init__(self, key, scale):
        super().__init__(key, scale)
        self.draw = lambda n: jax.random.normal(key, (n,))

def keys():
    first = Base(jax.random.key(1), 2.0)
    jax.random.normal(first.key)
    second = Base(jax.random.key(2), 2.0)
    jax.random.normal(second.key)
    jax.random.normal(second.key)
    third = Noise(jax.random.key(3), 2.0)
    third.draw(2)
    fourth = Noise(jax.random.key(4), 2.0)
    return fourth.draw(2), jax.random.normal(fourth.key, (2,))

@jax.jit
def traced(x):
    first = Base(None, x)
    second = Base(None, x.shape[0])
    third = Base(None, x)
    if second.scale > 1 or second.parts:
        first.parts.append(x)
    if third.scale > 1 and third.parts:
        pass
"""


def test_an_object_is_set_up_like_the_one_before() -> None:
    assert marked(MADE) == [(20, "key-reuse"), (24, "key-reuse"), (33, "traced-branch")]
