"""What is counted as lost when a file is checked with its package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ALONE = Path(__file__).resolve().parent.parent / "benchmarks" / "alone.py"
KEPT = """import jax

key = jax.random.key(0)
a = jax.random.normal(key)
b = jax.random.normal(key)
"""
REFUTED = """import jax
import jax.numpy as jnp
from settings import IN_PLACE

x = jnp.ones(3)
if IN_PLACE:
    x[0] = 2.0
"""


def test_what_is_kept_and_what_is_lost(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "settings.py").write_text("import jax\n\nIN_PLACE = False\n")
    (package / "kept.py").write_text(KEPT)
    (package / "refuted.py").write_text(REFUTED)
    run = subprocess.run([sys.executable, ALONE, package], capture_output=True, text=True, check=True)
    lost, counts = run.stdout.splitlines()
    assert lost == "package/refuted.py:7:5: in-place-item-assignment: lost"
    assert counts == "2 alone, 1 together, 1 kept, 1 lost"
