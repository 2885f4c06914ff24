"""The extension for VS Code and the server speak of the same things; where its packages are, it builds and works."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from jaxlint.config.toml_document import read_document
from jaxlint.version import VERSION
from tests.clients.project import ROOT

EXTENSION = ROOT / "editors" / "vscode"
MANIFEST: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
FENCE = re.compile(r"^```(?P<language>json|toml)\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL)


def source(name: str) -> str:
    return (EXTENSION / "src" / f"{name}.ts").read_text(encoding="utf-8")


def constant(text: str, name: str) -> list[str]:
    """The strings of an exported constant."""
    found = re.search(rf"^export const {name} = (.*?);", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return re.findall(r'"([^"]*)"', found[1])


def test_the_extension_and_jaxlint_have_one_version_and_one_licence() -> None:
    assert MANIFEST["version"] == VERSION
    assert (EXTENSION / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_lock_file_says_what_and_not_where_from() -> None:
    packages = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert [name for name, package in packages.items() if "resolved" in package] == []
    assert [name for name, package in packages.items() if name and "integrity" not in package] == []


def test_the_server_takes_the_settings_that_it_is_told() -> None:
    pytest.importorskip("pygls")
    from jaxlint.lsp.client_settings import ClientSettings, read_settings

    told = constant(source("settings"), "SERVER_SETTINGS")
    assert len(told) == len(fields(ClientSettings))
    defaults = {name: MANIFEST["contributes"]["configuration"]["properties"][f"jaxlint.{name}"] for name in told}
    assert read_settings({name: setting["default"] for name, setting in defaults.items()}) == ClientSettings()


def test_the_command_that_verifies_is_the_servers() -> None:
    pytest.importorskip("pygls")
    from jaxlint.lsp import actions

    assert constant(source("verify"), "VERIFY_COMMAND") == [actions.VERIFY]
    own = {command["command"] for command in MANIFEST["contributes"]["commands"]}
    assert own.isdisjoint({actions.VERIFY, actions.OPEN_PAGE})


@pytest.mark.parametrize("match", list(FENCE.finditer((ROOT / "docs" / "editors.md").read_text(encoding="utf-8"))))
def test_the_snippets_of_the_documentation_are_well_formed(match: re.Match[str], tmp_path: Path) -> None:
    if match["language"] == "json":
        assert json.loads(match["code"])
    else:
        file = tmp_path / "languages.toml"
        file.write_text(match["code"], encoding="utf-8")
        assert read_document(str(file)).text


@pytest.mark.slow
@pytest.mark.parametrize("command", ["build", "test"])
def test_the_extension_builds_and_passes_its_tests(command: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    if not Path(EXTENSION, "node_modules").is_dir():
        pytest.skip("its packages are not here: npm ci in editors/vscode, or scripts/check_clients")
    done = subprocess.run([npm, "run", command], cwd=EXTENSION, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
