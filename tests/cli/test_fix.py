"""`--fix` and what belongs to it, on files that tests write; the fixes are those of the stand-in analysis."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxlint.edit import apply_fixes
from jaxlint.engine.load import LoadTask, load
from jaxlint.files import atomic_write
from tests.cli.command_line import FAKE, Finished, jaxlint, project
from tests.cli.command_line import jaxlint_here as here

A = "import jax\nSAFE  # why\n"
NOBODY = 65534


def check(folder: Path, *arguments: str, **options) -> Finished:
    return here("check", *arguments, cwd=folder, **options)


def read(folder: Path, name: str = "a.py") -> str:
    return (folder / name).read_bytes().decode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return project(
        tmp_path / "project", {"a.py": "import jax\nSAFE\nUNSAFE\nSHOWN\n", "b.py": A, "c.py": "import jax\n"}
    )


# --- what is fixed, and what is said


def test_safe_fixes(folder: Path) -> None:
    done = check(folder, "--fix")
    assert done.code == 1
    assert read(folder) == "import jax\ndone\nUNSAFE\nSHOWN\n"
    assert read(folder, "b.py") == "import jax\ndone  # why\n"
    assert done.out.splitlines() == [
        "a.py:3:1: JX901 word: `UNSAFE` is here [unsafe fix]",
        "a.py:4:1: JX901 word: `SHOWN` is here [display-only fix]",
        "Fixed 2 problems. Found 2 warnings in 3 files. 1 can be fixed with --fix --unsafe-fixes.",
    ]


def test_unsafe_fixes(folder: Path) -> None:
    done = check(folder, "--fix", "--unsafe-fixes", "--show-fixes")
    assert read(folder) == "import jax\ndone\ndone\nSHOWN\n"
    assert done.err.splitlines() == ["Fixed in a.py:", "      2  word", "Fixed in b.py:", "      1  word"]


def test_without_fix_nothing_is_written(folder: Path) -> None:
    done = check(folder, "--unsafe-fixes")
    assert read(folder, "b.py") == A
    assert "2 can be fixed with --fix, 1 more with --unsafe-fixes." in done.out


def test_a_second_run_changes_nothing(folder: Path) -> None:
    check(folder, "--fix", "--unsafe-fixes")
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.glob("*.py")}
    again = check(folder, "--fix", "--unsafe-fixes")
    assert "Fixed" not in again.out
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.glob("*.py")} == before


def test_json_tells_what_was_fixed_and_how_the_rest_could_be(folder: Path) -> None:
    done = check(folder, "--fix", "--output-format", "json")
    assert done.json["summary"]["fixed"] == 2
    assert done.json["summary"]["fixable"] == 1
    fix = done.json["diagnostics"][0]["fix"]
    assert fix == {
        "title": "Write `done`",
        "applicability": "unsafe",
        "reason": "the test says so",
        "edits": [
            {"path": "a.py", "cell": None, "line": 3, "column": 1, "end_line": 3, "end_column": 7, "text": "done"}
        ],
    }


def test_the_full_report_shows_the_fix_and_why_it_is_not_safe(folder: Path) -> None:
    out = check(folder, "--output-format", "full").out
    assert "help: Write `done` (safe fix)" in out
    assert "help: Write `done` (unsafe fix: the test says so)" in out
    assert "help: Write `done` (display-only fix: the test says so)" in out


def test_fixing_after_a_check_that_the_cache_remembers(folder: Path) -> None:
    for _ in range(2):
        check(folder, "--cache-dir", "cache")
    assert "Fixed 2 problems." in check(folder, "--fix", "--cache-dir", "cache").out
    assert read(folder, "b.py") != A


def test_what_a_comment_silences_is_not_fixed(folder: Path) -> None:
    project(folder, {"b.py": "import jax\nSAFE  # jaxlint: ignore[word]\n"})
    check(folder, "--fix", "--unsafe-fixes")
    assert read(folder, "b.py") == "import jax\nSAFE  # jaxlint: ignore[word]\n"


def test_fix_only(folder: Path) -> None:
    done = check(folder, "--fix-only")
    assert (done.code, done.out) == (0, "")
    assert done.err == "Fixed 2 problems in 2 files.\n"


def test_exit_codes(folder: Path) -> None:
    project(folder, {"a.py": "import jax\n"})
    copy = shutil.copytree(folder, folder.parent / "copy")
    assert check(folder, "--fix").code == 0
    assert check(copy, "--fix", "--exit-non-zero-on-fix").code == 1
    assert check(copy, "--fix", "--exit-non-zero-on-fix").code == 0


@pytest.mark.parametrize(
    "arguments", [["--unfixable", "word"], ["--fixable", "wide"], ["--config", 'unfixable=["JX9"]']]
)
def test_rules_that_are_not_to_be_fixed(folder: Path, arguments: list[str]) -> None:
    done = check(folder, "--fix", *arguments)
    assert read(folder, "b.py") == A
    assert "[safe fix]" not in done.out


def test_the_closer_selector_decides_what_is_fixable(folder: Path) -> None:
    check(folder, "--fix", "--unfixable", "words", "--fixable", "JX901")
    assert read(folder, "b.py") != A
    done = check(folder, "--fixable", "nonsense")
    assert (done.code, done.err) == (2, "jaxlint: error: fixable: unknown rule `nonsense`\n")


@pytest.mark.parametrize("how", ["option", "settings"])
def test_rules_whose_unsafe_fixes_are_made_like_safe_ones(folder: Path, how: str) -> None:
    if how == "settings":
        project(folder, {"pyproject.toml": '[tool.jaxlint]\nextend-safe-fixes = ["words"]\n'})
    done = check(folder, "--fix", *(("--extend-safe-fixes", "word") if how == "option" else ()))
    assert read(folder) == "import jax\ndone\ndone\nSHOWN\n"
    assert "[display-only fix]" in done.out


def test_an_unknown_rule_whose_fixes_are_to_be_made(folder: Path) -> None:
    done = check(folder, "--extend-safe-fixes", "nonsense")
    assert (done.code, done.err) == (2, "jaxlint: error: extend-safe-fixes: unknown rule `nonsense`\n")


# --- the difference


def test_diff_writes_nothing_and_patch_takes_it(folder: Path) -> None:
    project(folder, {"b.py": b"import jax\r\n# \xe4\r\nSAFE", "d.py": "\ufeffimport jax\nSAFE"})
    project(folder, {"b.py": b"# coding: latin-1\r\nimport jax\r\n# \xe4\r\nSAFE"})
    before = {path.name: path.read_bytes() for path in folder.glob("*.py")}
    done = jaxlint_bytes("check", "--diff", cwd=folder)
    assert done.returncode == 1
    assert done.stderr == b"Would fix 3 problems in 3 files.\n"
    assert {path.name: path.read_bytes() for path in folder.glob("*.py")} == before
    copy = shutil.copytree(folder, folder.parent / "copy")
    subprocess.run(["patch", "-p0", "--binary", "-s"], cwd=copy, input=done.stdout, check=True)
    check(folder, "--fix")
    for path in folder.glob("*.py"):
        assert path.read_bytes() == (copy / path.name).read_bytes()
    assert check(folder, "--diff").code == 0


def jaxlint_bytes(*arguments: str, cwd: Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, str(FAKE), *arguments], cwd=cwd, input=stdin, capture_output=True, timeout=60, check=False
    )


def test_diff_of_nothing(folder: Path) -> None:
    done = check(folder, "--diff", "c.py")
    assert (done.code, done.out, done.err) == (0, "", "")


def test_standard_input_is_given_back(folder: Path) -> None:
    source = b"\xef\xbb\xbfimport jax\r\nSAFE\r\nUNSAFE"
    done = jaxlint_bytes("check", "--fix", "-", cwd=folder, stdin=source)
    assert done.stdout == b"\xef\xbb\xbfimport jax\r\ndone\r\nUNSAFE"
    assert b"<stdin>:3:1: JX901 word: `UNSAFE` is here" in done.stderr
    assert done.returncode == 1
    silenced = jaxlint_bytes("check", "--add-ignore", "-", cwd=folder, stdin=b"import jax\nSAFE\n")
    assert silenced.stdout == b"import jax\nSAFE  # jaxlint: ignore[word]\n"
    same = jaxlint_bytes("check", "--fix", "-", cwd=folder, stdin=b"import jax\n(")
    assert same.stdout == b"import jax\n("
    difference = jaxlint_bytes(
        "check", "--diff", "-", "--stdin-filename", "x.py", cwd=folder, stdin=b"import jax\nSAFE\n"
    )
    assert difference.stdout.startswith(b"--- x.py\n+++ x.py\n@@ -1,2 +1,2 @@\n")


# --- conflicts, breakage, turns


def test_overlapping_fixes_are_made_one_after_the_other(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": "import jax\nWIDE(WIDE(SAFE))\n"})
    assert check(tmp_path, "--fix").code == 0
    assert read(tmp_path) == "import jax\nwide(wide(done))\n"


def test_a_fix_that_would_break_the_code_is_left_out(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": "import jax\nSAFE\nBREAK\nSAFE\n", "b.py": A})
    done = check(tmp_path, "--fix")
    assert read(tmp_path) == "import jax\ndone\nBREAK\ndone\n"
    assert read(tmp_path, "b.py") != A
    assert done.err == ("jaxlint: warning: a.py: the fix of word at line 3 would break the code, and is left out\n")
    assert done.code == 1


def test_fixes_that_never_settle_leave_the_file_as_it_was(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": "import jax\nSAFE\nTURN\n", "b.py": A})
    done = check(tmp_path, "--fix")
    assert read(tmp_path) == "import jax\nSAFE\nTURN\n"
    assert read(tmp_path, "b.py") != A
    assert done.err == "jaxlint: warning: a.py: fixes do not settle after 10 rounds; it is left as it was\n"
    assert [line.split()[0] for line in done.out.splitlines()[:2]] == ["a.py:2:1:", "a.py:3:1:"]


def test_a_fix_that_crashes_is_told(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": "import jax\nCRASH\nSAFE\n"})
    done = check(tmp_path, "--fix")
    assert read(tmp_path) == "import jax\nCRASH\ndone\n"
    assert "the fix of word failed (ValueError: the test asked for it); please report it" in done.err


# --- files as they are on disk


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\xef\xbb\xbfimport jax\nSAFE\n", b"\xef\xbb\xbfimport jax\ndone\n"),
        (b"import jax\r\nSAFE\r\n", b"import jax\r\ndone\r\n"),
        (b"import jax\rSAFE\r", b"import jax\rdone\r"),
        (b"import jax\nSAFE", b"import jax\ndone"),
        (b"# coding: latin-1\nimport jax\n'\xe4'; SAFE\n", b"# coding: latin-1\nimport jax\n'\xe4'; done\n"),
        (b"import jax\n\x0c\nSAFE \t\n \n", b"import jax\n\x0c\ndone \t\n \n"),
        ("import jax\n'\U0001f600'; SAFE # ä\n".encode(), "import jax\n'\U0001f600'; done # ä\n".encode()),
        ("# coding: shift_jis\nimport jax\n'日本'; SAFE\n".encode("shift_jis"),
         "# coding: shift_jis\nimport jax\n'日本'; done\n".encode("shift_jis")),
    ],
)  # fmt: skip
def test_bytes_beside_the_fix_stay(tmp_path: Path, before: bytes, after: bytes) -> None:
    project(tmp_path, {"a.py": before})
    check(tmp_path, "--fix")
    assert (tmp_path / "a.py").read_bytes() == after


def test_permissions_and_links_are_kept(tmp_path: Path) -> None:
    project(tmp_path, {"real/a.txt": A})
    target = tmp_path / "real" / "a.txt"
    target.chmod(0o750)
    if os.geteuid() == 0:
        os.chown(target, NOBODY, NOBODY)
    owner = (target.stat().st_uid, target.stat().st_gid)
    (tmp_path / "a.py").symlink_to(target)
    check(tmp_path, "--fix")
    assert (tmp_path / "a.py").is_symlink()
    assert target.read_text() == "import jax\ndone  # why\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o750
    assert (target.stat().st_uid, target.stat().st_gid) == owner
    assert sorted(path.name for path in tmp_path.rglob(".jaxlint-*")) == []


def test_one_file_by_two_names(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": A})
    (tmp_path / "b.py").symlink_to(tmp_path / "a.py")
    done = check(tmp_path, "--fix")
    assert (done.code, done.err) == (0, "")
    assert read(tmp_path) == "import jax\ndone  # why\n"


@pytest.fixture
def nobodys(tmp_path: Path) -> Iterator[Path]:
    """A folder that belongs to an unprivileged user, where that user can get to it."""
    load(LoadTask("a.py", "a", False, A.encode()))  # imports what only we may read; so does the next line
    check(project(tmp_path, {"a.py": A}), "--fix", "--no-cache", "--jobs", "2")
    folder = Path(tempfile.mkdtemp(prefix="jaxlint-test-"))
    project(folder, {"a.py": A, "locked.py": A, "shut/c.py": A})
    for path in (folder, *folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    (folder / "locked.py").chmod(0o444)
    (folder / "shut").chmod(0o555)
    yield folder
    shutil.rmtree(folder)


def _others_can_read(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in path.resolve().parents)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may become somebody else")
@pytest.mark.skipif(not _others_can_read(Path(__file__)), reason="somebody else could not import jaxlint from here")
def test_files_that_cannot_be_written_are_told_and_the_others_fixed(nobodys: Path) -> None:
    told = nobodys / "told.json"
    pid = os.fork()
    if pid == 0:
        try:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            done = check(nobodys, "--fix", "--no-cache", "--jobs", "2")
            told.write_text(json.dumps([done.code, done.err]))
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    code, err = json.loads(told.read_text())
    denied = "cannot be written: permission denied"
    assert err == f"jaxlint: error: locked.py: {denied}\njaxlint: error: shut/c.py: {denied}\n"
    assert code == 2
    assert read(nobodys) == "import jax\ndone  # why\n"
    assert read(nobodys, "locked.py") == read(nobodys, "shut/c.py") == A


def test_what_could_not_be_written_is_still_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path, {"a.py": A, "b.py": A})

    def full(source: str, target: str) -> None:
        if target.endswith("a.py"):
            raise OSError(28, "No space left on device")
        os.rename(source, target)

    monkeypatch.setattr(atomic_write.os, "replace", full)
    done = check(tmp_path, "--fix", "--no-cache")
    assert done.code == 2
    assert done.err == "jaxlint: error: a.py: cannot be written: no space left on device\n"
    assert done.out.startswith("a.py:2:1: JX901 word: `SAFE` is here [safe fix]\nFixed 1 problem. Found 1 warning")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".git", "a.py", "b.py"]


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_file_that_changed_meanwhile_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    project(tmp_path, {"a.py": A, "b.py": A})
    theirs = "import jax\n# typed just now\n"
    if moment == "before":
        own = apply_fixes.read_checked

        def reading(path: str, contents, digests):
            (tmp_path / "a.py").write_text(theirs)
            return own(path, contents, digests)

        monkeypatch.setattr(apply_fixes, "read_checked", reading)
    else:
        made = atomic_write._make_alike

        def ready(temporary: str, target: str, before: os.stat_result) -> None:
            (tmp_path / "a.py").write_text(theirs)
            made(temporary, target, before)

        monkeypatch.setattr(atomic_write, "_make_alike", ready)
    done = check(tmp_path, "--fix", "--no-cache", "--jobs", "2")
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert done.err.startswith("jaxlint: error: a.py: ")
    assert "it changed while it was being checked" in done.err
    assert read(tmp_path) == theirs
    assert read(tmp_path, "b.py") != A


def test_killed_in_the_middle_each_file_is_old_or_new(tmp_path: Path) -> None:
    names = [f"m{number:03}.py" for number in range(300)]
    old, new = "import jax\n" + "SAFE\n" * 50, "import jax\n" + "done\n" * 50
    seen = set()
    for delay in (0.0, 0.02, 0.05):
        project(tmp_path, dict.fromkeys(names, old))
        process = subprocess.Popen(
            [sys.executable, str(FAKE), "check", "--fix", "--no-cache"],
            cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        first = tmp_path / names[0]
        deadline = time.monotonic() + 60
        while first.read_text() == old and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(delay)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        contents = {(tmp_path / name).read_text() for name in names}
        assert contents <= {old, new}
        seen |= contents
    assert seen == {old, new}


def test_the_order_of_files_and_the_number_of_jobs_make_no_difference(tmp_path: Path) -> None:
    files = {f"m{number}.py": "import jax\n" + "WIDE(SAFE); UNSAFE\n" * (number + 1) for number in range(6)}
    outcomes = []
    for name, arguments in {
        "one": ["--jobs", "1"],
        "two": ["--jobs", "2"],
        "back": ["--jobs", "1", *sorted(files, reverse=True)],
    }.items():
        folder = tmp_path / name
        folder.mkdir()
        done = jaxlint("check", "--fix", "--no-cache", *arguments, cwd=project(folder, files))
        outcomes.append((done.out, done.err, done.code, {n: read(folder, n) for n in files}))
    assert outcomes[0] == outcomes[1] == outcomes[2]


# --- suppressions


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("FLAG_BRANCH\n", "FLAG_BRANCH  # jaxlint: ignore[traced-branch]\n"),
        ("FLAG_BRANCH", "FLAG_BRANCH  # jaxlint: ignore[traced-branch]"),
        ("FLAG_BRANCH; FLAG_REUSE\r\n", "FLAG_BRANCH; FLAG_REUSE  # jaxlint: ignore[key-reuse, traced-branch]\r\n"),
        ("f(\n    FLAG_BRANCH,\n)  \n", "f(\n    FLAG_BRANCH,\n)  # jaxlint: ignore[traced-branch]\n"),
        ("if FLAG_BRANCH:\n    x\n", "if FLAG_BRANCH:  # jaxlint: ignore[traced-branch]\n    x\n"),
        ("if x:\n\tFLAG_BRANCH  # a\n", "if x:\n\t# jaxlint: ignore[traced-branch]\n\tFLAG_BRANCH  # a\n"),
        ("@FLAG_BRANCH\ndef f():\n    pass\n", "@FLAG_BRANCH  # jaxlint: ignore[traced-branch]\ndef f():\n    pass\n"),
        (
            "@a\ndef f(x=FLAG_BRANCH):  # b\n    pass\n",
            "@a\n# jaxlint: ignore[traced-branch]\ndef f(x=FLAG_BRANCH):  # b\n    pass\n",
        ),
        (
            "FLAG_BRANCH; FLAG_REUSE  # jaxlint: ignore[key-reuse] -- known\n",
            "FLAG_BRANCH; FLAG_REUSE  # jaxlint: ignore[key-reuse, traced-branch] -- known\n",
        ),
        (
            "# jaxlint: ignore[key-reuse]\nFLAG_BRANCH; FLAG_REUSE  # a\n",
            "# jaxlint: ignore[key-reuse, traced-branch]\nFLAG_BRANCH; FLAG_REUSE  # a\n",
        ),
        ("x = '''\n''', FLAG_BRANCH\n", "x = '''\n''', FLAG_BRANCH  # jaxlint: ignore[traced-branch]\n"),
        ("x = FLAG_BRANCH, '''\n#'''\n", "x = FLAG_BRANCH, '''\n#'''  # jaxlint: ignore[traced-branch]\n"),
        ("x = 1 + \\\n    FLAG_BRANCH\n", "x = 1 + \\\n    FLAG_BRANCH  # jaxlint: ignore[traced-branch]\n"),
    ],
)
def test_add_ignore(tmp_path: Path, before: str, after: str) -> None:
    project(tmp_path, {"a.py": f"import jax\n{before}"})
    assert check(tmp_path, "--add-ignore").code == 0
    assert read(tmp_path) == f"import jax\n{after}"
    assert check(tmp_path).code == 0
    again = check(tmp_path, "--add-ignore")
    assert (again.code, read(tmp_path)) == (0, f"import jax\n{after}")
    assert again.err == "Added suppressions for 0 findings in 0 files.\n"


def test_add_ignore_with_a_reason_never_takes_a_path(folder: Path) -> None:
    done = check(folder, "--add-ignore=not mine", "b.py")
    assert done.err == "Added suppressions for 1 finding in 1 file.\n"
    assert "# jaxlint: ignore[word] -- not mine\nSAFE  # why" in read(folder, "b.py")
    assert check(folder, "--add-ignore", "a.py").code == 0
    assert "SAFE  # jaxlint: ignore[word]\n" in read(folder)
    wrong = check(folder, "--add-ignore=two\nlines")
    assert (wrong.code, wrong.err) == (2, "jaxlint: error: --add-ignore: the reason must be one line\n")


@pytest.mark.parametrize(
    "arguments", [["--fix", "--add-ignore"], ["--diff", "--write-baseline"], ["--fix-only", "--prune-baseline"]]
)
def test_one_thing_at_a_time(folder: Path, arguments: list[str]) -> None:
    done = check(folder, *arguments)
    assert done.code == 2
    assert "cannot be used together" in done.err


# --- baselines


def test_a_baseline_hides_what_is_known(folder: Path) -> None:
    wrote = check(folder, "--write-baseline")
    said = wrote.err.splitlines()
    assert (wrote.code, said[0]) == (0, "Wrote 4 findings to jaxlint-baseline.json.")
    assert "--baseline jaxlint-baseline.json" in said[1]
    assert '`baseline = "jaxlint-baseline.json"`' in said[2]
    known = ["--baseline", "jaxlint-baseline.json"]
    done = check(folder, *known)
    assert (done.code, done.out) == (0, "No problems found in 3 files (4 in the baseline).\n")
    project(folder, {"b.py": f"import os\nimport jax\n\n\n{A}SAFE\n"})
    assert [line.split(" ")[0] for line in check(folder, *known).out.splitlines()[:-1]] == ["b.py:7:1:"]
    project(folder, {"pyproject.toml": '[tool.jaxlint]\nbaseline = "jaxlint-baseline.json"\n'})
    assert check(folder / ".git" / "..", "a.py").code == 0


def test_the_bytes_of_a_baseline(folder: Path) -> None:
    check(folder, "--write-baseline=one.json", "--jobs", "1")
    check(folder, "--write-baseline=two.json", "b.py", "a.py", "c.py")
    one = (folder / "one.json").read_text()
    assert one == (folder / "two.json").read_text()
    document = json.loads(one)
    rows = document["findings"]
    assert document["jaxlint_baseline"] == 2
    assert rows == sorted(rows, key=lambda row: (row["path"], row["rule"], row["fingerprint"]))
    assert {row["path"] for row in rows} == {"a.py", "b.py"}
    sub = folder / "sub"
    sub.mkdir()
    check(sub, "--write-baseline=../two.json", "..")
    assert one == (folder / "two.json").read_text()


def test_stale_entries_are_told_and_pruned_on_request(folder: Path) -> None:
    check(folder, "--write-baseline=known.json")
    project(folder, {"a.py": "import jax\nUNSAFE\n"})
    (folder / "b.py").unlink()
    known = ["--baseline", "known.json"]
    done = check(folder, *known)
    told = "jaxlint: warning: known.json: 3 findings of word no longer found; --prune-baseline removes them\n"
    assert (done.code, done.err) == (0, told)
    assert check(folder, *known, "--ignore", "word", "a.py").err.count("1 finding of word") == 1  # b.py is gone
    assert check(folder, *known, "c.py").err.count("1 finding of word") == 1
    pruned = check(folder, *known, "--prune-baseline")
    assert (pruned.code, pruned.err) == (0, "Removed 3 findings from known.json.\n")
    assert len(json.loads((folder / "known.json").read_text())["findings"]) == 1
    assert check(folder, *known).err == ""


def test_what_a_baseline_knows_is_not_fixed(folder: Path) -> None:
    check(folder, "--write-baseline=known.json", "b.py")
    check(folder, "--fix", "--baseline", "known.json")
    assert read(folder, "b.py") == A
    assert "done" in read(folder)


def test_errors_of_the_engine_are_never_known(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": "import jax\n("})
    assert check(tmp_path, "--write-baseline=known.json").err.startswith("Wrote 0 findings to known.json.\n")
    assert check(tmp_path, "--baseline", "known.json").code == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no such baseline; --write-baseline makes one"),
        (b"", "is not a baseline: Expecting value"),
        (b"[1]", "is not a baseline: `jaxlint_baseline` is missing"),
        (b'{"jaxlint_baseline": 3}', "is a baseline of version 3; this jaxlint reads up to version 2"),
        (b'{"jaxlint_baseline": 1}', "is not a baseline: `findings` is not an array"),
        (b'{"jaxlint_baseline": 1, "findings": [{"path": 1}]}', "finding 1 needs `path`, `rule` and `fingerprint`"),
        (b"\xff", "is not a baseline: it is not JSON in UTF-8"),
        (b"[" * 100_000, "is not a baseline"),
    ],
)
def test_bad_baselines(tmp_path: Path, content: bytes | None, message: str) -> None:
    project(tmp_path, {"a.py": A} if content is None else {"a.py": A, "known.json": content})
    done = check(tmp_path, "--baseline", "known.json")
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1


def test_pruning_needs_a_baseline(folder: Path) -> None:
    assert check(folder, "--prune-baseline").code == 2
