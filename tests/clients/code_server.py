"""VS Code as code-server serves it, with the built extension, shown to a browser that has no display."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.clients.project import HERE, PATIENCE, ROOT, environment, make_project

EXTENSION = ROOT / "editors" / "vscode"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
#: The extension under test asks nobody, and typed text stays as it is typed.
SETTINGS = {
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "workbench.startupEditor": "none",
    "editor.autoClosingBrackets": "never",
    "editor.autoIndent": "none",
    "files.autoSave": "off",
}


class CodeServer:
    """VS Code, its extension host and its editor; the browser only makes them run."""

    name = "VS Code"

    @property
    def missing(self) -> str:
        """Why it cannot be run here; empty where it can."""
        if shutil.which("code-server") is None:
            return "code-server is not on PATH (npm: code-server)"
        if _browser() is None:
            return "no browser is installed (Debian: apt install chromium)"
        if not (EXTENSION / "out" / "extension.js").exists():
            return "the extension is not built (npm ci && npm run build in editors/vscode)"
        return ""

    def run(self, folder: Path) -> dict[str, Any]:
        """What the scenario reports. The folder is empty and stays."""
        project = make_project(folder)
        self._install(folder, project)
        variables = environment(folder, project)
        report, deadline = folder / "report.json", time.monotonic() + PATIENCE
        with _served(folder, variables) as address, _shown(f"{address}/?folder={project}", folder, variables):
            while not report.exists() or not report.read_text(encoding="utf-8"):
                assert time.monotonic() < deadline, _log(folder)
                time.sleep(0.1)
        return dict(json.loads(report.read_text(encoding="utf-8")))

    def _install(self, folder: Path, project: Path) -> None:
        """The extension and the scenario, as installing leaves them, and the settings of a person."""
        extension = folder / "extensions" / "jaxlint.jaxlint-0.1.0"
        (extension / "out").mkdir(parents=True)
        shutil.copy(EXTENSION / "package.json", extension)
        shutil.copy(EXTENSION / "out" / "extension.js", extension / "out")
        shutil.copytree(HERE / "vscode", folder / "extensions" / "jaxlint-tests.scenario-0.0.1")
        program = project / ".venv" / "bin" / "jaxlint"
        program.parent.mkdir(parents=True)
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m jaxlint "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        user = folder / "data" / "User"
        user.mkdir(parents=True)
        (user / "settings.json").write_text(json.dumps(SETTINGS), encoding="utf-8")


def _browser() -> str | None:
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def _log(folder: Path) -> str:
    """What code-server and the extension said, for a failure."""
    logs = [folder / "server.log", *folder.glob("data/logs/*/exthost*/**/*.log")]
    return "\n".join(f"== {log.name}\n{log.read_text(encoding='utf-8')[-2000:]}" for log in logs)


@contextmanager
def _served(folder: Path, variables: dict[str, str]) -> Iterator[str]:
    """code-server on a free port of this machine; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--auth", "none", "--disable-telemetry", "--disable-update-check"]
    places = ["--user-data-dir", str(folder / "data"), "--extensions-dir", str(folder / "extensions")]
    command = ["code-server", *options, *places, "--bind-addr", f"127.0.0.1:{port}"]
    with (folder / "server.log").open("wb") as log, _running(command, variables, log.fileno()):
        _await(port, folder)
        yield f"http://127.0.0.1:{port}"


def _await(port: int, folder: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    with socket.socket() as door:
        while door.connect_ex(("127.0.0.1", port)):
            assert time.monotonic() < deadline, _log(folder)
            time.sleep(0.1)


@contextmanager
def _shown(address: str, folder: Path, variables: dict[str, str]) -> Iterator[None]:
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--window-size=1200,800"]
    command = [str(_browser()), *options, f"--user-data-dir={folder / 'browser'}", address]
    with _running(command, variables, subprocess.DEVNULL):
        yield


@contextmanager
def _running(command: list[str], variables: dict[str, str], output: int) -> Iterator[None]:
    """A program with its children, which end with this block."""
    process = subprocess.Popen(
        command, env=variables, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
    )
    try:
        yield
    finally:
        os.killpg(process.pid, 15)
        process.wait(30)
