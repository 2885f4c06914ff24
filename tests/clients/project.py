"""The project that is opened in every editor, and the environment that its scenario runs in."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
#: Seconds for a whole scenario, on a slow machine that does other things too.
PATIENCE = 300

#: Letters of two and four bytes stand before a finding, so that its column differs by encoding.
SOURCE = '''\
"""A step with mistakes."""

import jax


# jaxlint: spec x=f32[3] n=i32[]
@jax.jit
def step(x, n):
    name = "𝛼é"; y = x * 2; y[0] = 1.0
    if n > 0:
        y = y + 1
    return y + len(name)


def draw(key, shape):
    first = jax.random.normal(key, shape)
    second = jax.random.normal(key, shape)
    return first + second


grid = jax.numpy.zeros((3, 4), "float32")
'''

#: A library that is not opened, and the caller that makes a mistake of it.
CLOSED = {
    "library.py": "def clipped(x, most):\n    if x > most:\n        return most\n    return x\n",
    "caller.py": "import jax\n\nimport library\n\nclip = jax.jit(library.clipped)\nclip(1.0, 2.0)\n",
}


def make_project(folder: Path) -> Path:
    """A project as the scenarios open it."""
    project = folder / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text('[project]\nname = "fixture"\n', encoding="utf-8")
    (project / "train.py").write_text(SOURCE, encoding="utf-8")
    for name, text in CLOSED.items():
        (project / name).write_text(text, encoding="utf-8")
    return project


def environment(folder: Path, project: Path) -> dict[str, str]:
    """A person's environment without their configuration, and what the script is to open, start and write."""
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "JAXLINT_FILE": str(project / "train.py"),
        "JAXLINT_ROOT": str(project),
        "JAXLINT_COMMAND": json.dumps([sys.executable, "-m", "jaxlint", "server"]),
        "JAXLINT_HAS_JAX": "yes" if importlib.util.find_spec("jax") else "",
        "JAXLINT_REPORT": str(folder / "report.json"),
    }
