"""Each rule of the plug-in on a few lines; `pip install .` first, and run it with pytest."""

from __future__ import annotations

from pathlib import Path

import jaxlint

SOURCE = """\
import jax
import jax.numpy as jnp


def dropout(x):
    key = jax.random.key(0)
    return x * jax.random.bernoulli(key, 0.5, x.shape)


@jax.jit
def power(x):
    for _ in range(1000):
        x = jnp.sin(x) * 2.0
    return x


def main():
    key = jax.random.key(0)
    return jax.random.normal(key) + power(jnp.ones(3))
"""


def findings(folder: Path, source: str) -> list[tuple[str, int]]:
    """Rule and line of what the plug-in reports."""
    (folder / "model.py").write_text(source, encoding="utf-8")
    result = jaxlint.check(
        folder,
        select=["acme"],
        config=['plugins = ["jaxlint-acme"]'],
        allow_plugins=["jaxlint-acme"],
        isolated=True,
        cache=False,
    )
    assert result.warnings == ()
    return [(found.rule, found.span.line) for found in result.diagnostics]


def test_rules(tmp_path: Path) -> None:
    assert findings(tmp_path, SOURCE) == [("key-made-in-function", 6), ("long-unrolled-loop", 12)]


def test_short_loops_are_fine(tmp_path: Path) -> None:
    assert findings(tmp_path, SOURCE.replace("1000", "4").replace("dropout", "main")) == []
