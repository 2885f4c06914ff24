"""What a test tells about the names in it, as seen by `why` behind the test."""

from __future__ import annotations

import pytest

from tests.analysis.places import kinds

OPTIONAL = """
import jax.numpy as jnp

def pick(flag):
    value = None
    if flag:
        value = jnp.ones(3)
    {test}
        return value
    return None
"""
NONE, ARRAY = "None", "JAX array, float[3]"


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("if value is None:", NONE),
        ("if value is not None:", ARRAY),
        ("if not (value is None):", ARRAY),
        ("if value is not None and flag:", ARRAY),
        ("if not (value is None or flag):", ARRAY),
        ("while value is not None:", ARRAY),
        ("if (other := flag) and value is None:", NONE),
        ("if value is None or flag:", "one of: None, JAX array float[3]"),
    ],
)
def test_none_is_told_apart(test: str, expected: str) -> None:
    assert kinds(OPTIONAL.format(test=test), 8, 16) == {"value": [expected]}


def test_an_early_return_narrows_the_rest() -> None:
    text = OPTIONAL.format(test="if value is None:").replace("return None", "return value")
    assert kinds(text, 9, 12) == {"value": [ARRAY]}


def test_an_assertion_narrows_the_rest() -> None:
    text = OPTIONAL.format(test="assert value is not None\n    if flag:")
    assert kinds(text, 9, 16) == {"value": [ARRAY]}


def test_a_conditional_expression_narrows_its_sides() -> None:
    text = OPTIONAL.format(test="if other:").replace("return None", "return 0 if value is None else value")
    assert kinds(text, 9, 36)["value"] == [ARRAY]


def test_the_same_flag_goes_the_same_way() -> None:
    text = OPTIONAL.format(test="if flag:").replace("return None", "return value")
    assert kinds(text, 8, 16) == {"value": [ARRAY]}
    assert kinds(text, 9, 12) == {"value": [NONE]}


def test_a_flag_that_is_assigned_again_may_go_the_other_way() -> None:
    text = OPTIONAL.format(test="flag = not flag\n    if flag:")
    assert kinds(text, 9, 16) == {"value": ["one of: None, JAX array float[3]"]}


def test_an_assignment_undoes_it() -> None:
    text = OPTIONAL.format(test="if value is None:\n        value = flag()")
    assert "None" not in kinds(text, 9, 16)["value"]


INSTANCE = """
import jax
import numpy as np

@jax.jit
def step(x):
    if isinstance(x, {cls}):
        return x
    else:
        y = x
    return 0
"""


@pytest.mark.parametrize("cls", ["int", "(int, float)", "str"])
def test_a_traced_value_is_no_python_number(cls: str) -> None:
    text = INSTANCE.format(cls=cls).replace("def step(x):", "def step(x):\n    x = x + 1")
    assert kinds(text, 8, 16) == {}
    assert list(kinds(text, 10, 13)) == ["x"]


def test_a_traced_value_is_an_instance_of_array() -> None:
    text = INSTANCE.format(cls="jax.Array").replace("def step(x):", "def step(x):\n    x = x + 1")
    assert list(kinds(text, 8, 16)) == ["x"]
    assert kinds(text, 10, 13) == {}
