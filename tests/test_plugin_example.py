"""The example of docs/plugins.md: installed as users install it, its own tests, and what the commands say of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "plugin"
ALLOW = ("--allow-plugins", "jaxlint-acme")
SETTINGS = '[tool.jaxlint]\nplugins = ["jaxlint-acme"]\n'
MISTAKE = "import jax\n\n\ndef dropout(x):\n    return x * jax.random.bernoulli(jax.random.key(0), 0.5, x.shape)\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process that has the example installed beside jaxlint."""
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target), str(EXAMPLE)]
    subprocess.run(command, check=True)
    return {**os.environ, "PYTHONPATH": f"{target}{os.pathsep}{ROOT}"}


def run(environment: dict[str, str], folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_its_own_tests_pass(installed: dict[str, str], tmp_path: Path) -> None:
    done = run(installed, tmp_path, "pytest", "-q", "-p", "no:cacheprovider", str(EXAMPLE / "test_jaxlint_acme.py"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


@pytest.mark.slow
def test_the_commands_know_its_rules(installed: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(SETTINGS, encoding="utf-8")
    (tmp_path / "model.py").write_text(MISTAKE, encoding="utf-8")
    refused = run(installed, tmp_path, "jaxlint", "check", "--output-format", "concise")
    assert (refused.returncode, "not allowed by you" in refused.stderr) == (0, True)
    allowed = run(
        installed, tmp_path, "jaxlint", "check", "--output-format", "concise", "--allow-plugins", "jaxlint-acme"
    )
    assert (
        "model.py:5:37: ACM001 key-made-in-function: `jax.random.key(0)` makes a key inside `dropout`" in allowed.stdout
    )
    listed = run(installed, tmp_path, "jaxlint", "rules", "acme", *ALLOW)
    assert ("ACM001" in listed.stdout, "ACM002" in listed.stdout) == (True, True)
    page = run(installed, tmp_path, "jaxlint", "explain", "ACM001", *ALLOW)
    assert "train(jax.random.key(seed))" in page.stdout


@pytest.mark.parametrize("name", ["pyproject.toml", "jaxlint_acme.py"])
def test_the_page_shows_the_files_as_they_are(name: str) -> None:
    page = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    assert (EXAMPLE / name).read_text(encoding="utf-8").strip() in page
