"""What observed runs and probes agree on, and what is told of functions that a library hides."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jaxlint.verify.observe.jit_expressions import jitted_at
from tests.verify.observing import ROOT, observe_code


def test_an_observed_run_and_a_probe_call_the_same_constants_large() -> None:
    pytest.importorskip("jax")
    from jaxlint.verify.probe.child.program_hazards import LARGE_CONSTANT

    text = (ROOT / "jaxlint/verify/observe/injected/_jaxlint_observer/events.py").read_text(encoding="utf-8")
    assert re.findall(r"^LARGE_CONSTANT = (.*)$", text, re.MULTILINE) == ["2**20"]
    assert LARGE_CONSTANT == 2**20


#: A wrapper of a library that hands JAX one function of its own, and the user's as a static argument.
LIBRARY = """
import functools, jax

def run(function, x):
    return function(x)

def jit(function):
    jitted = jax.jit(run, static_argnums=0)
    return functools.wraps(function)(lambda x: jitted(function, x))
"""


def test_what_a_library_hides_is_named_by_the_function_that_it_decorates(tmp_path: Path) -> None:
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "wrapping.py").write_text(LIBRARY, encoding="utf-8")
    code = """
import sys
sys.path.insert(0, "site-packages")
import jax.numpy as jnp
from wrapping import jit

@jit
def step(x):
    return x + 1

step(jnp.ones(1))
step(jnp.ones(2))
"""
    observed = observe_code(code, tmp_path, "--isolated")
    assert observed.code == 0, observed.err
    told = {f["name"]: (f["line"], f["traces"]) for f in observed.report["functions"] if f["path"] == "program.py"}
    assert told.get("step") == (8, 2), observed.report["functions"]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("jax.jit(model.init)(key, x)", "model.init"),
        ("y = jax.jit(static_argnums=0)(model.apply)", "model.apply"),
        ("y = partial(jax.jit, static_argnums=0)(model.apply)(key)", "model.apply"),
        ("y = other(jax.jit(model.apply), x)", "model.apply"),
    ],
)
def test_what_is_compiled_is_named_where_python_tells_only_the_line(written: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(f"{written}\n", encoding="utf-8")
    assert jitted_at(str(path), 1, None, "own") == (1, name)
