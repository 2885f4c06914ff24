"""Editors that run without a display on one file of a project, and the report that the script of each writes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Editor:
    """An editor: its program, the arguments that make it run its script and end, and where Debian has it."""

    name: str
    program: str
    arguments: tuple[str, ...]
    package: str

    @property
    def missing(self) -> str:
        """Why it cannot be run here; empty where it can."""
        return (
            ""
            if shutil.which(self.program)
            else f"{self.program} is not installed (Debian: apt install {self.package})"
        )

    def run(self, folder: Path) -> dict[str, Any]:
        """What its script reports, after the editor ended by itself. The folder is empty and stays."""
        project = folder / "project"
        project.mkdir()
        (project / "pyproject.toml").write_text('[project]\nname = "fixture"\n', encoding="utf-8")
        (project / "train.py").write_text(SOURCE, encoding="utf-8")
        done = subprocess.run(
            [self.program, *self.arguments],
            cwd=project,
            env=_environment(folder, project),
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=PATIENCE,
        )
        report = folder / "report.json"
        assert report.exists(), done.stdout + done.stderr
        return dict(json.loads(report.read_text(encoding="utf-8")))


def _environment(folder: Path, project: Path) -> dict[str, str]:
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
        "JAXLINT_REPORT": str(folder / "report.json"),
    }


EDITORS = (
    Editor(
        "Neovim",
        "nvim",
        ("--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {HERE / 'neovim.lua'}"),
        "neovim",
    ),
    Editor(
        "Emacs",
        "emacs",
        ("--batch", "-q", "--eval", "(package-initialize)", "-l", str(HERE / "eglot.el")),
        "emacs-nox elpa-eglot",
    ),
)
