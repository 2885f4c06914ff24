"""Results kept between runs: found again when nothing changed, never when something did."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from jaxlint.engine import cache
from tests.cli.command_line import ROOT, jaxlint_here, project

A = "import jax\nimport lib\nFLAG_BRANCH\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return project(tmp_path, {"pyproject.toml": "", "a.py": A, "lib.py": "x = 1\n", "out/l.py": ""})


def check(folder: Path, *arguments: str):
    return jaxlint_here("check", "--output-format", "json", *(arguments or ("a.py",)), cwd=folder)


@pytest.fixture
def hits(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    seen: list[bool] = []
    load = cache.CacheEntry.load

    def spy(self: cache.CacheEntry):
        result = load(self)
        seen.append(result is not None)
        return result

    monkeypatch.setattr(cache.CacheEntry, "load", spy)
    return seen


def test_the_same_bytes_from_the_cache(folder: Path, hits: list[bool]) -> None:
    first, second = check(folder), check(folder)
    assert hits == [False, True]
    assert (first.code, first.out) == (second.code, second.out)
    assert (folder / ".jaxlint_cache" / ".gitignore").read_text() == "*\n"
    assert (
        (folder / ".jaxlint_cache" / "CACHEDIR.TAG")
        .read_text()
        .startswith("Signature: 8a477f597d28d172789f06886806bc55")
    )


def test_content_decides_not_the_stamp(folder: Path, hits: list[bool]) -> None:
    check(folder)
    os.utime(folder / "a.py", ns=(1, 1))
    check(folder)
    (folder / "a.py").write_text(A.replace("BRANCH", "NOTHIN"))
    assert check(folder).found == []
    assert hits == [False, True, False]


def test_a_change_under_the_same_stamp_just_after_a_run_is_seen(folder: Path, hits: list[bool]) -> None:
    check(folder)
    before = (folder / "a.py").stat()
    (folder / "a.py").write_text(A.replace("BRANCH", "NOTHIN"))
    os.utime(folder / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert check(folder).found == []


def test_modules_that_were_read_or_missing_count(folder: Path, hits: list[bool]) -> None:
    check(folder)
    project(folder, {"lib.py": "x = 2\n"})
    check(folder)
    (folder / "lib.py").unlink()
    check(folder)
    project(folder, {"lib.py": "x = 2\n"})
    check(folder)
    assert hits == [False] * 4


@pytest.mark.parametrize(
    "change",
    [
        {"pyproject.toml": '[tool.jaxlint]\nignore = ["traced-branch"]\n'},
        {"b.py": "import jax"},
        {"jaxlint.toml": "x64 = true"},
    ],
)
def test_settings_and_files_are_part_of_the_key(folder: Path, hits: list[bool], change: dict[str, str]) -> None:
    check(folder, ".")
    project(folder, change)
    check(folder, ".")
    assert hits == [False, False]


def test_options_that_only_change_the_report_share_a_result(folder: Path, hits: list[bool]) -> None:
    check(folder)
    jaxlint_here("check", "a.py", "--statistics", cwd=folder)
    check(folder, "a.py", "--select", "JX2")
    assert hits == [False, True, False]


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"0" * 32 + b"\n{}", None])
def test_a_damaged_entry_is_a_miss(folder: Path, hits: list[bool], damage: bytes | None) -> None:
    first = check(folder)
    (entry,) = (folder / ".jaxlint_cache").glob("*/*.json")
    entry.write_bytes(entry.read_bytes()[:-10] if damage is None else damage)
    assert check(folder).out == first.out
    assert hits == [False, False]


def test_an_entry_with_a_right_checksum_and_wrong_content_is_a_miss(folder: Path, hits: list[bool]) -> None:
    first = check(folder)
    (entry,) = (folder / ".jaxlint_cache").glob("*/*.json")
    body = b'{"files": [1], "modules": 2}'
    entry.write_bytes(cache.digest_of(body).hex().encode() + b"\n" + body)
    assert check(folder).out == first.out


def test_a_folder_that_cannot_be_written_is_one_warning(folder: Path) -> None:
    (folder / ".jaxlint_cache").write_text("in the way")
    done = check(folder)
    assert done.code == 1
    assert done.err.startswith(f"jaxlint: warning: the cache {folder}/.jaxlint_cache cannot be written: ")
    assert done.err.count("\n") == 1


def test_no_cache_and_cache_dir(folder: Path) -> None:
    check(folder, "a.py", "--no-cache")
    assert not (folder / ".jaxlint_cache").exists()
    check(folder, "a.py", "--cache-dir", "elsewhere")
    assert list((folder / "elsewhere").glob("*/*.json"))


def test_old_entries_are_forgotten(folder: Path) -> None:
    for number in range(20):
        check(folder, "a.py", "--config", f"target-jax = '0.{number}'")
        time.sleep(0.005)
    assert len(list((folder / ".jaxlint_cache").glob("*/*.json"))) == 16


def test_every_module_of_jaxlint_is_part_of_the_key() -> None:
    stamped = {Path(path) for path, _, _ in cache.package_stamp()}
    assert stamped.issuperset((ROOT / "jaxlint").rglob("*.py"))
