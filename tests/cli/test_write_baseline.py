"""Where `--write-baseline` writes, and what it says then."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from jaxlint.files.atomic_write import replace_file
from tests.cli.command_line import Finished, jaxlint_here, project


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with a finding, of the stand-in analysis."""
    (tmp_path / ".git").mkdir()
    return project(tmp_path, {"a.py": "import jax\nSAFE\n"}) or tmp_path


def check(folder: Path, *arguments: str) -> Finished:
    return jaxlint_here("check", *arguments, cwd=folder)


def test_the_setting_that_a_new_baseline_asks_for(folder: Path) -> None:
    (folder / "ci").mkdir()
    project(folder, {"pyproject.toml": ""})
    said = check(folder, "--write-baseline=ci/known.json").err
    assert "--baseline ci/known.json" in said
    assert '`baseline = "ci/known.json"` to [tool.jaxlint] in pyproject.toml.' in said
    project(folder, {"jaxlint.toml": "jobs = 1\n"})
    said = check(folder / "ci", "--write-baseline=known.json", "..").err
    assert "--baseline known.json" in said
    assert '`baseline = "ci/known.json"` to the top of jaxlint.toml.' in said
    project(folder, {"jaxlint.toml": 'baseline = "ci/known.json"\n'})
    assert check(folder).out == "No problems found in 1 file (1 in the baseline).\n"


def test_what_the_check_says_of_itself_is_no_known_finding(folder: Path) -> None:
    project(folder, {"b.py": "import jax\nx = 1  # jaxlint: ignore[key-reuse]\n"})
    check(folder, "--write-baseline=known.json")
    rows = json.loads((folder / "known.json").read_text())["findings"]
    assert [row["path"] for row in rows] == ["a.py"]
    assert "JXE05 unused-suppression" in check(folder, "--baseline", "known.json").out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_baseline_takes_no_pipe_s_place(folder: Path) -> None:
    pipe = folder / "known"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    assert check(folder, "--write-baseline=known").code == 0
    assert json.loads(os.read(reader, 60_000))["jaxlint_baseline"] == 2
    os.close(reader)
    with pytest.raises(OSError, match="not a regular file"):
        replace_file(str(pipe), b"")
    assert pipe.is_fifo()
