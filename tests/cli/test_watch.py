"""`--watch`, as a process beside files that change."""

from __future__ import annotations

import builtins
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from tests.cli.command_line import FAKE, jaxlint_here, listen_to_interrupts, project

FLAGS = "import jax\nFLAG_BRANCH\n"


class Watching:
    """A process that watches, with what it prints as it comes."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.printed: Queue[str] = Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.printed.put(line.rstrip("\n"))

    def report(self) -> list[str]:
        """The lines up to the one that says that it watches."""
        lines = []
        while (line := self.printed.get(timeout=60)) != "jaxlint: watching for changes; Ctrl-C ends":
            lines.append(line)
        return lines

    def report_until(self, last: str) -> list[str]:
        """The report that ends so: a new folder and what is written into it may be two changes."""
        while (lines := self.report())[-1:] != [last]:
            pass
        return lines


@contextmanager
def watching(folder: Path, *arguments: str) -> Iterator[Watching]:
    command = [sys.executable, "-u", str(FAKE), "check", "--watch", *arguments]
    process = subprocess.Popen(
        command, cwd=folder, env={"PATH": os.environ["PATH"]}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=listen_to_interrupts,  # noqa: PLW1509 - it takes no lock
    )  # fmt: skip
    try:
        yield Watching(process)
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def test_each_change_is_checked_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": "import jax\n"})
    with watching(tmp_path) as run:
        assert run.report() == ["No problems found in 1 file."]
        project(tmp_path, {"a.py": FLAGS})
        assert run.report() == ["a.py:2:1: JX301 traced-branch: `FLAG_BRANCH` is here", "Found 1 error in 1 file."]
        project(tmp_path, {"pkg/b.py": "import jax\n"})
        run.report_until("Found 1 error in 2 files.")
        (tmp_path / "a.py").unlink()
        assert run.report_until("No problems found in 1 file.") == ["No problems found in 1 file."]
        run.process.send_signal(signal.SIGINT)
        assert run.process.wait(30) == 130
        assert list(run.printed.queue) == [""], "click ends the line that Ctrl-C left"


def test_settings_are_read_again_and_their_mistakes_waited_for(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": FLAGS})
    with watching(tmp_path, "--no-cache") as run:
        assert run.report()[-1] == "Found 1 error in 1 file."
        project(tmp_path, {"jaxlint.toml": 'ignore = ["JX301"]'})
        assert run.report() == ["No problems found in 1 file."]
        project(tmp_path, {"jaxlint.toml": "ignore = 3"})
        assert "jaxlint.toml:1:1: ignore: expected an array of strings" in run.report()[-1]
        project(tmp_path, {"jaxlint.toml": "ignore = []"})
        assert run.report()[-1] == "Found 1 error in 1 file."


def test_other_files_and_the_cache_do_not_count(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": FLAGS})
    with watching(tmp_path) as run:
        run.report()
        project(tmp_path, {"notes.txt": "x", ".jaxlint_cache/x.py": "x", "__pycache__/y.py": "x"})
        project(tmp_path, {"b.py": "import jax\n"})
        assert run.report()[-1] == "Found 1 error in 2 files."
        assert run.printed.empty()


def test_standard_input_cannot_be_watched(tmp_path: Path) -> None:
    done = jaxlint_here("check", "--watch", "-", cwd=tmp_path)
    assert (done.code, done.err) == (2, "jaxlint: error: --watch: standard input does not change\n")


def test_without_the_package_that_watches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refusing(name: str, *rest: Any, **named: Any) -> Any:
        if name == "watchfiles":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", refusing)
    done = jaxlint_here("check", "--watch", cwd=tmp_path)
    assert done.code == 2
    assert done.err == (
        "jaxlint: error: --watch: needs the package watchfiles, which is not installed: "
        "install jaxlint with the extra `watch`\n"
    )
