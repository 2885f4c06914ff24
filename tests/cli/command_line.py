"""Running the command line as a process, as users do."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from jaxlint import analysis
from jaxlint.cli.options import main
from jaxlint.config import roots
from jaxlint.engine import session
from tests.cli.fake_analysis import RULES, analyse

ROOT = Path(__file__).resolve().parents[2]
FAKE = Path(__file__).resolve().parent / "fake_jaxlint.py"


@dataclass(frozen=True)
class Finished:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def found(self) -> list[tuple[str, int, str]]:
        """(path, line, rule) of each diagnostic of a JSON report."""
        return [(d["path"], d["line"], d["rule"]) for d in self.json["diagnostics"]]


def jaxlint(
    *arguments: str, cwd: Path, stdin: bytes = b"", env: dict[str, str] | None = None, timeout: float = 120
) -> Finished:
    """The command line with the stand-in analysis."""
    command = [sys.executable, str(FAKE), *arguments]
    full = {"PATH": os.environ["PATH"], "JAXLINT_TRACEBACK": "", **(env or {})}
    done = subprocess.run(command, cwd=cwd, input=stdin, env=full, capture_output=True, timeout=timeout, check=False)
    return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())


@contextlib.contextmanager
def _in_folder(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


class _Terminal(io.BytesIO):
    """Where a run inside this process reads from or prints to."""

    def close(self) -> None:
        pass


def jaxlint_here(*arguments: str, cwd: Path, stdin: bytes = b"", env: dict[str, str] | None = None) -> Finished:
    """As `jaxlint`, inside this process: for tests in which the process is not the point."""
    with (
        mock.patch.object(session, "_shipped_rules", return_value=RULES),
        mock.patch.object(analysis, "analyse", analyse),
    ):
        return real_jaxlint_here(*arguments, cwd=cwd, stdin=stdin, env=env)


def real_jaxlint_here(*arguments: str, cwd: Path, stdin: bytes = b"", env: dict[str, str] | None = None) -> Finished:
    """The command line as it is, inside this process."""
    out, err = _Terminal(), _Terminal()
    with (
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))),
        mock.patch.object(sys, "stdout", io.TextIOWrapper(out, "utf-8")),
        mock.patch.object(sys, "stderr", io.TextIOWrapper(err, "utf-8")),
        mock.patch.dict(os.environ, {"PATH": os.environ["PATH"], **(env or {})}, clear=True),
        _in_folder(cwd),
    ):
        for remembered in (roots.repository_root, roots._nearest):
            remembered.cache_clear()
        code = main(list(arguments))
        sys.stdout.flush()
        sys.stderr.flush()
    return Finished(code, out.getvalue().decode(), err.getvalue().decode())


def real_jaxlint(*arguments: str, cwd: Path = ROOT, env: dict[str, str] | None = None) -> Finished:
    """The command line as it is."""
    full = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **(env or {})}
    command = [sys.executable, "-m", "jaxlint", *arguments]
    done = subprocess.run(command, cwd=cwd, env=full, capture_output=True, timeout=120, check=False)
    return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())


def listen_to_interrupts() -> None:
    """For a process that is to be ended by Ctrl-C: a shell's background jobs, and what they start, ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def project(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Write files below a folder that is a project's root and a repository's."""
    (folder / ".git").mkdir(exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder
