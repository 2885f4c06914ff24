"""Gates: what a program may trace, on the command line, in the settings, and in tests by the pytest plug-in."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.verify.observing import PYTHON, ROOT, verify

PROGRAM = """
import jax, jax.numpy as jnp

@jax.jit
def step(x):
    return x + 1

for n in range(1, 4):
    step(jnp.ones(n))
"""


@pytest.mark.parametrize(("allowed", "code"), [(1, 1), (2, 0)])
def test_recompilations_are_limited(tmp_path: Path, allowed: int, code: int) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    done = verify("--isolated", "--max-recompiles", str(allowed), "--", PYTHON, "program.py", cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert ("2 recompilations, and --max-recompiles allows 1" in done.stderr) is bool(code)


@pytest.mark.parametrize(("name", "budget", "code"), [("program.step", 2, 1), ("step", 3, 0), ("other.step", 1, 0)])
def test_a_function_has_a_budget(tmp_path: Path, name: str, budget: int, code: int) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    settings = f'[tool.jaxlint.verify.budgets]\n"{name}" = {budget}\n'
    (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
    done = verify("--", PYTHON, "program.py", cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert ("`step` was traced 3 times, and its budget allows 2" in done.stderr) is bool(code)


def test_a_budget_is_a_number(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[tool.jaxlint.verify.budgets]\nstep = 'few'\n", encoding="utf-8")
    done = verify("--", PYTHON, "program.py", cwd=tmp_path)
    assert done.returncode == 2
    assert "expected how often it may be traced, such as 1" in done.stderr


TESTS = """
import jax, jax.numpy as jnp
import pytest

@jax.jit
def step(x):
    return x + 1

@jax.jit
def other(x):
    return x

@pytest.mark.max_traces(1)
def test_within():
    step(jnp.ones(1))
    step(jnp.ones(1))

@pytest.mark.max_traces(1)
def test_over():
    step(jnp.ones(2))
    step(jnp.ones(3))

@pytest.mark.max_traces(1, name="other")
def test_of_another():
    step(jnp.ones(4))
    step(jnp.ones(5))

@pytest.mark.max_traces(1)
def test_within_again():
    step(jnp.ones(5))

def test_counts(jaxlint_traces):
    other(jnp.ones(2))
    other(jnp.ones(2))
    assert jaxlint_traces["other"] == 1
    assert jaxlint_traces["step"] == 0
"""


def run_pytest(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(TESTS, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "jaxlint.verify.pytest_plugin", *options]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def test_the_plug_in_limits_and_counts(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "--jaxlint", "-W", "error", "--jaxlint-html", "page.html")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 4 passed" in done.stdout
    reason = "`step` 2 times (shape, x: f32[2] -> f32[3] at line 21)"
    assert f"traced more often than max_traces(1) allows: {reason}" in done.stdout
    assert "test_it.py::test_over  1 recompilation" in done.stdout
    assert "incomplete" not in done.stdout
    assert (tmp_path / "page.html").read_text().lower().startswith("<!doctype html>")


@pytest.mark.parametrize(
    "order", [(), ("test_it.py::test_over",), ("test_it.py::test_of_another", "test_it.py::test_over")]
)
def test_the_marker_needs_no_option_and_no_order(tmp_path: Path, order: tuple[str, ...]) -> None:
    done = run_pytest(tmp_path, *order)
    assert "1 failed" in done.stdout, done.stdout + done.stderr
    assert "`step` 2 times (shape, x: f32[2] -> f32[3] at line 21)" in done.stdout
    assert "jaxlint verify" not in done.stdout


def test_recompilations_in_tests_are_limited(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "--jaxlint-max-recompiles", "0", "-k", "within or another")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "3 passed" in done.stdout
    assert "1 recompilation, and --jaxlint-max-recompiles allows 0" in done.stdout


def test_tests_that_ask_for_nothing_import_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_plain.py").write_text("import sys\n\n\ndef test_it():\n    print(sorted(sys.modules))\n")
    done = run_pytest(tmp_path, "-s", "test_plain.py")
    ours = re.findall(r"'(jaxlint[\w.]*)'", done.stdout)
    assert ours == ["jaxlint", "jaxlint.verify", "jaxlint.verify.marked_tests", "jaxlint.verify.pytest_plugin"]
