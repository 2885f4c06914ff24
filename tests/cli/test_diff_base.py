"""`--diff-base`, on repositories made by git itself."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from jaxlint.engine.diff_base import _changes
from tests.cli.command_line import Finished, jaxlint_here, real_jaxlint

OLD = "import jax\nFLAG_BRANCH\nx = 1\n"
ODD = 'a"b\\c\t\né\udcff.py'


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "protocol.file.allow=always")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", *identity, "-c", "init.defaultBranch=main", "-c", "commit.gpgSign=false", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return os.fsdecode(done.stdout).strip()


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def commit(folder: Path, files: dict[str, str] | None = None) -> None:
    write(folder, files or {})
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "change")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A branch `work` at the point where it left `main`."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    commit(folder, {"pyproject.toml": "", "a.py": OLD, "pkg/b.py": OLD, ".gitignore": ".jaxlint_cache\n"})
    git(folder, "checkout", "-qb", "work")
    return folder


def check(folder: Path, reference: str = "main", *arguments: str, **options) -> Finished:
    return jaxlint_here("check", "--output-format", "json", "--diff-base", reference, *arguments, cwd=folder, **options)


def test_nothing_changed(folder: Path) -> None:
    done = check(folder)
    assert (done.code, done.found, done.err) == (0, [], "")
    assert done.json["summary"]["unchanged"] == 2
    shown = jaxlint_here("check", "--diff-base", "main", cwd=folder)
    assert shown.out == "No problems found in 2 files (2 on unchanged lines).\n"


def test_committed_staged_and_unstaged_changes_count(folder: Path) -> None:
    commit(folder, {"a.py": OLD + "FLAG_REUSE\n"})
    write(folder, {"pkg/b.py": OLD + "FLAG_REUSE\n"})
    git(folder, "add", "-A")
    write(folder, {"pkg/b.py": OLD + "FLAG_REUSE\nFLAG_MAYBE\n"})
    done = check(folder, "main", "--min-confidence", "possible")
    assert done.code == 1
    assert done.found == [("a.py", 4, "key-reuse"), ("pkg/b.py", 4, "key-reuse"), ("pkg/b.py", 5, "key-reuse")]


def test_untracked_and_ignored_files_are_new_as_a_whole(folder: Path) -> None:
    write(folder, {"new.py": OLD, "made.py": OLD, ".gitignore": "made.py\n"})
    assert check(folder, "main", ".", "made.py").found == [
        ("made.py", 2, "traced-branch"),
        ("new.py", 2, "traced-branch"),
    ]


def test_only_what_happened_on_this_branch_counts(folder: Path) -> None:
    commit(folder, {"a.py": OLD + "FLAG_REUSE\n"})
    git(folder, "checkout", "-q", "main")
    commit(folder, {"pkg/b.py": "import jax\n"})
    git(folder, "checkout", "-q", "work")
    assert check(folder).found == [("a.py", 4, "key-reuse")]


def test_a_renamed_file_keeps_its_old_lines(folder: Path) -> None:
    body = "".join(f"y{i} = {i}\n" for i in range(30))
    git(folder, "checkout", "-q", "main")
    commit(folder, {"pkg/b.py": OLD + body})
    git(folder, "checkout", "-q", "-B", "work")
    git(folder, "mv", "pkg/b.py", "moved.py")
    commit(folder, {"moved.py": OLD + body + "FLAG_REUSE\n"})
    assert check(folder).found == [("moved.py", 34, "key-reuse")]


def test_moved_lines_are_no_change(folder: Path) -> None:
    commit(folder, {"a.py": "import jax\nz = 1\nFLAG_BRANCH\nx = 1\n"})
    assert check(folder).found == []


def test_a_step_of_the_chain_is_enough(folder: Path) -> None:
    git(folder, "checkout", "-q", "main")
    model = "import jax\n\n\ndef relu(x):\n    if x > 0:\n        return x\n    return 0 * x\n"
    commit(folder, {"model.py": model, "train.py": "import jax\n\nimport model\n\nf = model.relu\n"})
    git(folder, "checkout", "-q", "-B", "work")
    commit(folder, {"train.py": "import jax\n\nimport model\n\nf = jax.jit(model.relu)\n"})
    done = real_jaxlint("check", "--no-cache", "--output-format", "json", "--diff-base", "main", cwd=folder)
    assert done.found == [("model.py", 5, "traced-branch")]
    assert "train.py" in {note["path"] for note in done.json["diagnostics"][0]["notes"]}


def test_a_file_that_cannot_be_parsed_is_reported_when_it_changed(folder: Path) -> None:
    git(folder, "checkout", "-q", "main")
    commit(folder, {"broken.py": "import jax\ndef (\n"})
    git(folder, "checkout", "-q", "-B", "work")
    assert check(folder).found == []
    commit(folder, {"broken.py": "import jax\ndef (\n\n\n\nx = 1\n"})
    assert [rule for _, _, rule in check(folder).found] == ["syntax-error"]


def test_from_a_subdirectory_and_through_a_link(folder: Path, tmp_path: Path) -> None:
    commit(folder, {"pkg/b.py": OLD + "FLAG_REUSE\n", "a.py": OLD + "FLAG_REUSE\n"})
    assert check(folder / "pkg").found == [("b.py", 4, "key-reuse")]
    assert [f[1:] for f in check(folder / "pkg", "main", "../a.py").found] == [(4, "key-reuse")]
    (tmp_path / "link").symlink_to(folder)
    assert len(check(tmp_path / "link").found) == 2


def test_odd_names(folder: Path) -> None:
    git(folder, "checkout", "-q", "main")
    commit(folder, {ODD: OLD, "with space.py": OLD, "-x.py": OLD})
    git(folder, "checkout", "-q", "-B", "work")
    commit(folder, {ODD: OLD + "FLAG_REUSE\n", "with space.py": OLD + "FLAG_REUSE\n", "-x.py": "\n" + OLD})
    assert sorted(line for _, line, _ in check(folder).found) == [4, 4]


def test_the_configuration_of_the_repository_does_not_change_the_answer(folder: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    (tmp_path / "evil").write_text(f"#!/bin/sh\ntouch {ran}\n")
    (tmp_path / "evil").chmod(0o755)
    settings = {
        "diff.noprefix": "true", "diff.mnemonicPrefix": "true", "diff.interHunkContext": "9", "diff.context": "5",
        "color.ui": "always", "diff.external": str(tmp_path / "evil"), "core.fsmonitor": str(tmp_path / "evil"),
        "core.quotePath": "false", "diff.relative": "true", "diff.renames": "false", "diff.submodule": "log",
        "diff.x.textconv": str(tmp_path / "evil"),
    }  # fmt: skip
    commit(folder, {"a.py": OLD + "FLAG_REUSE\n", ".gitattributes": "*.py diff=x\npkg/*.py -diff\n"})
    commit(folder, {"pkg/b.py": OLD + "FLAG_REUSE\n"})
    for name, value in settings.items():
        git(folder, "config", name, value)
    found = [("a.py", 4, "key-reuse"), ("pkg/b.py", 4, "key-reuse")]
    assert check(folder).found == found
    hook = {"GIT_DIR": "/nowhere", "GIT_INDEX_FILE": "/nowhere/index", "GIT_EXTERNAL_DIFF": str(tmp_path / "evil")}
    assert check(folder, env=hook).found == found
    assert check(folder / "pkg").found == [("b.py", 4, "key-reuse")]
    assert not ran.exists()


def test_submodules_are_compared_with_the_commit_that_the_base_names(folder: Path, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    git(inner, "init", "-q")
    commit(inner, {"c.py": OLD, "d.py": OLD})
    git(folder, "checkout", "-q", "main")
    git(folder, "submodule", "--quiet", "add", str(inner), "lib/sub")
    commit(folder)
    git(folder, "checkout", "-q", "-B", "work")
    assert check(folder).found == []
    sub = folder / "lib" / "sub"
    commit(sub, {"c.py": OLD + "FLAG_REUSE\n"})
    commit(folder)
    write(sub, {"d.py": OLD + "FLAG_REUSE\n"})
    assert check(folder).found == [("lib/sub/c.py", 4, "key-reuse"), ("lib/sub/d.py", 4, "key-reuse")]


def test_a_linked_working_tree(folder: Path, tmp_path: Path) -> None:
    git(folder, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "other")
    commit(tmp_path / "tree", {"a.py": OLD + "FLAG_REUSE\n"})
    assert check(tmp_path / "tree").found == [("a.py", 4, "key-reuse")]


# --- wrong use


@pytest.mark.parametrize("reference", ["nowhere", "--output=x", "", "main..work", "a\nb"])
def test_a_reference_that_is_none(folder: Path, reference: str) -> None:
    done = check(folder, reference)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("jaxlint: error: --diff-base: `")
    assert done.err.endswith("` names no commit; is it fetched?\n")
    assert done.err.count("\n") == 1
    assert not (folder / "x").exists()


def test_no_repository(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": OLD})
    done = check(tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("jaxlint: error: --diff-base: needs a git repository: not a git repository")


def test_a_repository_without_commits(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, {"a.py": OLD})
    assert check(tmp_path).err == "jaxlint: error: --diff-base: `main` names no commit; is it fetched?\n"


def test_no_git(folder: Path) -> None:
    done = check(folder, env={"PATH": "/nowhere"})
    assert (done.code, done.err) == (2, "jaxlint: error: --diff-base: needs git, which is not installed\n")


def test_no_common_commit(folder: Path) -> None:
    git(folder, "checkout", "-q", "--orphan", "alone")
    commit(folder, {"own.py": ""})
    done = check(folder)
    assert done.code == 2
    assert "`main` and HEAD have no common commit; a shallow clone may lack it" in done.err


def test_standard_input(folder: Path) -> None:
    done = check(folder, "main", "-")
    assert (done.code, done.err) == (
        2,
        "jaxlint: error: --diff-base: compares files with git; standard input is not one\n",
    )


@pytest.mark.parametrize("option", ["--fix", "--diff", "--add-ignore", "--write-baseline", "--prune-baseline"])
def test_not_with_what_changes_files_or_the_baseline(folder: Path, option: str) -> None:
    before = (folder / "a.py").read_text()
    done = check(folder, "main", option)
    assert done.code == 2
    assert "--diff-base: cannot be used with options that change files or the baseline" in done.err
    assert (folder / "a.py").read_text() == before


def test_a_baseline_does_not_take_unchanged_findings_for_mended(folder: Path) -> None:
    jaxlint_here("check", "--write-baseline=known.json", cwd=folder)
    write(folder, {"a.py": OLD + "FLAG_REUSE\n"})
    done = check(folder, "main", "--baseline", "known.json")
    assert done.found == [("a.py", 4, "key-reuse")]
    assert "no longer" not in done.err


def test_an_added_line_that_looks_like_a_header() -> None:
    head = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n"
    diff = head + b"@@ -0,0 +1,2 @@\n+++ b/y\n+diff --git a/z b/z\n@@ -9 +12 @@ def f\n-a\n+b\n"
    assert list(_changes(diff)) == [("x", [(1, 2), (12, 12)])]
