"""A server per test, and a folder that is a project."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest

from benchmarks.lsp_client import Client

ROOT = Path(__file__).resolve().parent.parent.parent
COMMAND = [sys.executable, "-m", "jaxlint", "server"]
PATIENCE = 120
PUSH = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "a project"  # a blank, which URIs escape
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[project]\nname = "a"\n', encoding="utf-8")
    return folder


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def client(project: Path) -> Iterator[Client]:
    started = Client(COMMAND, project, environment())
    impatience = Timer(PATIENCE, started.process.kill)  # a message that never comes fails its test alone
    impatience.start()
    yield started
    impatience.cancel()
    if started.process.poll() is None:
        started.process.kill()
    started.process.wait()
