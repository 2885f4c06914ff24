"""The progress bar: only for a person, only when it takes long, and gone in the end."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

from jaxlint.progress import counted, listen
from jaxlint.report.progress_bar import ProgressBar
from tests.cli.command_line import ROOT, jaxlint_here, project

#: A run whose bar is drawn from the first moment.
_AT_ONCE = """
import sys
from jaxlint.report import progress_bar
progress_bar.DELAY = 0.0
progress_bar._INTERVAL = 0.0
from jaxlint.cli.options import main
sys.exit(main(sys.argv[1:]))
"""


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def drawn(times: list[float]) -> list[str]:
    stream, clock = io.StringIO(), Clock()
    bar = ProgressBar(stream, clock)
    for done, clock.now in enumerate(times):
        bar("reading files", done, len(times))
    bar.clear()
    return stream.getvalue().split("\r\x1b[K")[1:]


def test_short_runs_show_nothing() -> None:
    assert drawn([0.1, 0.5, 0.9]) == []


def test_long_runs_show_how_far_they_have_come_and_clean_up() -> None:
    shown = drawn([0.1, 0.5, 1.2, 1.25, 1.9, 2.5])
    assert [line.split()[-1] for line in shown[:-1]] == ["2/6", "4/6", "5/6"]
    assert shown[0] == f"reading files [{'#' * 8}{'-' * 16}] 2/6"
    assert shown[-1] == ""


def test_the_listener_hears_of_each_item() -> None:
    heard: list[tuple[str, int, int]] = []
    listen(lambda *told: heard.append(told))
    try:
        assert list(counted("x", "ab", 2)) == ["a", "b"]
    finally:
        listen(None)
    assert list(counted("x", "c", 1)) == ["c"]
    assert heard == [("x", 0, 2), ("x", 1, 2)]


def run_on_terminal(folder: Path, term: str, *arguments: str) -> tuple[str, str]:
    """Standard output, which is a pipe, and what a terminal shows of standard error."""
    ours, theirs = pty.openpty()
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": term}
    command = [sys.executable, "-c", _AT_ONCE, "check", "--no-cache", "--output-format", "json", *arguments]
    done = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=theirs, check=False)
    os.close(theirs)
    seen = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        seen += piece
    os.close(ours)
    return done.stdout.decode(), seen.decode()


def test_on_a_terminal_with_one_process_and_with_several(tmp_path: Path) -> None:
    project(tmp_path, {f"m{i}.py": "import jax\n" for i in range(8)})
    for jobs, analysed in (("1", "modules"), ("2", "parts")):
        out, seen = run_on_terminal(tmp_path, "xterm", "--jobs", jobs)
        assert out.startswith("{\n")
        assert "\x1b" not in out
        assert "reading files [" in seen
        assert f"analysing {analysed} [" in seen
        assert seen.endswith("\r\x1b[K")


def test_a_terminal_that_cannot_erase_shows_none(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": "import jax\n"})
    assert run_on_terminal(tmp_path, "dumb")[1] == ""


def test_what_is_no_terminal_shows_none(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": "import jax\n"})
    assert jaxlint_here("check", cwd=tmp_path, env={"TERM": "xterm"}).err == ""
