"""The public interface: what is imported when, what a check and a block report, and how mistakes are told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import jaxlint

BAD = "import jax\n\n\ndef f(key):\n    return jax.random.normal(key), jax.random.normal(key)\n"


def run(folder: Path, code: str) -> str:
    (folder / "program.py").write_text(code)
    command = [sys.executable, "-W", "error", "program.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_the_package_imports_nothing() -> None:
    code = "import sys, jaxlint; print([n for n in sys.modules if n.startswith('jaxlint')], dir(jaxlint)[-2:])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['jaxlint'] ['check', 'observe']\n"


def test_a_check_is_what_the_command_finds(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BAD)
    result = jaxlint.check(tmp_path, isolated=True, cache=False)
    assert [(d.rule, d.span.line, d.path) for d in result.diagnostics] == [("key-reuse", 5, str(tmp_path / "a.py"))]
    assert jaxlint.check([tmp_path], ignore=["random"], isolated=True, cache=False).diagnostics == ()
    with pytest.raises(jaxlint.ConfigError, match="unknown rule"):
        jaxlint.check(tmp_path, select=["nonsense"], isolated=True)


@pytest.mark.jax
def test_a_process_that_uses_jax_is_not_forked(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BAD)
    code = """
import jax, jaxlint
jax.numpy.ones(3)
print([d.rule for d in jaxlint.check("a.py", isolated=True, cache=False).diagnostics])
try:
    jaxlint.check("absent.py", isolated=True)
except jaxlint.ConfigError as error:
    print(error)
"""
    assert run(tmp_path, code).splitlines()[0] == "['key-reuse']"


@pytest.mark.jax
def test_each_block_reports_what_it_adds(tmp_path: Path) -> None:
    code = """
import jaxlint

with jaxlint.observe() as none:
    import jax
    import jax.numpy as jnp

double = jax.jit(lambda x: x * 2)
double(jnp.ones(2))
with jaxlint.observe() as first:
    double(jnp.ones(2)), double(jnp.ones(3)), double(jnp.ones(4))
with jaxlint.observe() as second:
    double(jnp.ones(4)), double(jnp.ones(5))
    with jaxlint.observe() as inner:
        double(jnp.ones(5))
print([r.recompilations for r in (none, first, second, inner)], first.traces, second.functions[0].misses[0].difference)
print("f32[4] -> f32[5]" in second.text(), second.html()[:15], '"schema_version"' in second.json())
"""
    lines = run(tmp_path, code).splitlines()
    assert lines[0].startswith("[0, 2, 1, 0] {'<lambda>': 2} Difference(reason='shape', argument='x'")
    assert lines[1] == "True <!DOCTYPE html> True" or lines[1] == "True <!doctype html> True"
