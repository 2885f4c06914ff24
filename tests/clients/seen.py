"""One editor, run without a display on one file of a project, and the report that its script writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
#: Seconds for a whole scenario, on a slow machine that does other things too.
PATIENCE = 300

#: Letters of two and four bytes stand before a finding, so that its column differs by encoding.
SOURCE = '''\
"""A step with mistakes."""

import jax


@jax.jit
def step(x, n):
    name = "𝛼é"; y = x * 2; y[0] = 1.0
    if n > 0:
        y = y + 1
    return y, name


def draw(key, shape):
    first = jax.random.normal(key, shape)
    second = jax.random.normal(key, shape)
    return first + second
'''
FIXED = SOURCE.replace("y[0] = 1.0", "y = y.at[0].set(1.0)")
#: Code, line and column of what is found, from 1, in characters.
FOUND = [("JX101", 8, 29), ("JX301", 9, 8), ("JX201", 16, 14)]
TYPED = "def again(key):\n    return jax.random.normal(key) + jax.random.normal(key)\n"


def run_editor(command: Sequence[str], folder: Path) -> dict[str, Any]:
    """What the editor's script reports of its scenario, after it ended by itself."""
    project = folder / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text('[project]\nname = "fixture"\n', encoding="utf-8")
    (project / "train.py").write_text(SOURCE, encoding="utf-8")
    server = [sys.executable, "-m", "jaxlint", "server"]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "JAXLINT_FILE": str(project / "train.py"),
        "JAXLINT_ROOT": str(project),
        "JAXLINT_COMMAND": json.dumps(server),
        "JAXLINT_REPORT": str(folder / "report.json"),
    }
    done = subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    report = folder / "report.json"
    assert report.exists(), done.stdout + done.stderr
    seen = json.loads(report.read_text(encoding="utf-8"))
    assert "failure" not in seen, seen["failure"]
    return dict(seen)


def places(diagnostics: Sequence[dict[str, Any]]) -> list[tuple[str, int, int]]:
    """Code, line and column of each diagnostic of a report."""
    return [(one["code"], one["line"], one["column"]) for one in diagnostics]
