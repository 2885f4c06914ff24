"""What users install: the wheel and the sdist, in an environment that has neither JAX nor this checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MISTAKE = """\
import jax


@jax.jit
def relu(x: jax.Array) -> jax.Array:
    if x > 0:
        return x
    return 0 * x
"""


@dataclass(frozen=True)
class Environment:
    """A fresh virtual environment, and a folder outside the checkout to work in."""

    python: Path
    folder: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return subprocess.run(
            [str(self.python), *arguments], cwd=self.folder, env=variables, capture_output=True, text=True, check=False
        )

    def install(self, archive: Path) -> None:
        done = self.run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(archive))
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sdist, and the wheel built from it, by suffix."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return {"".join(path.suffixes[-2:])[-3:]: path for path in folder.iterdir()}


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    folder = tmp_path / "work"
    folder.mkdir()
    return Environment(tmp_path / "venv" / "bin" / "python", folder)


def slugs(pages: Sequence[str], folder: str) -> set[str]:
    return {Path(name).stem for name in pages if f"{folder}/" in name and name.endswith(".md")}


def rulebook() -> set[str]:
    return {path.stem for path in (ROOT / "rules").rglob("*.md")}


def test_the_archives_hold_the_rulebook(distributions: dict[str, Path]) -> None:
    with zipfile.ZipFile(distributions["whl"]) as wheel:
        names = wheel.namelist()
    assert slugs(names, "jaxlint/rulebook_pages") == rulebook()
    assert "jaxlint/py.typed" in names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"jaxlint", "jaxlint_dataflow"}
    with tarfile.open(distributions[".gz"]) as sdist:
        members = sdist.getnames()
    assert slugs(members, "rules") == rulebook()
    assert not [name for name in members if "/corpus/" in name]


@pytest.mark.parametrize("suffix", ["whl", ".gz"])
def test_check_and_explain_work_without_jax(
    distributions: dict[str, Path], environment: Environment, suffix: str
) -> None:
    environment.install(distributions[suffix])
    assert environment.run("-c", "import jax").returncode != 0
    (environment.folder / "model.py").write_text(MISTAKE, encoding="utf-8")

    checked = environment.run("-m", "jaxlint", "check", "--output-format", "json", ".")
    assert checked.returncode == 1, checked.stderr
    assert [(d["rule"], d["line"]) for d in json.loads(checked.stdout)["diagnostics"]] == [("traced-branch", 6)]

    explained = environment.run("-m", "jaxlint", "explain", "traced-branch")
    assert explained.returncode == 0, explained.stderr
    assert "traced-branch" in explained.stdout
