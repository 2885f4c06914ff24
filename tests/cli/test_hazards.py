"""What may stand in a folder or happen to a process, and must cost one file or one line, never the run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.command_line import FAKE, jaxlint, listen_to_interrupts, project

A = "import jax\nFLAG_BRANCH\n"


def check(folder: Path, *arguments: str, **options):
    return jaxlint("check", "--output-format", "json", *arguments, cwd=folder, **options)


def rules(done) -> dict[str, str]:
    return {path: rule for path, _, rule in done.found}


def test_pipes_and_devices_never_hang_a_run(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": A})
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "zero.py").symlink_to("/dev/zero")
    assert rules(check(tmp_path, timeout=60)) == {"a.py": "traced-branch"}
    named = check(tmp_path, "pipe.py", "zero.py", "a.py", timeout=60)
    assert rules(named) == {"a.py": "traced-branch", "pipe.py": "unreadable-file", "zero.py": "unreadable-file"}


def test_a_device_as_configuration(tmp_path: Path) -> None:
    project(tmp_path, {"jaxlint.toml": 'extend = "/dev/zero"', "a.py": A})
    done = check(tmp_path, timeout=60)
    assert (done.code, done.err) == (2, "jaxlint: error: /dev/zero: is not a regular file\n")


def test_links_in_circles(tmp_path: Path) -> None:
    project(tmp_path, {"a/a.py": A})
    (tmp_path / "a" / "again").symlink_to(tmp_path / "a")
    (tmp_path / "loop.py").symlink_to(tmp_path / "loop.py")
    (tmp_path / "gone.py").symlink_to(tmp_path / "nothing")
    assert rules(check(tmp_path)) == {"a/a.py": "traced-branch"}


def test_names_cannot_forge_lines_or_move_the_cursor(tmp_path: Path) -> None:
    names = ["new\nline.py", "esc\x1b[2J.py", "bidi\u202e.py", os.fsdecode(b"byte\xff.py"), "日本.py"]
    project(tmp_path, dict.fromkeys(names, A))
    out = jaxlint("check", cwd=tmp_path).out
    assert "new\\nline.py:2:1: JX301" in out
    assert "esc\\x1b[2J.py:2:1: JX301" in out
    assert "bidi\\u202e.py:2:1: JX301" in out
    assert "byte\\xff.py:2:1: JX301" in out
    assert "日本.py:2:1: JX301" in out
    assert out.count("\n") == 6
    assert {os.fsencode(p) for p in rules(check(tmp_path))} == {os.fsencode(n) for n in names}


def test_ascii_locale(tmp_path: Path) -> None:
    project(tmp_path, {"日本.py": A, "é/a.py": A, "aus/ö.py": A, ".gitignore": "ö.py\n"})
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for report_format in ("concise", "json", "github"):
        arguments = ("check", "--output-format", report_format, "--no-cache")
        done = jaxlint(*arguments, cwd=tmp_path, env=ascii_only)
        assert done.code == 1
        assert "JX301" in done.out
        assert done == jaxlint(*arguments, cwd=tmp_path, env={"LC_ALL": "C.UTF-8"})


def test_unreadable_content(tmp_path: Path) -> None:
    big = b"import jax\n" + b"x = 1\n" * (9 * 1024 * 1024 // 6)
    project(tmp_path, {"big.py": big, "latin.py": b"import jax\nx = '\xe9'\n", "a.py": A, "nul.py": b"import jax\0\n"})
    found = rules(check(tmp_path))
    assert found["a.py"] == "traced-branch"
    assert found["big.py"] == "unreadable-file"
    assert found["latin.py"] == "unreadable-file"
    assert found["nul.py"] in ("syntax-error", "unreadable-file")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_permissions(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": A, "secret.py": A})
    (tmp_path / "secret.py").chmod(0)
    assert rules(check(tmp_path)) == {"a.py": "traced-branch", "secret.py": "unreadable-file"}


def test_deep_and_long_expressions_cost_one_file(tmp_path: Path) -> None:
    project(
        tmp_path,
        {
            "a.py": A,
            "deep.py": "import jax\nx = " + "(" * 5000 + "1" + ")" * 5000 + "\n",
            "long.py": "import jax\nx = " + "+".join(["a"] * 20000) + "\n",
            "plain_deep.py": "x = " + "[" * 5000 + "]" * 5000 + "\n",
        },
    )
    found = rules(check(tmp_path, timeout=110))
    assert found["a.py"] == "traced-branch"
    assert found["deep.py"] == "analysis-limited"
    assert found.get("long.py", "analysis-limited") == "analysis-limited"
    assert found["plain_deep.py"] == "analysis-limited"


def test_deleted_working_directory(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f"cd {gone} && rmdir {gone} && {sys.executable} {FAKE} check"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "jaxlint: error: the working directory no longer exists\n")


def shell(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    command = script.replace("JAXLINT", f"{sys.executable} {FAKE}")
    return subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def many(tmp_path: Path) -> Path:
    return project(tmp_path, {"a.py": "import jax\n" + "FLAG_BRANCH\n" * 5000})


def test_a_reader_that_leaves(many: Path) -> None:
    done = shell(many, "JAXLINT check | head -1; exit ${PIPESTATUS[0]}")
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("command", ["check", "check --help", "--help", "--version", "rules", "explain key-reuse"])
def test_a_full_device(many: Path, command: str) -> None:
    done = shell(many, f"JAXLINT {command} > /dev/full")
    assert done.returncode == 2
    assert done.stderr == "jaxlint: error: standard output cannot be written: no space left on device\n"


def test_closed_output(many: Path) -> None:
    assert shell(many, "JAXLINT check >&-").returncode == 1
    assert shell(many, "JAXLINT check nowhere 2>&-").returncode == 2


def test_no_home_and_one_column(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": A})
    done = jaxlint("check", "--output-format", "full", cwd=tmp_path, env={"COLUMNS": "1", "HOME": ""})
    assert done.code == 1
    assert done.err == ""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_interrupt_ends_at_once_without_traceback(tmp_path: Path) -> None:
    project(tmp_path, {f"m{i}.py": "import jax\n" + "x = [1, 2, 3]\n" * 20000 for i in range(8)})
    command = [sys.executable, str(FAKE), "check", "--no-cache"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=listen_to_interrupts,  # noqa: PLW1509 - no other thread runs here
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not children.read_text().split():  # until its workers are at work
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    started = time.monotonic()
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - started < 10
    assert process.returncode == 130
    assert err.strip() == ""


def test_code_of_the_project_is_never_imported(tmp_path: Path) -> None:
    trap = "raise SystemExit('the project was executed')\n"
    project(tmp_path, {"click.py": trap, "libcst/__init__.py": trap, "a.py": A, "json.py": trap})
    root = str(Path(FAKE).parents[2])
    command = [sys.executable, "-m", "jaxlint", "check", "--select", "JX301"]
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": root}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert "executed" not in done.stdout + done.stderr
    assert done.returncode in (0, 1)
