"""Faults in the middle of things: whatever happens, files hold what they held or what they should, and codes say so."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command_line import listen_to_interrupts, project, real_jaxlint_here

ROOT = Path(__file__).resolve().parents[2]
BAD = "import jax\n\n\n@jax.jit\ndef f(x):\n    x[0] = 1\n    print(x)\n    return x\n\n\nf(jax.numpy.ones(3))\n"
FIX = ("check", "--fix", "--unsafe-fixes", "--no-cache", "-j1")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A project that any user may reach and change."""
    where = Path(tempfile.mkdtemp())
    where.chmod(0o777)
    yield project(where, {f"m{number:02}.py": BAD for number in range(8)})
    shutil.rmtree(where)


def started(folder: Path, *arguments: str, **options) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "jaxlint", *arguments]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(folder)}
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


def finished(folder: Path, *arguments: str, **options) -> tuple[int, str, str]:
    process = started(folder, *arguments, **options)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def texts(folder: Path) -> set[str]:
    return {path.read_text() for path in folder.glob("*.py")}


@pytest.fixture
def mended(folder: Path) -> str:
    """What each file holds once it is fixed; the folder is as it was."""
    copy = folder / "copy"
    copy.mkdir()
    (copy / "m.py").write_text(BAD)
    finished(copy, *FIX)
    text = (copy / "m.py").read_text()
    shutil.rmtree(copy)
    assert text != BAD
    return text


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_run_that_is_ended_leaves_whole_files(folder: Path, mended: str, number: signal.Signals) -> None:
    rng = random.Random(7)
    for _ in range(4):
        process = started(folder, *FIX, preexec_fn=listen_to_interrupts)
        time.sleep(rng.uniform(0.15, 1.6))
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        assert texts(folder) <= {BAD, mended}
        assert "Traceback" not in err
        assert process.returncode in (-number, 130, 0, 1)
    assert finished(folder, *FIX)[0] in (0, 1)
    assert texts(folder) == {mended}


def test_a_full_disk_changes_nothing(folder: Path) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

    code, _, err = finished(folder, "check", "--fix", "--unsafe-fixes", preexec_fn=small_files)
    assert code == 2
    assert texts(folder) == {BAD}
    assert "m00.py: cannot be written: file too large" in err
    assert not list(folder.glob(".jaxlint-*"))
    code, _, err = finished(folder, "check", preexec_fn=small_files)
    assert code == 1
    assert err.count("\n") == 1
    assert "cache" in err


def test_a_tree_that_may_only_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulated, so that it shows something to root as well, who may write everywhere."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    monkeypatch.setattr(os, "makedirs", refuse)
    checked = real_jaxlint_here("check", "-j1", cwd=folder)
    assert (checked.code, checked.out.splitlines()[-1][:5]) == (1, "Found")
    assert checked.err.splitlines() == [
        f"jaxlint: warning: the cache {folder}/.jaxlint_cache cannot be written: permission denied"
    ]
    fixed = real_jaxlint_here(*FIX, cwd=folder)
    assert (fixed.code, fixed.err.count("cannot be written: permission denied")) == (2, 8)
    written = real_jaxlint_here("check", "--no-cache", "-o", "report.txt", cwd=folder)
    assert (written.code, written.err.count("\n")) == (2, 1)
    assert texts(folder) == {BAD}


def test_runs_at_the_same_time(folder: Path, mended: str) -> None:
    checks = [started(folder, "check") for _ in range(3)]
    ends = [(process.communicate(timeout=120), process.returncode) for process in checks]
    assert {(code, err) for (_, err), code in ends} == {(1, "")}
    assert len({out for (out, _), _ in ends}) == 1
    fixes = [started(folder, *FIX) for _ in range(3)]
    for process in fixes:
        _, err = process.communicate(timeout=120)
        assert "Traceback" not in err
        assert process.returncode in (0, 1, 2)  # 2: another run was first, and the file is left as it is now
    assert texts(folder) == {mended}


def test_the_report_is_the_same_whatever_the_order_jobs_and_cache(folder: Path) -> None:
    names = sorted(path.name for path in folder.glob("*.py"))
    reports = {
        finished(folder, "check", "--output-format", "json", *arguments)[1]
        for arguments in ([], [], ["-j1", "--no-cache"], ["-j3", "--no-cache"], ["--no-cache", *reversed(names)])
    }
    assert len(reports) == 1
