"""The editors that run their scenario without a display, and where each comes from."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tests.clients.code_server import CodeServer
from tests.clients.project import HERE, PATIENCE, environment, make_project


class Client(Protocol):
    """An editor that can be tried where nothing is missing, each time in an empty folder."""

    @property
    def name(self) -> str: ...

    @property
    def missing(self) -> str: ...

    def run(self, folder: Path) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Editor:
    """An editor: its program, the arguments that make it run its script and end, and where Debian has it."""

    name: str
    program: str
    arguments: tuple[str, ...]
    package: str

    @property
    def missing(self) -> str:
        """Why it cannot be run here; empty where it can."""
        if shutil.which(self.program) is None:
            return f"{self.program} is not installed (Debian: apt install {self.package})"
        return "" if importlib.util.find_spec("pygls") else "the server needs the extra `lsp`, which is not installed"

    def run(self, folder: Path) -> dict[str, Any]:
        """What its script reports, after the editor ended by itself. The folder is empty and stays."""
        project = make_project(folder)
        done = subprocess.run(
            [self.program, *self.arguments],
            cwd=project,
            env=environment(folder, project),
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=PATIENCE,
        )
        report = folder / "report.json"
        assert report.exists(), done.stdout + done.stderr
        return dict(json.loads(report.read_text(encoding="utf-8")))


EDITORS: tuple[Client, ...] = (
    Editor(
        "Neovim",
        "nvim",
        ("--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {HERE / 'neovim.lua'}"),
        "neovim",
    ),
    Editor(
        "Emacs",
        "emacs",
        ("--batch", "-q", "--eval", "(package-initialize)", "-l", str(HERE / "eglot.el")),
        "emacs-nox elpa-eglot",
    ),
    CodeServer(),
)
