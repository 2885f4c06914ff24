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


SETTINGS = """\
import os

def configure():
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
"""
SCRIPT = """\
import os
import jax
from {module} import configure

print(jax.devices())
os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
"""


@pytest.mark.parametrize(("module", "found"), [("settings", ["possible"]), ("nothing", ["certain"])])
def test_a_variable_that_an_import_sets_too_may_have_its_value(tmp_path: Path, module: str, found: list[str]) -> None:
    (tmp_path / "settings.py").write_text(SETTINGS)
    (tmp_path / "nothing.py").write_text("def configure():\n    pass\n")
    (tmp_path / "main.py").write_text(SCRIPT.format(module=module))
    result = jaxlint.check([str(tmp_path)], isolated=True, min_confidence="possible", select=["late-config"])
    assert [each.confidence.value for each in result.diagnostics] == found


@pytest.mark.parametrize(("value", "found"), [("False", []), ("0", []), ("1", ["late-config"])])
def test_turning_off_what_is_off_changes_nothing(tmp_path: Path, value: str, found: list[str]) -> None:
    (tmp_path / "main.py").write_text(f'import os\nimport jax\nos.environ["JAX_ENABLE_X64"] = "{value}"\n')
    result = jaxlint.check([str(tmp_path)], isolated=True)
    assert [each.rule for each in result.diagnostics] == found
