"""`jaxlint migrate` on files that tests write, with the real analysis."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command_line import ROOT, Finished

OLD = """\
import jax
import jax.numpy as jnp
from jax import jit, tree_leaves
from jax.experimental import maps


@jit
def update(params, key: jax.random.KeyArray):
    doubled = jax.tree_map(lambda p: 2 * p, params)
    return doubled, jnp.clip(tree_leaves(doubled)[0], a_min=0)


def distribute(f):
    return maps.xmap(f, ["batch"], ["batch"])
"""


def migrate(folder: Path, *arguments: str) -> Finished:
    command = [sys.executable, "-m", "jaxlint", "migrate", "--no-cache", *arguments]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return Finished(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "model.py").write_text(OLD)
    return tmp_path


def test_safe_fixes_are_made_and_the_rest_is_listed(folder: Path) -> None:
    done = migrate(folder, "--to", "0.10.2")
    assert done.code == 1
    text = (folder / "model.py").read_text()
    assert "jax.tree.map(lambda p: 2 * p, params)" in text
    assert "from jax import jit\nfrom jax.tree import leaves as tree_leaves\n" in text
    assert "min=0" in text
    assert "jax.random.KeyArray" in text  # unsafe
    assert done.out.splitlines() == [
        "Changed:",
        "  1 in 1 file: The argument `a_min` of `jax.numpy.clip` was removed in JAX 0.10.0; use `min`",
        "  1 in 1 file: `jax.tree_leaves` was removed in JAX 0.6.0; use `jax.tree.leaves`",
        "  1 in 1 file: `jax.tree_map` was removed in JAX 0.6.0; use `jax.tree.map`",
        "",
        "Fixable with --unsafe-fixes:",
        "  1 in 1 file: `jax.random.KeyArray` was removed in JAX 0.4.24; use `jax.Array`",
        "    model.py:9:25",
        "",
        "To change by hand:",
        "  1 in 1 file: `jax.experimental.maps.xmap` was removed in JAX 0.4.31; use `jax.shard_map`",
        "    model.py:15:12",
        "  1 in 1 file: `jax.experimental.maps` was removed in JAX 0.4.31; use `jax.shard_map`",
        "    model.py:5:1",
        "",
        "JAX 0.10.2: changed 3 uses, 3 left.",
    ]


def test_unsafe_fixes(folder: Path) -> None:
    migrate(folder, "--to", "0.10.2", "--unsafe-fixes")
    assert "key: jax.Array" in (folder / "model.py").read_text()


def test_a_dry_run_changes_nothing(folder: Path) -> None:
    done = migrate(folder, "--to", "0.10.2", "--diff")
    assert done.code == 1
    assert (folder / "model.py").read_text() == OLD
    assert "+    doubled = jax.tree.map(lambda p: 2 * p, params)\n" in done.out
    assert "JAX 0.10.2: would change 3 uses, 3 left." in done.err
    assert "Would change:" in done.err.splitlines()
    patched = subprocess.run(["patch", "-p0"], cwd=folder, input=done.out, text=True, capture_output=True, check=False)
    assert patched.returncode == 0, patched.stdout
    assert "jax.tree.map" in (folder / "model.py").read_text()


def test_a_dry_run_names_places_in_the_file_as_it_is(folder: Path) -> None:
    removed = "from jax.experimental import host_callback\n"
    (folder / "model.py").write_text(f"import jax\n{removed}\njax.device_put_replicated(1, jax.devices())\n")
    done = migrate(folder, "--to", "0.10.2", "--diff")
    assert f"-{removed}" in done.out
    assert "    model.py:4:1" in done.err.splitlines()


def test_an_older_release_has_the_names(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[project]\nname = "a"\ndependencies = ["jax>=0.4.13"]\n')
    (folder / "model.py").write_text("import jax\n\njax.tree_leaves(1)\njax.numpy.clip(1, a_min=0)\n")
    done = migrate(folder, "--to", "0.4.20")
    assert done.code == 0
    assert "`jax.tree_leaves` is deprecated since JAX 0.4.14; use `jax.tree_util.tree_leaves`" in done.out
    assert (folder / "model.py").read_text() == (
        "import jax\n\njax.tree_util.tree_leaves(1)\njax.numpy.clip(1, a_min=0)\n"
    )


def test_the_bound_of_the_project_decides_what_is_safe(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[project]\nname = "a"\ndependencies = ["jax>=0.4.13"]\n')
    migrate(folder, "--to", "0.10.2")
    assert "jax.tree_util.tree_map(lambda p: 2 * p, params)" in (folder / "model.py").read_text()


def test_nothing_to_do(folder: Path) -> None:
    (folder / "model.py").write_text("import jax\n\njax.tree.leaves(1)\n")
    done = migrate(folder, "--to", "0.10.2")
    assert (done.code, done.out) == (0, "JAX 0.10.2: changed 0 uses, 0 left.\n")


def test_what_the_project_selects_does_not_matter(folder: Path) -> None:
    (folder / "jaxlint.toml").write_text('select = ["random"]\nignore = ["JX901"]\n')
    assert "jax.tree.map" not in (folder / "model.py").read_text()
    assert "changed 3 uses" in migrate(folder, "--to", "0.10.2").out


@pytest.mark.parametrize("version", ["new", ""])
def test_what_is_no_version(folder: Path, version: str) -> None:
    done = migrate(folder, "--to", version)
    assert done.code == 2
    assert f"--to: `{version}` is not a version such as `0.10.2`" in done.err


def test_a_release_that_the_tables_do_not_know(folder: Path) -> None:
    assert "newer than jaxlint" in migrate(folder, "--to", "1.0").err


def test_the_target_must_be_named(folder: Path) -> None:
    done = migrate(folder)
    assert done.code == 2
    assert "--to" in done.err


def test_help_is_in_groups() -> None:
    shown = migrate(ROOT, "--help").out
    assert [line for line in shown.splitlines() if line.endswith(":") and not line.startswith(" ")] == [
        "Rules:", "Files:", "Fixes:", "Settings and speed:", "Other options:",
    ]  # fmt: skip
