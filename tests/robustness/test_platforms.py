"""Windows and macOS as far as they can be simulated: spawned workers, their paths, their errors."""

from __future__ import annotations

import errno
import io
import ntpath
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from jaxlint.engine import baseline
from jaxlint.files import console, gitignore
from jaxlint.files.gitignore import Matcher
from jaxlint.report import paths
from jaxlint.report.paths import PathPrinter
from tests.cli.command_line import project

ROOT = Path(__file__).resolve().parents[2]
BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
START = """\
import os, signal, sys
{simulated}
if __name__ == "__main__":
    from jaxlint.__main__ import run
    sys.exit(run())
"""
MAC = "sys.platform = 'darwin'\nfor name in ('sched_getaffinity', 'O_NONBLOCK', 'listxattr'): delattr(os, name)"
WINDOWS = "for name in ('pthread_sigmask',): delattr(signal, name)\nfor name in ('chown',): delattr(os, name)"


@pytest.mark.skipif(sys.platform != "linux", reason="simulates other platforms")
def test_spawned_workers_and_missing_calls_change_no_report(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    project(folder, {f"m{number}.py": BRANCH for number in range(5)} | {"broken.py": "import jax\n("})
    reports = set()
    for number, simulated in enumerate(("", MAC, f"{MAC}\n{WINDOWS}")):
        script = tmp_path / f"start{number}.py"
        script.write_text(START.format(simulated=simulated))
        command = [sys.executable, script, "check", "--no-cache", "-j2", "--output-format", "json"]
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (1, ""), simulated
        reports.add(done.stdout)
    assert len(reports) == 1


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = SimpleNamespace(path=ntpath, sep="\\")
    for module in (gitignore, paths, baseline):
        monkeypatch.setattr(module, "os", fake)


@pytest.mark.usefixtures("windows")
def test_patterns_on_paths_with_backslashes() -> None:
    lines = ["/build/", "*.txt", "a/**/c.py", "!a/keep/c.py", "docs/x.py"]
    matcher = Matcher("C:\\p", lines)
    ignored = [
        name
        for name in ("build\\a.py", "a\\b.txt", "a\\b\\c.py", "a\\keep\\c.py", "docs\\x.py", "src\\build\\a.py")
        if matcher.match_with_parents(f"C:\\p\\{name}")
    ]
    assert ignored == ["build\\a.py", "a\\b.txt", "a\\b\\c.py", "docs\\x.py"]
    assert Matcher("C:\\p", lines[4:]).match("C:\\p\\docs\\x.py", is_folder=False)


@pytest.mark.usefixtures("windows")
def test_reports_and_baselines_have_slashes_and_drives() -> None:
    assert PathPrinter("C:\\p")("C:\\p\\a\\b.py") == "a/b.py"
    assert PathPrinter("C:\\p")("D:\\a\\b.py") == "D:/a/b.py"
    assert baseline._relative("C:\\p\\a\\b.py", "C:\\p\\known.json") == "a/b.py"
    assert baseline._relative("D:\\a\\b.py", "C:\\p\\known.json") == "D:/a/b.py"


def test_a_closed_pipe_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def writelines(self, _: object) -> None:
            raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(sys, "stdout", Closed())
    monkeypatch.setattr(sys, "platform", "win32")
    console.write_stdout(["text"])
