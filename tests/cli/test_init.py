"""`jaxlint init`, and the completion of shells."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from jaxlint.config.layers import Layer, checked
from tests.cli.command_line import ROOT, jaxlint_here, project, real_jaxlint

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def uncommented(text: str) -> str:
    """The settings that are written, put to use."""
    return re.sub(r"^# (?=[a-z-]+ = |\[|\")", "", text, flags=re.MULTILINE)


def test_a_folder_without_anything_gets_a_file_of_its_own(tmp_path: Path) -> None:
    done = jaxlint_here("init", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Added settings to jaxlint.toml")
    text = (tmp_path / "jaxlint.toml").read_text()
    assert tomllib.loads(text) == {}
    values = tomllib.loads(uncommented(text))
    assert values["per-file-ignores"]
    assert len(values) == 6
    checked(Layer(values, "/", "test"))
    assert [path.name for path in tmp_path.iterdir()] == ["jaxlint.toml"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("before", ["", '[project]\nname = "é"', '[project]\nname = "é"\n\n\n', "[tool.ruff]\n"])
def test_a_project_file_keeps_what_it_holds(tmp_path: Path, before: str, end: str) -> None:
    old = before.replace("\n", end).encode()
    project(tmp_path, {"pyproject.toml": old, "a.py": "import jax\nFLAG_BRANCH\n"})
    assert jaxlint_here("init", cwd=tmp_path).code == 0
    new = (tmp_path / "pyproject.toml").read_bytes()
    assert new.startswith(old.rstrip())
    assert new.replace(b"\r\n", b"").count(b"\r") == 0
    if old.count(b"\r\n"):
        assert new.replace(b"\r\n", b"").count(b"\n") == 0
    assert new.endswith(end.encode() if b"\r\n" in old or end == "\n" else b"\n")
    values = tomllib.loads(uncommented(new.decode().replace("\r\n", "\n")))["tool"]["jaxlint"]
    checked(Layer(values, "/", "test"))
    assert jaxlint_here("check", cwd=tmp_path).code == 1


@pytest.mark.parametrize("name", ["jaxlint.toml", "pyproject.toml"])
def test_settings_are_never_overwritten(tmp_path: Path, name: str) -> None:
    text = "ignore = []\n" if name == "jaxlint.toml" else "\n[tool.jaxlint]\nignore = []\n"
    project(tmp_path, {name: text})
    done = jaxlint_here("init", cwd=tmp_path)
    place = "" if name == "jaxlint.toml" else ":2:2"
    assert (done.code, done.err) == (2, f"jaxlint: error: {name}{place}: jaxlint settings already exist\n")
    assert (tmp_path / name).read_text() == text
    done = jaxlint_here("init", "--hook", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"Kept the settings in {name}\nWrote .pre-commit-config.yaml")
    assert (tmp_path / name).read_text() == text
    assert (tmp_path / ".pre-commit-config.yaml").exists()


def test_the_hook_is_one_that_pre_commit_takes(tmp_path: Path) -> None:
    from pre_commit.clientlib import load_config

    done = jaxlint_here("init", "--hook", cwd=tmp_path)
    assert done.code == 0
    assert load_config(str(tmp_path / ".pre-commit-config.yaml"))["repos"][0]["hooks"][0]["id"] == "jaxlint"
    ours = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())[0]
    written = yaml.safe_load((tmp_path / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"][0]
    assert {key: ours[key] for key in ("entry", "types_or", "require_serial")}.items() <= written.items()


def test_a_hook_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".pre-commit-config.yaml").write_text("repos: []\n")
    done = jaxlint_here("init", "--hook", cwd=tmp_path)
    assert done.code == 2
    assert done.err.startswith(
        "jaxlint: error: .pre-commit-config.yaml: already exists; add this to its `repos:`\n  - repo"
    )
    assert [path.name for path in tmp_path.iterdir()] == [".pre-commit-config.yaml"]
    assert jaxlint_here("init", cwd=tmp_path).code == 0


@pytest.mark.parametrize(("answer", "written"), [(b"y\n", True), (b"\n", False)])
def test_a_person_at_a_terminal_is_asked(tmp_path: Path, answer: bytes, written: bool) -> None:
    ours, theirs = pty.openpty()
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "xterm"}
    command = [sys.executable, "-m", "jaxlint", "init"]
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        os.write(ours, answer)
        assert process.wait(30) == 0
    os.close(ours)
    assert (tmp_path / ".pre-commit-config.yaml").exists() == written
    assert (tmp_path / "jaxlint.toml").exists()


# --- completion


def completions(*words: str) -> list[str]:
    env = {"_JAXLINT_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    done = real_jaxlint(env=env)
    assert (done.code, done.err) == (0, "")
    return [line.partition(",")[2] for line in done.out.splitlines()]


def test_commands_options_choices_and_names_are_completed() -> None:
    assert "explain" in completions("jaxlint", "ex")
    assert "--diff-base" in completions("jaxlint", "check", "--diff")
    assert completions("jaxlint", "check", "--output-format", "sa") == ["sarif"]
    assert completions("jaxlint", "explain", "traced-b") == ["traced-branch"]
    assert completions("jaxlint", "check", "--select", "key-reuse,traced-b") == ["key-reuse,traced-branch"]
    assert completions("jaxlint", "config", "min") == ["min-confidence"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(shell: str) -> None:
    done = real_jaxlint("completion", shell)
    assert done.code == 0
    assert f"_JAXLINT_COMPLETE={shell}_complete" in done.out


def test_bash_completes_with_the_script(tmp_path: Path) -> None:
    """The script in a real bash: what it would offer after `jaxlint check --output-format j`."""
    program = tmp_path / "jaxlint"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m jaxlint "$@"\n')
    program.chmod(0o755)
    script = """
eval "$(jaxlint completion bash)"
COMP_WORDS=(jaxlint check --output-format j); COMP_CWORD=3
_jaxlint_completion jaxlint
printf '%s\\n' "${COMPREPLY[@]}"
complete -p jaxlint
"""
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    command = ["bash", "--norc", "-c", script]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[:3] == ["json", "json-lines", "junit"], done.stderr
    assert "_jaxlint_completion" in done.stdout.splitlines()[-1]
