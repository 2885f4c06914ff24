"""Errors in code that tests run: they pass, as a rule, so that such a finding is possible only."""

from __future__ import annotations

import pytest

from jaxlint.diagnostics import Confidence
from tests.linting import diagnostics

CODE = """
import jax
import jax.numpy as jnp
import pytest


def positive(x):
    if x > 0:
        return x
    return -x

{0}
"""
PASSES = "def test_it():\n    assert jax.jit(positive)(1.0) == 1"
LEFT_OUT = f"@pytest.mark.skip(reason='it fails')\n{PASSES}"
EXPECTED_TO_FAIL = f"@pytest.mark.xfail\n{PASSES}"
NO_TEST = "def test_step(x):\n    return jax.jit(positive)(x)"
ALSO_ELSEWHERE = f"run = jax.jit(positive)\nrun(2.0)\n\n\n{PASSES}"
IN_A_CLASS = (
    "class TestIt:\n    def test_it(self):\n        jnp.allclose(1, 1)\n        assert_equal(jax.jit(positive)(1.0), 1)"
)


@pytest.mark.parametrize("code", [PASSES, IN_A_CLASS])
def test_what_a_test_alone_reaches_is_possible(code: str) -> None:
    assert not diagnostics(CODE.format(code), "traced-branch")
    [found] = diagnostics(CODE.format(code), "traced-branch", confidence=Confidence.POSSIBLE)
    assert "a test runs this code" in found.notes[-1].message


@pytest.mark.parametrize("code", [LEFT_OUT, EXPECTED_TO_FAIL, NO_TEST, ALSO_ELSEWHERE])
def test_what_no_test_passes_or_other_code_reaches_stays(code: str) -> None:
    [found] = diagnostics(CODE.format(code), "traced-branch")
    assert found.confidence is not Confidence.POSSIBLE


def test_what_raises_nothing_stays_in_tests() -> None:
    code = "def test_it():\n    x = jnp.ones(3)\n    x.at[0].set(2)\n    assert x.sum() == 3"
    assert diagnostics(CODE.format(code), "discarded-at-update")
