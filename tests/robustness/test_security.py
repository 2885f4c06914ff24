"""`check`, its hook and the server execute nothing of what they look at, and never ask the network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jaxlint.config import ConfigError
from jaxlint.engine.plugins import load_plugins, permitted, user_configuration
from tests.cli.command_line import project

ROOT = Path(__file__).resolve().parents[2]
TRAP = "open('executed', 'w')\nraise SystemExit('the project was executed')\n"
BRANCH = "import jax\nimport helper\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
#: Names that Python, pytest, setuptools, git or jaxlint itself might come upon.
PLANTED = (
    "sitecustomize.py", "usercustomize.py", "click.py", "json.py", "libcst/__init__.py", "jax/__init__.py",
    "jaxlint/__init__.py", "jaxlint_rules/__init__.py", "conftest.py", "setup.py", "helper.py", "tomllib.py",
)  # fmt: skip
PLUGIN = {
    "jaxlint_rules-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: jaxlint-rules\nVersion: 1.0\n",
    "jaxlint_rules-1.0.dist-info/entry_points.txt": "[jaxlint.rules]\nall = jaxlint_rules:RULES\n",
}
SETTINGS = '[tool.jaxlint]\nplugins = ["jaxlint-rules"]\nallow-plugins = ["jaxlint-rules"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    where = tmp_path / "project"
    where.mkdir()
    return project(where, {**dict.fromkeys(PLANTED, TRAP), **PLUGIN, "a.py": BRANCH, "evil.pth": "import os; " + TRAP})


def audited(folder: Path, *arguments: str, stdin: bytes = b"") -> tuple[subprocess.CompletedProcess[bytes], str]:
    """jaxlint with a hook that sees what it does; and what that was."""
    hooks = folder.parent / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "sitecustomize.py").write_bytes((Path(__file__).parent / "audit.py").read_bytes())
    (hooks / "start.py").write_text("import sys\nfrom jaxlint.__main__ import run\nsys.exit(run())\n")
    log = folder.parent / "audit.log"
    log.write_text("")
    environment = {
        "PATH": os.environ["PATH"], "PYTHONPATH": f"{hooks}{os.pathsep}{ROOT}", "HOME": str(folder.parent),
        "AUDITED_PROJECT": str(folder), "AUDIT_LOG": str(log),
    }  # fmt: skip
    command = [sys.executable, str(hooks / "start.py"), *arguments]  # as the command `jaxlint` starts
    done = subprocess.run(
        command, cwd=folder, env=environment, input=stdin, capture_output=True, check=False, timeout=120
    )
    return done, log.read_text()


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "-j2", "--no-cache", "--output-format", "sarif"],
        ["check", "--fix", "--unsafe-fixes"],
        ["check", "--force-exclude", "a.py", "setup.py", "conftest.py"],
        ["why", "a.py:6"],
        ["rules"],
        ["explain", "key-reuse"],
    ],
    ids=" ".join,
)
def test_nothing_of_the_project_runs_and_nobody_is_called(folder: Path, arguments: list[str]) -> None:
    done, log = audited(folder, *arguments)
    assert done.returncode in (0, 1), done.stderr.decode()
    assert (log, (folder / "executed").exists()) == ("", False)


def test_the_server_neither(folder: Path) -> None:
    from benchmarks.lsp_client import Client

    audited(folder, "version")  # writes the hook
    environment = {
        **os.environ, "PYTHONPATH": f"{folder.parent / 'hooks'}{os.pathsep}{ROOT}", "AUDITED_PROJECT": str(folder),
        "AUDIT_LOG": str(folder.parent / "audit.log"),
    }  # fmt: skip
    client = Client([sys.executable, str(folder.parent / "hooks" / "start.py"), "server"], folder, environment)
    try:
        # The check of the workspace runs jaxlint in another process, sooner or later.
        client.initialize({"textDocument": {"publishDiagnostics": {}}}, {"workspaceDiagnostics": False})
        uri = (folder / "a.py").as_uri()
        client.open(uri, BRANCH)
        assert client.published(uri)
    finally:
        client.process.kill()
        client.process.wait()
    assert ((folder.parent / "audit.log").read_text(), (folder / "executed").exists()) == ("", False)


def test_git_runs_nothing_that_the_repository_configures(folder: Path) -> None:
    commands = (
        ("init", "-q"), ("add", "-A"), ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"),
        ("config", "core.fsmonitor", "touch executed"), ("config", "diff.external", "touch executed"),
        ("config", "core.pager", "touch executed"), ("config", "core.hooksPath", "."),
    )  # fmt: skip
    (folder / ".git").rmdir()
    for command in commands:
        subprocess.run(("git", *command), cwd=folder, check=True, capture_output=True)
    done, log = audited(folder, "check", "--diff-base", "HEAD")
    assert done.returncode == 0
    assert all("subprocess.Popen 'git'" in line or "/git'" in line for line in log.splitlines())
    assert not (folder / "executed").exists()


def test_a_planted_cache_is_data(folder: Path) -> None:
    audited(folder, "check")
    entries = list((folder / ".jaxlint_cache").rglob("*.json"))
    assert entries
    for entry in entries:
        entry.write_bytes(b"cposix\nsystem\n(S'touch executed'\ntR.")
    done, log = audited(folder, "check")
    assert (done.returncode, log, (folder / "executed").exists()) == (1, "", False)


def test_a_project_cannot_allow_its_own_plug_ins(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(SETTINGS.replace('allow-plugins = ["jaxlint-rules"]\n', ""))
    done, log = audited(folder, "check")
    assert b"not allowed by you" in done.stderr
    (folder / "pyproject.toml").write_text(SETTINGS)
    refused, more = audited(folder, "check")
    assert b"allow-plugins: unknown setting" in refused.stderr
    assert (log, more, (folder / "executed").exists()) == ("", "", False)


def test_only_the_user_allows_plug_ins(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    allowed, refused = permitted(["jaxlint-rules"], [])
    assert (allowed, len(refused)) == ([], 1)
    monkeypatch.setenv("HOME", "/home/somebody")
    assert user_configuration({"XDG_CONFIG_HOME": "."}) == "/home/somebody/.config/jaxlint/jaxlint.toml"
    monkeypatch.syspath_prepend(str(folder))
    with pytest.raises(ConfigError, match="lies inside the checked project"):
        load_plugins(["jaxlint-rules"], [str(folder)], {})
    assert not (folder / "executed").exists()
