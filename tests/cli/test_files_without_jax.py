"""Files that do not name JAX are checked where a module of the project that uses JAX stands behind them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command_line import project, real_jaxlint_here

BRANCH = "def f(x):\n    if x > 0:\n        return x\n    return -x\n"
FILES = {
    "pyproject.toml": "",
    "pkg/__init__.py": "",
    "pkg/compat.py": "import jax\n\n\ndef compiled(f):\n    return jax.jit(f)\n",
    "pkg/between.py": "from pkg.compat import compiled\nLINENO = 1\n",  # a word that only looks like a library's
    "pkg/beyond.py": "from pkg import between\n",
    "pkg/near.py": f"from .compat import compiled\n\n\n@compiled\n{BRANCH}",
    "pkg/far.py": f"from . import beyond\n\n\n@beyond.between.compiled\n{BRANCH}",
    "pkg/other.py": f"import os\n\nfrom . import plain\n\n\n@plain.compiled\n{BRANCH}",
    "pkg/plain.py": "def compiled(f):\n    return f\n",
}
FOUND = [("pkg/far.py", 6, "traced-branch"), ("pkg/near.py", 6, "traced-branch")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return project(tmp_path, FILES)


def found(folder: Path, *paths: str) -> list[tuple[str, int, str]]:
    return real_jaxlint_here("check", "--output-format", "json", *paths, cwd=folder).found


def test_files_that_use_jax_through_the_project_are_checked(folder: Path) -> None:
    assert found(folder, ".", "--no-cache") == FOUND


@pytest.mark.parametrize("path", ["pkg/near.py", "pkg/far.py", "pkg/other.py"])
def test_so_are_they_alone(folder: Path, path: str) -> None:
    assert found(folder, path, "--no-cache") == [each for each in FOUND if each[0] == path]


def test_the_cache_knows_what_stands_behind_them(folder: Path) -> None:
    assert found(folder, "pkg/far.py", "pkg/other.py") == FOUND[:1]
    project(folder, {"pkg/compat.py": "def compiled(f):\n    return f\n"})
    assert found(folder, "pkg/far.py", "pkg/other.py") == []
    project(folder, {"pkg/plain.py": "from jax import jit as compiled\n"})
    assert found(folder, "pkg/far.py", "pkg/other.py") == [("pkg/other.py", 8, "traced-branch")]
    project(folder, {"pkg/compat.py": FILES["pkg/compat.py"]})
    assert found(folder) == [*FOUND, ("pkg/other.py", 8, "traced-branch")]
    project(folder, {"pkg/new.py": "x = 1\n"})
    assert found(folder) == [*FOUND, ("pkg/other.py", 8, "traced-branch")]
