"""The corpus tool: its outcome is honest, its draws and its identities are stable, and no verdict is lost."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"


def corpus(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS / "corpus.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def diagnostic(path: str, line: int, *, code: str = "JX301", fingerprint: str = "00") -> dict[str, Any]:
    return {
        "path": path, "line": line, "end_line": line, "rule": "traced-branch", "code": code, "category": "correctness",
        "confidence": "likely", "message": f"`if` in line {line}", "notes": [], "fingerprint": fingerprint,
    }  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for package in ("first", "second"):
        (tmp_path / "corpus" / package).mkdir(parents=True)
        text = "".join(f"line_{number} = {number}\n" for number in range(40))
        (tmp_path / "corpus" / package / "code.py").write_text(text, encoding="utf-8")
    return tmp_path / "corpus"


def checked(folder: Path, diagnostics: list[dict[str, Any]], name: str, status: int = 1) -> tuple[Path, int]:
    """What `check` writes and exits with, when the linter says `diagnostics` of every package."""
    report = json.dumps({"diagnostics": diagnostics, "summary": {"statistics": {"decided": {"static": 2}}}})
    script = folder.parent / f"{name}.py"
    script.write_text(f"print({report!r})\nraise SystemExit({status})\n", encoding="utf-8")
    output = folder.parent / f"{name}.json"
    linter = f"{shlex.quote(sys.executable)} {shlex.quote(str(script))}"
    done = corpus("check", "--folder", folder, "--jaxlint", linter, "--output", output)
    assert not done.stderr
    return output, done.returncode


def test_a_run_succeeds_unless_something_could_not_be_analysed(folder: Path) -> None:
    assert checked(folder, [diagnostic("code.py", 3)], "findings")[1] == 0
    assert checked(folder, [diagnostic("code.py", 1, code="JXE03")], "failed")[1] == 1
    assert checked(folder, [], "crashed", status=2)[1] == 1


def test_a_linter_without_a_report_is_a_failure(folder: Path) -> None:
    done = corpus("check", "--folder", folder, "--jaxlint", "false", "--output", folder.parent / "none.json")
    assert done.returncode == 1
    assert "2 failed runs" in done.stdout


def test_statistics_are_summed_over_packages(folder: Path) -> None:
    output, _ = checked(folder, [], "run", status=0)
    assert "decided: 4" in corpus("statistics", "--findings", output).stdout


def test_a_draw_depends_on_the_seed_alone(folder: Path) -> None:
    found = [diagnostic("code.py", line, fingerprint=f"{line:02}") for line in range(1, 31)]
    one, _ = checked(folder, found, "one")
    other, _ = checked(folder, found[::-1], "other")
    draws = [corpus("sample", "--findings", run, "--seed", "7", "--count", "5").stdout for run in (one, other)]
    assert draws[0] == draws[1]
    assert draws[0].count("===") == 5
    assert draws[0] != corpus("sample", "--findings", one, "--seed", "8", "--count", "5").stdout


def test_verdicts_survive_another_draw(folder: Path, tmp_path: Path) -> None:
    run, _ = checked(folder, [diagnostic("code.py", 3)], "run")
    table = tmp_path / "verdicts.tsv"
    corpus("sample", "--findings", run, "--tsv", table)
    head, first, second = table.read_text(encoding="utf-8").splitlines()
    table.write_text("\n".join([head, f"{first.rstrip()}\ttrue\tit branches", second, ""]), encoding="utf-8")
    corpus("sample", "--findings", run, "--seed", "1", "--tsv", table)
    assert table.read_text(encoding="utf-8").splitlines()[1].endswith("true\tit branches")
    assert "100.0%" in corpus("judge-summary", table).stdout


def test_a_verdict_needs_a_reason(folder: Path, tmp_path: Path) -> None:
    run, _ = checked(folder, [diagnostic("code.py", 3)], "run")
    table = tmp_path / "verdicts.tsv"
    corpus("sample", "--findings", run, "--tsv", table)
    table.write_text(table.read_text(encoding="utf-8").replace("\t\t\n", "\ttrue\t\n"), encoding="utf-8")
    done = corpus("judge-summary", table)
    assert done.returncode == 1
    assert "verdicts.tsv:2: the verdict has no reason" in done.stderr


def test_a_finding_that_moved_is_the_same_finding(folder: Path) -> None:
    before, _ = checked(folder, [diagnostic("code.py", 3, fingerprint="aa")], "before")
    moved = [diagnostic("code.py", 9, fingerprint="aa"), diagnostic("code.py", 4, fingerprint="bb")]
    after, _ = checked(folder, moved, "after")
    assert corpus("diff", before, after).stdout.splitlines()[-1] == "-0 +2 ~2"


def test_a_wheel_is_unpacked_as_a_project_of_its_own(tmp_path: Path) -> None:
    downloads = tmp_path / "corpus" / ".downloads"
    downloads.mkdir(parents=True)
    with zipfile.ZipFile(downloads / "some_thing-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("some_thing/__init__.py", "x = 1\n")
        wheel.writestr("some_thing-1.0.dist-info/METADATA", "Name: some-thing\nRequires-Dist: jax>=0.5\n")
    pins = tmp_path / "pins.txt"
    pins.write_text("Some.Thing==1.0  # comment\n", encoding="utf-8")
    done = corpus("fetch", "--folder", tmp_path / "corpus", "--requirements", pins)
    assert done.returncode == 0, done.stderr
    assert "'jax>=0.5'," in (tmp_path / "corpus" / "some-thing" / "pyproject.toml").read_text(encoding="utf-8")
