"""The labelled notebooks: what is marked is found and nothing else, they run as they say, fixes keep them valid."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

CASES = Path(__file__).resolve().parents[1] / "benchmarks" / "cases" / "notebooks"
NOTEBOOKS = sorted(CASES.glob("*.ipynb"))


def run(*command: str | Path, cwd: Path = CASES.parents[2]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], cwd=cwd, capture_output=True, text=True, check=False)


def test_marks_are_found_and_nothing_else() -> None:
    command = f"{sys.executable} -m jaxlint"
    done = run(CASES / "score_notebooks.py", "--jaxlint", command, "--min-strict", "1", "--max-alarms", "0")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("recall 12 of 12 marks in 10 notebooks; 0 reports")


def test_each_mistake_has_a_corrected_twin() -> None:
    names = {path.stem for path in NOTEBOOKS}
    bad = {name.removesuffix("_bad") for name in names if name.endswith("_bad")}
    assert len(bad) == 10
    assert {f"{name}_good" for name in bad} <= names


@pytest.mark.jax
@pytest.mark.slow
def test_they_run_as_they_say() -> None:
    done = run(CASES / "run_on_jax.py")
    assert done.returncode == 0, done.stderr


def test_fixed_notebooks_are_valid(tmp_path: Path) -> None:
    """All fixes that there are, in all notebooks: outside of sources, nothing changes."""
    for path in NOTEBOOKS:
        shutil.copy(path, tmp_path)
    done = run("-m", "jaxlint", "check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", tmp_path)
    assert "error:" not in done.stderr
    changed = 0
    for path in NOTEBOOKS:
        before, after = (json.loads((folder / path.name).read_text("utf-8")) for folder in (CASES, tmp_path))
        nbformat.validate(nbformat.from_dict(after))
        changed += before != after
        for one, other in zip(before["cells"], after["cells"], strict=True):
            one["source"] = other["source"]
        assert before == after
        written = json.dumps(after, indent=1, ensure_ascii=False) + "\n"
        assert (tmp_path / path.name).read_text("utf-8") == written, "the layout is that of the case"
    assert changed == 9
