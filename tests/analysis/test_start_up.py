"""What a module does as it is imported, as seen from the modules that import it."""

from __future__ import annotations

from pathlib import Path

import pytest

import jaxlint

RULES = """\
import jax
import jax.numpy as jnp

def length(x):
    return jnp.linalg.norm(x) + jnp.zeros(())

@jax.custom_vjp
def safe_length(x):
    return length(x)

def forward(x):
    return length(x), x

def backward(x, cotangent):
    return (cotangent * x / jnp.maximum(length(x), 1e-6),)

safe_length.defvjp(forward, backward)
"""
MAIN = """\
import jax
from rules import safe_length
jax.config.update("jax_enable_x64", True)
"""


@pytest.mark.parametrize(("made", "found"), [("", []), ("ONE = length(jnp.ones(2))\n", ["late-config"])])
def test_derivative_rules_are_registered_and_not_run(tmp_path: Path, made: str, found: list[str]) -> None:
    (tmp_path / "rules.py").write_text(RULES + made)
    (tmp_path / "main.py").write_text(MAIN)
    result = jaxlint.check([str(tmp_path)], isolated=True)
    assert [each.rule for each in result.diagnostics] == found
