"""A project is written for the newest JAX that its declared dependencies allow."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxlint.config import load_configuration
from jaxlint.config.dependency import _read, declared_jax, declared_releases


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


@given(st.text(max_size=30))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(_read(f"jax{text}").upper, tuple)


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
