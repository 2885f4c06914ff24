"""When identities came to be: the question behind every report on a key from outside."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxlint.analysis.domain.idents import (
    Again,
    AttributeOf,
    Constant,
    Fresh,
    Item,
    MadeAt,
    OfGlobal,
    OfParameter,
    OfResult,
    OfSelf,
    Part,
    made_at,
)
from tests.linting import diagnostics, marked_lines

serials = st.integers(2, 1000)
made = st.one_of(
    st.builds(MadeAt, st.integers(0, 50), serials),
    st.builds(Fresh, serials),
    st.builds(OfParameter, serials, st.just("key")),
    st.builds(OfResult, serials),
    st.builds(OfSelf, serials),
    st.builds(Again, serials, st.none()),
)


@given(made)
def test_an_identity_is_as_old_as_its_number(ident: Any) -> None:
    assert made_at(ident) == ident.serial


@given(made, st.one_of(st.integers(0, 9), st.just("name"), made))
def test_a_part_is_as_young_as_the_youngest_of_what_it_is_made_of(base: Any, index: Any) -> None:
    for kind in (Item, Part):
        assert made_at(kind(base, index)) == max(made_at(base), made_at(index))
    assert made_at(AttributeOf(base, "key")) == made_at(base)


@given(made, st.integers(0, 9))
def test_kinds_of_identities_are_never_equal(base: Any, index: int) -> None:
    assert len({Item(base, index), Part(base, index), Fresh(index), OfResult(index), OfSelf(index)}) == 5


@pytest.mark.parametrize("ident", [None, (), "at", Constant(1), OfGlobal("path.py", "KEY")])
def test_what_has_no_number_is_older_than_everything(ident: Any) -> None:
    assert made_at(ident) <= 1


LOOP = """
from jax import random

def outer(keys, key):
    for i in range(10):
        sub = {expression}
        x = random.normal(sub)
    return x
"""


@pytest.mark.parametrize("expression", ["random.fold_in(key, i)", "keys[i]", "next(keys)", "random.split(keys[i])[0]"])
def test_a_key_made_in_each_pass_is_fresh(expression: str) -> None:
    assert marked_lines(LOOP.format(expression=expression)) == frozenset()


@pytest.mark.parametrize("expression", ["key", "keys[0]", "keys[-1]"])
def test_a_key_from_outside_the_loop_is_reused(expression: str) -> None:
    assert {rule for _, rule in marked_lines(LOOP.format(expression=expression))} == {"key-reuse-in-loop"}


SPLITS = """
import jax

def draw(key):
    left, right = jax.random.split(key, 2)
    return left, right, jax.random.split(key, {count})
"""


@pytest.mark.parametrize(
    ("count", "release", "said"),
    [
        ("3", None, ["splitting it again returns the same subkeys in JAX 0.5.0 and newer"]),
        ("2", None, ["splitting it again returns the same subkeys"]),
        ("3", "0.4.35", []),
        ("2", "0.4.35", ["splitting it again returns the same subkeys"]),
    ],
)
def test_splits_into_other_numbers_have_subkeys_in_common_since_0_5(
    count: str, release: str | None, said: list[str]
) -> None:
    found = diagnostics(SPLITS.format(count=count), target_jax=release)
    assert [finding.message.partition("; ")[2] for finding in found] == said


@pytest.mark.parametrize(("comment", "count"), [("# expect: key-reuse", 1), ("# the same numbers are wanted", 0)])
def test_the_name_of_a_rule_says_nothing_of_what_is_meant(comment: str, count: int) -> None:
    """A comment that names the rule is no word about equal numbers."""
    source = (
        f"import jax\n\ndef f(key):\n    a = jax.random.normal(key)\n    return a - jax.random.normal(key)  {comment}\n"
    )
    assert len(diagnostics(source, "key-reuse")) == count


def test_a_form_feed_ends_no_line() -> None:
    """Lines are those of Python, as a margin of a notebook's cell has it, too."""
    draw = "jax.random.normal(key)"
    source = f"import jax\n\f\ndef f(key):\n    a = {draw}\n    b = {draw}  # the same noise\n    return a, b\n"
    assert not diagnostics(source, "key-reuse")
    assert diagnostics(source.replace("  # the same noise", ""), "key-reuse")
