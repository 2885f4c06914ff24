"""The same bytes come out whatever the order of files and the number of processes; for jaxlint itself, nothing."""

from __future__ import annotations

import importlib.util
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rulebook_blocks import FIXTURES

ROOT = Path(__file__).resolve().parents[2]
#: Folders of installed packages, small and with code of many kinds.
SUBFOLDERS = ("optax/losses", "equinox/nn")


def check(*arguments: str | Path, cwd: Path) -> tuple[int, str]:
    command = [sys.executable, "-m", "jaxlint", "check", "--no-cache", "--output-format", "json", *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


def subfolder(name: str) -> Path | None:
    package, _, rest = name.partition("/")
    spec = importlib.util.find_spec(package)
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    return next((Path(folder) / rest for folder in folders if (Path(folder) / rest).is_dir()), None)


def assert_stable(folder: Path) -> None:
    files = sorted(folder.rglob("*.py"))
    expected = check("--min-confidence", "possible", "--jobs", "1", *files, cwd=folder)
    shuffled = random.Random(folder.name).sample(files, len(files))
    assert check("--min-confidence", "possible", "--jobs", "2", *shuffled, cwd=folder) == expected


@pytest.mark.slow
def test_fixtures_in_any_order() -> None:
    assert_stable(FIXTURES)


@pytest.mark.slow
@pytest.mark.parametrize("name", SUBFOLDERS)
def test_packages_in_any_order(name: str) -> None:
    folder = subfolder(name)
    if folder is None:
        pytest.skip(f"{name} is not installed")
    assert_stable(folder)


@pytest.mark.slow
def test_the_linter_finds_nothing_in_itself() -> None:
    status, report = check("jaxlint", cwd=ROOT)
    assert status == 0, report
