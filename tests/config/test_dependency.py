"""A project is written for the newest JAX that its declared dependencies allow."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxlint.config import load_configuration
from jaxlint.config.dependency import _DISTRIBUTION, Bounds, declared_jax, declared_releases
from jaxlint.config.roots import forget_roots
from jaxlint.jaxapi.requirements import LIBRARIES, read


def declared(folder: Path, text: str) -> str | None:
    (folder / "pyproject.toml").write_text(text)
    return declared_jax(str(folder))


@pytest.mark.parametrize(
    ("requirement", "newest"),
    [
        ("jax", None),
        ("jax>=0.4.30", None),
        ("jax!=0.4.31", None),
        ("jax==0.4.35", "0.4.35"),
        ("jax[cuda12]==0.4.*; python_version > '3.10'", "0.4.999999"),
        ("jaxlib>=0.4.30,<0.5", "0.4.999999"),
        ("JAX (>=0.4, <0.4.30)", "0.4.29.999999"),
        ("jax<=0.6.2", "0.6.2"),
        ("jax~=0.4.20", "0.4.999999"),
        ("jax @ https://example.org/jax.whl", None),
        ("jaxtyping==0.2.1", None),
        ("not a requirement ==1", None),
    ],
)
def test_a_requirement_bounds_the_release(tmp_path: Path, requirement: str, newest: str | None) -> None:
    assert declared(tmp_path, f'[project]\nname = "a"\ndependencies = ["numpy<2", "{requirement}"]\n') == newest


@pytest.mark.parametrize(
    "text",
    [
        '[project.optional-dependencies]\ngpu = ["jax<0.5"]\n',
        '[dependency-groups]\ndev = ["pytest", {include-group = "x"}]\nx = ["jax<0.5"]\n',
        '[tool.poetry.dependencies]\npython = "^3.10"\njax = "^0.4.20"\n',
        '[tool.poetry.group.dev.dependencies]\njax = {version = "~0.4.20", extras = ["cpu"]}\n',
        '[project]\ndependencies = ["jax<0.6"]\n[project.optional-dependencies]\nold = ["jax<0.5"]\n',
    ],
)
def test_where_dependencies_stand(tmp_path: Path, text: str) -> None:
    assert declared(tmp_path, text) == "0.4.999999"


@pytest.mark.parametrize(
    "text", ["", "project = 1\n", "[project]\ndependencies = 3\n", "[project\n", "tool.poetry = 1\n"]
)
def test_what_cannot_be_read_bounds_nothing(tmp_path: Path, text: str) -> None:
    assert declared(tmp_path, text) is None


@pytest.mark.parametrize(
    ("dependencies", "oldest"),
    [
        ('["jax"]', None),
        ('["jax>=0.4.30"]', "0.4.30"),
        ('["jax>=0.4.30,<0.7", "jaxlib>=0.4.31"]', "0.4.31"),
        ('["jax==0.4.*"]', "0.4"),
        ('["jax~=0.5.1"]', "0.5.1"),
        ('["jax<0.7"]', None),
    ],
)
def test_the_oldest_release(tmp_path: Path, dependencies: str, oldest: str | None) -> None:
    declared(tmp_path, f"[project]\ndependencies = {dependencies}\n")
    assert [bounds.oldest for bounds in declared_releases(str(tmp_path))] == (
        [] if dependencies == '["jax"]' else [oldest]
    )


def test_a_group_bounds_the_oldest_release_where_the_package_does_not(tmp_path: Path) -> None:
    group = '[project.optional-dependencies]\ngpu = ["jax>=0.7", "flax>=0.8"]\n'
    declared(tmp_path, f'[project]\ndependencies = ["jax>=0.5"]\n{group}')
    found = {bounds.library: bounds.oldest for bounds in declared_releases(str(tmp_path))}
    assert found == {"jax": "0.5", "flax": "0.8"}


def test_what_brings_a_library_is_read() -> None:
    assert all(_DISTRIBUTION.match(f"{name}>=1") for name in LIBRARIES)
    assert not _DISTRIBUTION.match("jax-cosmo>=1")


@given(st.text(max_size=30))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(read(f"jax{text}").upper, tuple)


def test_the_setting_counts_more_and_a_change_is_seen(tmp_path: Path) -> None:
    def configuration() -> tuple[str | None, str]:
        found = load_configuration(command_line={}, environment={}, isolated=False, working_directory=str(tmp_path))
        return found.analysis(str(tmp_path)).target_jax, found.signature([str(tmp_path)])

    declared(tmp_path, '[project]\ndependencies = ["jax<0.5"]\n')
    target, first = configuration()
    assert target == "0.4.999999"
    declared(tmp_path, '[project]\ndependencies = ["jax<0.6"]\n')
    assert configuration()[1] != first
    declared(tmp_path, '[project]\ndependencies = ["jax<0.5"]\n[tool.jaxlint]\ntarget-jax = "0.7.0"\n')
    assert configuration()[0] == "0.7.0"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("setup.cfg", "[options]\ninstall_requires =\n    numpy\n    jax<0.5\n"),
        ("setup.cfg", "[options.extras_require]\ngpu = jax<0.5; python_version > '3'\n    numpy\n"),
        ("setup.py", "from setuptools import setup\nsetup(install_requires=['numpy', 'jax<0.5'])\n"),
        ("setup.py", "import setuptools\nCORE = ['jax<0.5']\nsetuptools.setup(install_requires=CORE + ['numpy'])\n"),
        ("setup.py", "from setuptools import setup\nsetup(extras_require={'gpu': ['jax<0.5']})\n"),
        ("requirements.txt", "# what it needs\n--find-links x\nnumpy\njax[cuda] < 0.5 \\\n --hash=sha256:0  # old\n"),
        ("requirements-dev.txt", "jax<0.5\n"),
        ("requirements/base.txt", "jax<0.5\n"),
        (
            "environment.yml",
            "channels:\n  - conda-forge\ndependencies:\n  - conda-forge::jax=0.4\n  - pip:\n    - flax\n",
        ),
        ("environment.yaml", "dependencies:\n  - pip\n  - pip:\n    - 'jax<0.5'\n"),
        ("Pipfile", '[packages]\njax = "<0.5"\n'),
        ("Pipfile", '[dev-packages]\njax = {version = "<0.5", extras = ["cpu"]}\n'),
        ("pixi.toml", '[dependencies]\njax = ">=0.4.20,<0.5"\n'),
        ("pyproject.toml", '[tool.pixi.dependencies]\njax = ">=0.4.20,<0.5"\n'),
        (
            "pyproject.toml",
            '[tool.pixi.feature.gpu.pypi-dependencies]\njax = {version = "<0.5", extras = ["cuda12"]}\n',
        ),
    ],
)
def test_files_that_declare_what_is_needed(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    assert declared_jax(str(tmp_path)) == "0.4.999999"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("uv.lock", 'version = 1\n\n[[package]]\nname = "jax"\nversion = "0.4.20"\n'),
        ("poetry.lock", '[[package]]\nname = "jax"\nversion = "0.4.20"\ndescription = ""\n'),
        ("Pipfile.lock", '{"default": {"jax": {"version": "==0.4.20"}}, "develop": {}}'),
        ("pixi.toml", '[dependencies]\njax = "0.4.20"\n'),
        ("requirements.txt", "-r pins/all.txt\n"),
        ("requirements.txt", "jax==0.4.20\njaxlib==0.4.20+cuda11.cudnn86\n"),
    ],
)
def test_files_that_pin_a_release(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "pins").mkdir()
    (tmp_path / "pins" / "all.txt").write_text("-r all.txt\njax==0.4.20\n")
    (tmp_path / name).write_text(text)
    assert declared_releases(str(tmp_path)) == (Bounds("jax", "0.4.20", "0.4.20"),)


def test_setup_py_is_not_executed(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text("import setuptools\nopen('made', 'w')\nsetuptools.setup(install_requires=f())\n")
    assert declared_releases(str(tmp_path)) == ()
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    "name", ["setup.py", "setup.cfg", "requirements.txt", "environment.yml", "Pipfile", "uv.lock", "Pipfile.lock"]
)
def test_what_is_no_such_file_bounds_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"[\xff((( \x00 - = jax\n" * 3)
    assert declared_releases(str(tmp_path)) == ()


def test_stronger_files_count_first_and_the_widest_of_equal_ones(tmp_path: Path) -> None:
    def newest(**files: str) -> str | None:
        for name, text in files.items():
            (tmp_path / f"{name.replace('_', '-')}.txt").write_text(text)
        return declared_jax(str(tmp_path))

    assert newest(requirements="jax==0.4.20\n") == "0.4.20"
    assert newest(requirements_new="jax<=0.5.3\n") == "0.5.3"
    assert newest(requirements_any="jax\n") is None
    (tmp_path / "setup.py").write_text("from setuptools import setup\nsetup(install_requires=['jax>=0.6'])\n")
    assert newest(requirements_any="numpy\n") is None  # the pins are older than what the package needs
    (tmp_path / "pyproject.toml").write_text("[project]\ndependencies = ['jax<0.4']\n")
    assert declared_releases(str(tmp_path))[0].newest is None  # metadata in two files: the wider


def test_the_nearest_folder_counts_up_to_the_repository(tmp_path: Path) -> None:
    inner = tmp_path / "examples" / "mnist"
    inner.mkdir(parents=True)
    (tmp_path / "requirements.txt").write_text("jax==0.4.20\nflax<0.7\n")
    assert declared_releases(str(inner)) == ()
    (tmp_path / ".git").mkdir()
    forget_roots()
    assert declared_jax(str(inner)) == "0.4.20"
    (inner / "requirements.txt").write_text("jax==0.3.1\njaxlib==0.1.76\n")
    assert declared_jax(str(inner)) == "0.3.1"
    assert [bounds.library for bounds in declared_releases(str(inner))] == ["jax", "flax"]


def test_names_that_the_pinned_release_has_are_no_errors(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import jax\n\njax.tree_map(abs, [1])\njax.experimental.stax\n")
    assert "removed-api" in _codes(tmp_path)
    (tmp_path / "requirements.txt").write_text("jax==0.2.17\njaxlib==0.1.69\n")
    assert _codes(tmp_path) == []


def _codes(folder: Path) -> list[str]:
    command = [sys.executable, "-m", "jaxlint", "check", "--no-cache", "--output-format", "json", str(folder)]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    return [each["rule"] for each in found["diagnostics"]]


def test_uses_of_removed_names_are_folded_where_no_release_is_declared(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import jax\n" + "jax.tree_map(abs, [1])\n" * 6)
    lines = _report(tmp_path)
    assert len(lines) == 3
    assert "(5 more uses in this file)" in lines[0]
    assert lines[1].startswith("Found 6 ")
    assert "target-jax" in lines[2]
    assert len(_codes(tmp_path)) == 6
    (tmp_path / "requirements.txt").write_text("jax<=0.10\n")
    assert len(_report(tmp_path)) == 7


def _report(folder: Path) -> list[str]:
    command = [sys.executable, "-m", "jaxlint", "check", "--no-cache", "--output-format", "concise", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
