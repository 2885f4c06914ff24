"""Programs of several modules, under tests/projects: what is marked is found, fails on JAX, and nothing else is."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECTS = sorted(path.parent for path in (Path(__file__).parent / "projects").glob("*/prove.py"))
Found = frozenset[tuple[str, int, str]]

each_project = pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)


def _marks(project: Path) -> Found:
    found: set[tuple[str, int, str]] = set()
    for path in project.rglob("*.py"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            mark = re.search(r"# expect: ([a-z0-9, -]+)$", line)
            if mark:
                found.update((path.relative_to(project).as_posix(), number, slug) for slug in mark[1].split(", "))
    return frozenset(found)


def _check(project: Path, *arguments: str) -> str:
    # A folder of tests is no place where the random family would be quiet here.
    command = [sys.executable, "-m", "jaxlint", "check", "--no-cache", "--config", "tests = []"]
    done = subprocess.run(
        [*command, "--output-format", "json", *arguments], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def _found(output: str) -> Found:
    return frozenset((d["path"], d["line"], d["rule"]) for d in json.loads(output)["diagnostics"])


@each_project
def test_what_is_marked_is_found_and_nothing_else(project: Path) -> None:
    assert _found(_check(project, ".")) == _marks(project)


@each_project
def test_jax_agrees(project: Path) -> None:
    run = "import warnings; warnings.simplefilter('ignore'); import prove; prove.prove()"
    done = subprocess.run([sys.executable, "-c", run], cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@each_project
def test_the_order_of_files_and_the_number_of_processes_are_no_matter(project: Path) -> None:
    files = sorted(path.relative_to(project).as_posix() for path in project.rglob("*.py"))
    whole = _check(project, "-j", "1", *files)
    random.Random(project.name).shuffle(files)
    assert _check(project, "-j", "2", *files) == whole
    assert _check(project, "-j", "2", ".") == whole


@each_project
def test_a_file_on_its_own_says_nothing_new(project: Path) -> None:
    """An operation in a file that is not checked is shown at the call that leads to it, and keeps its fingerprint."""
    whole = _fingerprints(_check(project, "."))
    for path in sorted(project.rglob("*.py")):
        assert _fingerprints(_check(project, path.relative_to(project).as_posix())) <= whole


def _fingerprints(output: str) -> set[tuple[str, str]]:
    return {(d["rule"], d["fingerprint"]) for d in json.loads(output)["diagnostics"]}
