"""`@FILE` on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command_line import jaxlint_here, project

FLAGS = "import jax\nFLAG_BRANCH\nFLAG_REUSE\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return project(tmp_path, {"a.py": FLAGS, "b c.py": FLAGS, "arguments.txt": "--select\nkey-reuse\n\nb c.py\n"})


def test_lines_are_arguments(folder: Path) -> None:
    done = jaxlint_here("check", "--output-format", "json", "@arguments.txt", cwd=folder)
    assert done.found == [("b c.py", 3, "key-reuse")]


def test_windows_lines_and_a_byte_order_mark(folder: Path) -> None:
    (folder / "arguments.txt").write_bytes(b"\xef\xbb\xbf--output-format=json\r\n--select=JX3\r\na.py\r\n")
    assert jaxlint_here("check", "@arguments.txt", cwd=folder).found == [("a.py", 2, "traced-branch")]


def test_what_a_file_holds_is_not_expanded_again(folder: Path) -> None:
    (folder / "outer").write_text("@arguments.txt\n")
    done = jaxlint_here("check", "@outer", cwd=folder)
    assert (done.code, done.err) == (2, "jaxlint: error: @arguments.txt: no such file or folder\n")


def test_a_python_file_of_such_a_name_is_checked_and_never_obeyed(folder: Path) -> None:
    project(folder, {"@x.py": "--exit-zero\nFLAG_BRANCH = (jax\n"})
    done = jaxlint_here("check", "--output-format", "json", "@x.py", cwd=folder)
    assert (done.code, [path for path, _, _ in done.found]) == (1, ["@x.py"])


def test_after_two_dashes_all_are_paths(folder: Path) -> None:
    project(folder, {"@list": FLAGS})
    done = jaxlint_here("check", "--output-format", "json", "--", "@list", cwd=folder)
    assert {path for path, _, _ in done.found} == {"@list"}


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("nowhere", "cannot be read: no such file or directory"),
        (".", "not a regular file"),
        ("binary", "is not a list"),
    ],
)
def test_a_file_that_is_no_list(folder: Path, name: str, what: str) -> None:
    (folder / "binary").write_bytes(b"a\0b")
    done = jaxlint_here("check", f"@{name}", cwd=folder)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"jaxlint: error: @{name}: ")
    assert what in done.err or "is a directory" in done.err
    assert done.err.count("\n") == 1
