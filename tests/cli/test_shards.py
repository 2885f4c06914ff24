"""Shards of a check, merged, give the bytes and exit code of the check; what does not belong together is refused."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.cli.command_line import Finished, project, real_jaxlint_here

KEY = "import jax\n\nkey = jax.random.key(0)\n"
DRAW = "import jax\n\ndef draw(key):\n    return jax.random.normal(key)\n"
REUSE = KEY + "a = jax.random.normal(key)\nb = jax.random.normal(key)\n"
FILES = {
    "one/pyproject.toml": "",
    "one/lib.py": DRAW,
    "one/use.py": KEY + "from lib import draw\na = draw(key)\nb = draw(key)\n",
    "one/behind.py": KEY + "from silent import draw\na = draw(key)\nb = draw(key)\n",
    "one/silent.py": "from deeper import draw\n",
    "one/deeper.py": "from lib import draw\n",
    "two/pyproject.toml": "",
    "two/a.py": REUSE,
    "two/b.py": REUSE + "c = jax.random.normal(key)  # jaxlint: ignore[key-reuse]\n",
    "two/broken.py": "import jax\nx = (\n",
    "two/other.py": "x = 1\n",
    "two/odd.py": "import jax\nx = missing.library(1)  # jaxlint: ignore[key-reuse]\n",
}
FORMATS = ("full", "json", "sarif")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "here").mkdir()
    return project(tmp_path / "here", dict(FILES))


def check(folder: Path, *options: str) -> Finished:
    return real_jaxlint_here("check", "-j1", "--no-cache", *options, cwd=folder)


def shards(folder: Path, count: int, *options: str) -> list[str]:
    """The reports of all shards of a check."""
    names = [f"shard-{number}.json" for number in range(1, count + 1)]
    for number, name in enumerate(names, 1):
        done = check(folder, "--shard", f"{number}/{count}", "-o", name, *options, ".")
        assert (done.code, done.out) == (0, "")
    return names


def merge(folder: Path, *options: str) -> Finished:
    return real_jaxlint_here("merge", *options, cwd=folder)


def test_merged_shards_are_the_whole(folder: Path) -> None:
    wholes = {chosen: check(folder, "--output-format", chosen, "--statistics", ".") for chosen in FORMATS}
    for count in (1, 2, 5):
        names = shards(folder, count)
        for chosen, whole in wholes.items():
            shuffled = random.Random(count).sample(names, count)
            merged = merge(folder, "--output-format", chosen, "--statistics", *shuffled)
            assert (merged.code, merged.out, merged.err) == (whole.code, whole.out, whole.err) == (1, whole.out, "")


def test_every_shard_has_something_to_do(folder: Path) -> None:
    reports = [json.loads((folder / name).read_text()) for name in shards(folder, 3)]
    assert all(any(not piece["is_rest"] for piece in report["pieces"]) for report in reports)
    files = [file for report in reports for piece in report["pieces"] for file in piece["files"]]
    assert len(files) == len(set(files)) == sum(name.endswith(".py") for name in FILES)


def test_a_shard_comes_out_of_the_cache_as_it_went_in(folder: Path) -> None:
    def pieces(out: str) -> list[object]:
        return [{**piece, "readings": None} for piece in json.loads(out)["pieces"]]

    fresh = check(folder, "--shard", "1/2", ".").out
    for _ in range(2):
        assert pieces(real_jaxlint_here("check", "-j1", "--shard", "1/2", ".", cwd=folder).out) == pieces(fresh)


def test_merge_leaves_out_what_is_known_and_obeys_levels(folder: Path) -> None:
    names = shards(folder, 2)
    check(folder, "--write-baseline=known.json", ".")
    done = merge(folder, "--baseline", "known.json", "--output-format", "json", *names)
    assert [rule for _, _, rule in done.found] == ["syntax-error", "unused-suppression"]  # a baseline has neither
    assert merge(folder, "--exit-zero", *names).code == 0


def test_reports_travel(folder: Path, tmp_path: Path) -> None:
    """Another machine has the files at another place."""
    there = project(tmp_path, {f"elsewhere/{name}": text for name, text in FILES.items()}) / "elsewhere"
    (there / ".git").mkdir()
    names = shards(folder, 2)
    (there / names[0]).write_bytes((folder / names[0]).read_bytes())
    check(there, "--shard", "2/2", "-o", names[1], ".")
    whole = check(there, "--output-format", "full", ".")
    assert merge(there, "--output-format", "full", *names).out == whole.out


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("0/2", "`0/2` is not of the form NUMBER/COUNT"),
        ("3/2", "`3/2` is not of the form NUMBER/COUNT"),
        ("x", "`x` is not of the form NUMBER/COUNT"),
    ],
)
def test_no_shard(folder: Path, option: str, message: str) -> None:
    done = check(folder, "--shard", option, ".")
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "options", [("--fix",), ("--write-baseline",), ("--output-format", "json"), ("--also-write", "json=x.json")]
)
def test_what_needs_all_findings_is_refused(folder: Path, options: tuple[str, ...]) -> None:
    done = check(folder, "--shard", "1/2", *options, ".")
    assert (done.code, done.err.count("\n")) == (2, 1)


def refused(folder: Path, *names: str) -> str:
    done = merge(folder, *names)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    return done.err


def test_reports_that_do_not_belong_together(folder: Path) -> None:
    names = shards(folder, 3)
    assert "the report of shard 2/3 is missing" in refused(folder, names[0], names[2])
    (folder / "again.json").write_bytes((folder / names[0]).read_bytes())
    assert "is of shard 1/3, as shard-1.json is" in refused(folder, *names, "again.json")
    check(folder, "--shard", "1/2", "-o", "of-two.json", ".")
    assert "is of shard 1/2" in refused(folder, names[2], "of-two.json")
    check(folder, "--shard", "2/3", "-o", names[1], "--select", "tracing", ".")
    assert "is about other files, settings or versions" in refused(folder, *names)


def test_reports_that_are_none(folder: Path) -> None:
    names = shards(folder, 1)
    stored = json.loads((folder / names[0]).read_text())
    project(
        folder,
        {
            "no.json": "{}",
            "text.json": "x",
            "old.json": json.dumps({**stored, "version": "0.0.1"}),
            "bad.json": json.dumps({**stored, "pieces": [{}]}),
        },
    )
    assert "no such file" in refused(folder, "absent.json")
    assert "is no report of" in refused(folder, "no.json")
    assert "is no report of" in refused(folder, "text.json")
    assert "was written by jaxlint 0.0.1" in refused(folder, "old.json")
    assert "is damaged" in refused(folder, "bad.json")
    project(folder, {"two/a.py": KEY})
    assert "is not the file that was checked" in refused(folder, *names)
