"""The GitHub action: valid, its steps run by a real shell, its inputs never code; and the snippets of docs/ci.md."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
MISTAKE = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"


def action() -> Any:
    return yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


def step(identifier: str) -> Any:
    return next(step for step in action()["runs"]["steps"] if step["id"] == identifier)


def conforms(schema: str, path: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def run_step(identifier: str, folder: Path, inputs: dict[str, str]) -> tuple[int, str, dict[str, str]]:
    """Run one step as the runner does: `bash -e -o pipefail FILE`, with its `env` filled from inputs."""
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    outputs = temporary / "outputs"
    outputs.write_text("")
    script = temporary / "step.sh"
    script.write_text(step(identifier)["run"])
    defaults = {name: value.get("default", "") for name, value in action()["inputs"].items()}
    given = {**{f"inputs.{name}": value for name, value in defaults.items()}, **inputs}
    values = {name: _filled(value, given) for name, value in step(identifier)["env"].items()}
    runner = {"RUNNER_TEMP": str(temporary), "GITHUB_OUTPUT": str(outputs), "GITHUB_ACTION_PATH": str(ROOT)}
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), **runner, **values}
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    written = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
    return done.returncode, done.stdout + done.stderr, written


def _filled(value: str, given: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ (\S+) \}\}", lambda match: given[match[1]], value)


@pytest.fixture
def command(tmp_path: Path) -> str:
    """jaxlint as the install step leaves it: one program."""
    program = tmp_path / "jaxlint-here"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m jaxlint "$@"\n')
    program.chmod(0o755)
    return str(program)


def check(tmp_path: Path, command: str, **inputs: str) -> tuple[int, str, dict[str, str]]:
    folder = tmp_path / "repository"
    folder.mkdir(exist_ok=True)
    (folder / ".git").mkdir(exist_ok=True)
    (folder / "a b.py").write_text(MISTAKE)
    (folder / "clean.py").write_text("import jax\n")
    given = {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
    return run_step("check", folder, {"steps.install.outputs.command": command, **given})


def test_the_action_is_valid() -> None:
    conforms("github-actions", ROOT / "action.yml")


def test_no_script_holds_an_expression() -> None:
    """An input that stands in a script is read as shell; in a variable it is text."""
    for one in action()["runs"]["steps"]:
        assert "${{" not in one.get("run", "")


def test_findings_are_shown_and_fail_the_step(tmp_path: Path, command: str) -> None:
    status, said, outputs = check(tmp_path, command)
    assert (status, outputs) == (1, {"exit-code": "1"})
    assert said.startswith("::error title=jaxlint JX301 traced-branch,file=a b.py,line=6,")


def test_a_clean_file_passes(tmp_path: Path, command: str) -> None:
    assert check(tmp_path, command, paths="clean.py\n") == (0, "", {"exit-code": "0"})


def test_options_paths_and_a_report(tmp_path: Path, command: str) -> None:
    options = {"options": "--select\nJX301\n--exit-zero\n", "output_format": "sarif", "output_file": "out.sarif"}
    status, said, _ = check(tmp_path, command, paths="clean.py\na b.py", **options)
    assert (status, said) == (0, "")
    assert len(json.loads((tmp_path / "repository" / "out.sarif").read_text())["runs"][0]["results"]) == 1


@pytest.mark.parametrize(
    "hostile", ["$(touch pwned)", "`touch pwned`", "a; touch pwned", '"; touch pwned #', "@x", "--x"]
)
@pytest.mark.parametrize("name", ["paths", "options", "output_format"])
def test_inputs_are_never_shell(tmp_path: Path, command: str, name: str, hostile: str) -> None:
    status, _, outputs = check(tmp_path, command, **{name: hostile})
    assert (status, outputs) == (2, {"exit-code": "2"})
    assert not (tmp_path / "repository" / "pwned").exists()


@pytest.mark.slow
def test_the_install_step_installs(tmp_path: Path) -> None:
    status, said, outputs = run_step("install", tmp_path, {"steps.python.outputs.python-path": sys.executable})
    assert status == 0, said
    done = subprocess.run([outputs["command"], "version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("jaxlint ")


# --- the snippets of the documentation


def snippets() -> list[tuple[str, str]]:
    """The YAML blocks of docs/ci.md with the schema that their first comment names."""
    text = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    found = re.findall(r"```yaml\n# (\S+)\n(.*?)```", text, re.DOTALL)
    assert len(found) == text.count("```yaml")
    return found


_SCHEMAS = {
    ".github/workflows/jaxlint.yml": "github-workflows",
    ".gitlab-ci.yml": "gitlab-ci",
    "azure-pipelines.yml": "azure-pipelines",
}


@pytest.mark.parametrize(("name", "snippet"), snippets(), ids=lambda value: value[:32] if "\n" not in value else "")
def test_the_snippets_are_valid(tmp_path: Path, name: str, snippet: str) -> None:
    path = tmp_path / "snippet.yml"
    path.write_text(snippet)
    conforms(_SCHEMAS[name], path)
    for option in re.findall(r" (--[a-z-]+)", snippet):
        assert option in offered_options()
    for one in yaml.safe_load(snippet).get("jobs", {}).get("jaxlint", {}).get("steps", ()):
        if "jaxlint@" in one.get("uses", ""):
            assert one.get("with", {}).keys() <= action()["inputs"].keys()


def offered_options() -> set[str]:
    from jaxlint.cli.options import cli

    return {name for parameter in cli.commands["check"].params for name in parameter.opts}
