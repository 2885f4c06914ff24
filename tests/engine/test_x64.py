"""What turns 64-bit types on speaks for the code that it runs with, and for no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command_line import project, real_jaxlint_here

WIDE = "import jax.numpy as jnp\nx = jnp.zeros(3, jnp.float64)\n"
ON = 'import jax\njax.config.update("jax_enable_x64", True)\n'


def found(folder: Path, *arguments: str) -> list[str]:
    """The files in which a wide dtype is reported; the second run reads what the first one kept."""
    for _ in range(2):
        run = real_jaxlint_here(
            "check", "--select", "silent-float64-truncation", "--output-format", "concise", *arguments, cwd=folder
        )
    return sorted({line.partition(":")[0] for line in run.out.splitlines() if "JX107" in line})


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"a.py": WIDE}, ["a.py"]),
        ({"a.py": WIDE, "b.py": ON}, ["a.py"]),
        ({"a.py": WIDE, "b.py": ON + "import a\n"}, []),
        ({"a.py": WIDE + "import b\n", "b.py": ON}, []),
        ({"pkg/__init__.py": ON, "pkg/a.py": WIDE}, []),
        ({"a.py": WIDE, "conftest.py": ON}, []),
        ({"a.py": WIDE, "tox.ini": "[testenv]\nsetenv = JAX_ENABLE_X64 = 1\n"}, []),
        ({"a.py": WIDE, "jaxlint.toml": "x64 = true\n"}, []),
        ({"a.py": WIDE + ON, "jaxlint.toml": "x64 = false\n"}, ["a.py"]),
    ],
)
def test_who_turns_them_on(tmp_path: Path, files: dict[str, str], expected: list[str]) -> None:
    folder = project(tmp_path, {"pyproject.toml": "", **files})
    assert found(folder, ".") == expected


def test_what_is_added_beside_counts_although_results_are_kept(tmp_path: Path) -> None:
    folder = project(tmp_path, {"pyproject.toml": "", "a.py": WIDE})
    assert found(folder, "a.py") == ["a.py"]
    (folder / "tox.ini").write_text("[testenv]\nsetenv = JAX_ENABLE_X64 = 1\n")
    assert found(folder, "a.py") == []
