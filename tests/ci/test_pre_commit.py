"""The hooks under pre-commit and prek themselves, installed from this checkout into environments of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = (".pre-commit-hooks.yaml", "pyproject.toml", "README.md", "LICENSE", "jaxlint", "rules")
MISTAKE = """\
import jax


@jax.jit
def relu(x):
    if x > 0:
        return x
    return 0 * x
"""
RIGHT = "import jax\n\n\n@jax.jit\ndef relu(x):\n    return jax.numpy.maximum(x, 0)\n"

#: prek installs with uv, which brings certificates of its own unless it is told to use those that pip finds.
SYSTEM_CERTIFICATES = {"UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1"}

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Tool:
    """A runner of hooks, with an empty store of its own."""

    name: str
    home: Path

    def run(self, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        program = Path(sys.executable).with_name(self.name)
        return run(folder, str(program), *arguments, home=self.home)


def run(folder: Path, *command: str, home: Path) -> subprocess.CompletedProcess[str]:
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GIT_"))}
    identity = {
        "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b.c", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b.c",
    }  # fmt: skip
    homes = {"PRE_COMMIT_HOME": str(home), "PREK_HOME": str(home)}
    env = {**ours, **identity, **homes, **SYSTEM_CERTIFICATES, "NO_COLOR": "1"}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=500)


def git(folder: Path, *arguments: str) -> str:
    done = run(folder, "git", "-c", "init.defaultBranch=main", *arguments, home=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with what users fetch the hooks from."""
    folder = tmp_path_factory.mktemp("hooks")
    for name in SHIPPED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "hooks")
    return folder


@pytest.fixture(scope="module", params=["pre-commit", "prek"])
def tool(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tool:
    return Tool(request.param, tmp_path_factory.mktemp("home"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with one clean file, and settings that leave a folder out."""
    git(tmp_path, "init", "-q")
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nextend-exclude = ["old"]\n')
    (tmp_path / "model.py").write_text(RIGHT)
    (tmp_path / "notes.md").write_text(MISTAKE)
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def configure(folder: Path, hooks: Path, identifier: str) -> None:
    revision = git(hooks, "rev-parse", "HEAD")
    hook = {"repo": str(hooks), "rev": revision, "hooks": [{"id": identifier}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [hook]}))
    git(folder, "add", "-A")


def test_the_manifest_is_what_pre_commit_takes() -> None:
    from pre_commit.clientlib import load_manifest

    found = {hook["id"]: hook for hook in load_manifest(str(ROOT / ".pre-commit-hooks.yaml"))}
    assert found.keys() == {"jaxlint", "jaxlint-fix"}
    for hook in found.values():
        assert hook["entry"].startswith("jaxlint check --force-exclude")
        assert hook["types_or"] == ["python", "jupyter"]
        assert hook["require_serial"]
        assert hook["additional_dependencies"] == []


def test_a_commit_is_blocked_until_it_is_right(tool: Tool, hooks: Path, folder: Path) -> None:
    configure(folder, hooks, "jaxlint")
    installed = tool.run(folder, "install")
    assert installed.returncode == 0, installed.stderr
    (folder / "model.py").write_text(MISTAKE)
    (folder / "old").mkdir()
    (folder / "old" / "model.py").write_text(MISTAKE)
    git(folder, "add", "-A")
    blocked = run(folder, "git", "commit", "-m", "second", home=tool.home)
    assert blocked.returncode != 0
    said = blocked.stdout + blocked.stderr
    assert "model.py:6:8: JX301 traced-branch: `if` needs the value of `x > 0`, which is traced" in said
    assert "Found 1 error in 1 file." in said, "files that settings exclude are left out although they are named"
    assert git(folder, "log", "--format=%s") == "first"

    (folder / "model.py").write_text(RIGHT)
    git(folder, "add", "-A")
    accepted = run(folder, "git", "commit", "-m", "second", home=tool.home)
    assert accepted.returncode == 0, accepted.stdout + accepted.stderr
    assert git(folder, "log", "-1", "--format=%s") == "second"


def test_the_environment_of_the_hook_holds_no_jax(tool: Tool, hooks: Path, folder: Path) -> None:
    configure(folder, hooks, "jaxlint")
    done = tool.run(folder, "install", "--install-hooks")
    assert done.returncode == 0, done.stderr
    names = {path.name.lower() for path in tool.home.rglob("site-packages/*")}
    assert "libcst" in names
    assert not names & {"jax", "jaxlib", "numpy"}


def test_try_repo(tool: Tool, hooks: Path, folder: Path) -> None:
    (folder / "model.py").write_text(MISTAKE)
    done = tool.run(folder, "try-repo", str(hooks), "jaxlint", "--files", "model.py", "notes.md")
    assert done.returncode == 1
    assert "traced-branch" in done.stdout
    assert "notes.md" not in done.stdout


def test_the_fixing_hook_mends_what_has_a_safe_fix(tool: Tool, hooks: Path, folder: Path) -> None:
    help_text = run(folder, sys.executable, "-m", "jaxlint", "check", "--help", home=tool.home).stdout
    if "--fix" not in help_text:
        pytest.skip("this version has no fixes")
    start = "import jax.numpy as jnp\n\n\ndef f():\n    x = jnp.zeros(3)\n"
    (folder / "model.py").write_text(f"{start}    x[0] = 1.0\n    return x\n")
    configure(folder, hooks, "jaxlint-fix")
    done = tool.run(folder, "run", "--all-files")
    assert done.returncode != 0, "a file was changed, which stops the commit"
    assert (folder / "model.py").read_text() == f"{start}    x = x.at[0].set(1.0)\n    return x\n"
    git(folder, "add", "-A")
    assert tool.run(folder, "run", "--all-files").returncode == 0


def test_the_fixing_hook_makes_the_unsafe_fixes_that_settings_name(tool: Tool, hooks: Path, folder: Path) -> None:
    start = "import jax\n\n\n@jax.jit\ndef f(x):\n"
    (folder / "model.py").write_text(f'{start}    print("x is", x)\n    return x\n')
    configure(folder, hooks, "jaxlint-fix")
    tool.run(folder, "run", "--all-files")
    assert git(folder, "diff", "--name-only") == "", "the fix is unsafe"
    (folder / "pyproject.toml").write_text('[tool.jaxlint]\nextend-safe-fixes = ["print-in-traced-code"]\n')
    git(folder, "add", "-A")
    done = tool.run(folder, "run", "--all-files")
    assert done.returncode != 0, "a file was changed, which stops the commit"
    assert (folder / "model.py").read_text() == f'{start}    jax.debug.print("x is {{}}", x)\n    return x\n'
    git(folder, "add", "-A")
    assert tool.run(folder, "run", "--all-files").returncode == 0
