"""`jaxlint clean` removes the cache, and nothing that is not one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command_line import Finished, jaxlint_here, project


def clean(folder: Path, *options: str) -> Finished:
    return jaxlint_here("clean", *options, cwd=folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return project(tmp_path, {"pyproject.toml": "", "a.py": "import jax\nFLAG_BRANCH\n"})


@pytest.mark.parametrize("options", [(), ("--cache-dir", "elsewhere/kept")])
def test_the_cache_is_removed(folder: Path, options: tuple[str, ...]) -> None:
    cache = folder / (options[1] if options else ".jaxlint_cache")
    jaxlint_here("check", *options, cwd=folder)
    assert cache.is_dir()
    assert clean(folder, *options).out == f"Deleted {cache}\n"
    assert not cache.exists()
    assert (folder / "a.py").exists()
    assert clean(folder, *options).out == f"Nothing to delete: {cache} does not exist\n"


def test_what_is_no_cache_stays(folder: Path) -> None:
    (folder / "mine").mkdir()
    (folder / "link").symlink_to(folder / ".jaxlint_cache")
    jaxlint_here("check", cwd=folder)
    for name in ("mine", "link", "a.py"):
        done = clean(folder, "--cache-dir", name)
        assert done.code == 2
        assert "it is no folder of this program" in done.err
    assert (folder / "mine").is_dir()
    assert (folder / ".jaxlint_cache" / "CACHEDIR.TAG").is_file()
