"""The benchmark of planted mistakes: where it plants, what it writes, and that it counts what is found and missed."""

from __future__ import annotations

import ast
import random
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"

SCRIPT = '''
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(x):
    """One step."""
    y = jnp.sin(x)
    return helper(y)


def helper(x):
    z = jnp.sum(x) + 1.0
    return z


def eager(x):
    w = jnp.sum(x)
    return w


def draw(key):
    first, second = jax.random.split(key)
    return jax.random.normal(first), jax.random.normal(second)


def loop(key, n):
    out = []
    for _ in range(n):
        key, subkey = jax.random.split(key)
        out.append(jax.random.normal(subkey))
    return out
'''


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import planted
    import planted_program
    import planted_sites
    import planted_traced

    yield planted, planted_program, planted_sites, planted_traced
    for name in ("planted", "planted_program", "planted_sites", "planted_traced", "roundtrip_sites", "corpus_files"):
        sys.modules.pop(name, None)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    return tmp_path


def sites_of(benchmark, folder):
    _, planted_program, planted_sites, planted_traced = benchmark
    program = planted_program.Program(folder, sorted(folder.glob("*.py")))
    return list(planted_sites.sites(program, planted_traced.Traces(program), folder))


def test_tracing_mistakes_are_planted_where_code_is_traced(benchmark, folder):
    found = {(site.function, site.depth) for site in sites_of(benchmark, folder) if site.operator == "float()"}
    assert found == {("step", 0), ("helper", 1)}


def test_keys_are_planted_by_what_the_code_does_with_them(benchmark, folder):
    found = {(site.function, site.operator) for site in sites_of(benchmark, folder) if "key-reuse" in site.rules}
    assert found == {("draw", "half used twice, draws"), ("loop", "no split in a loop, draws")}


def test_lines_are_those_of_the_mistakes(benchmark, folder):
    planted = benchmark[0]
    chosen = [site for site in sites_of(benchmark, folder) if site.operator in ("float()", "half used twice, draws")]
    text, lines = planted.planted(SCRIPT, chosen)
    ast.parse(text)
    shown = [{text.splitlines()[line - 1].strip() for line in each} for each in lines]
    assert shown == [
        {"planted = float(y.mean())"},
        {"planted = float(z.mean())"},
        {"return jax.random.normal(first), jax.random.normal(first)"},
    ]


def test_what_is_found_and_what_is_missed(benchmark, folder):
    verdicts = benchmark[0].check(folder, 1, random.Random(1), 10)
    assert {verdict.site.function: verdict.outcome for verdict in verdicts} == dict.fromkeys(
        ("step", "helper", "eager", "draw", "loop"), "found"
    )


def test_what_is_called_in_ways_that_nobody_sees_is_left_out(benchmark, folder):
    unseen = SCRIPT.replace("return helper(y)", "return getattr(np, 'helper', helper)(y)")
    (folder / "script.py").write_text(unseen)
    assert {site.function for site in sites_of(benchmark, folder) if site.depth is not None} == {"step"}
