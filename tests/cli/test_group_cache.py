"""After a change of a leaf only its group is interpreted again, and the report is that of a fresh run."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from jaxlint.engine import cache, leaves
from tests.cli.command_line import project, real_jaxlint_here
from tests.leafy_project import EDITS, LEAVES, LIBRARY

NEW = "import jax\nfrom lib import draws\n\nkey = jax.random.key(5)\na = draws.draw(key)\nb = draws.draw(key)\n"

#: Its path ends where it reads an attribute that no file sets.
MISSING = """
import jax
from lib import draws

class Thing:
    pass

def go():
    thing = Thing()
    thing.mark
    key = jax.random.key(0)
    return draws.draw(key) + draws.draw(key)
"""


def check(folder: Path, *options: str, jobs: str = "-j1") -> str:
    shown = ("--output-format", "json", "--min-confidence", "possible", "--statistics")
    report = real_jaxlint_here("check", jobs, *shown, *options, ".", cwd=folder).json
    del report["summary"]["statistics"]["readings"]  # these tell what an earlier run has read
    return json.dumps(report)


def entries(folder: Path) -> set[Path]:
    return set((folder / ".jaxlint_cache").rglob("groups/*.json"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(leaves, "MOST", 4)
    return project(tmp_path, {**LIBRARY, **LEAVES})


def test_a_changed_leaf_costs_one_group(folder: Path) -> None:
    fresh = check(folder, "--no-cache")
    assert check(folder) == fresh
    before = entries(folder)
    assert len(before) > 3
    project(folder, {"tests/test_keys.py": LEAVES["tests/test_keys.py"] + EDITS[0]})
    changed = check(folder)
    assert len(entries(folder) - before) == 1
    assert changed == check(folder, "--no-cache")


def test_a_changed_library_costs_all_groups(folder: Path) -> None:
    check(folder)
    before = entries(folder)
    project(folder, {"lib/trees.py": LIBRARY["lib/trees.py"] + EDITS[0]})
    assert check(folder) == check(folder, "--no-cache")
    assert len(entries(folder)) == 2 * len(before)


def test_a_leaf_that_sets_what_another_lacks_costs_both_groups(folder: Path) -> None:
    project(folder, {"a_missing.py": MISSING})
    before = check(folder)
    project(folder, {"tests/test_wide.py": LEAVES["tests/test_wide.py"] + "\ndef marked(x):\n    x.mark = 1\n"})
    after = check(folder)
    assert after == check(folder, "--no-cache")
    assert ("a_missing.py" in before, "a_missing.py" in after) == (False, True)


@pytest.mark.parametrize("seed", range(3))
def test_any_changes_give_what_a_fresh_run_gives(folder: Path, seed: int) -> None:
    choice = random.Random(seed)
    files = dict(LEAVES)
    check(folder)
    for step in range(8):
        name = choice.choice([*files, f"tests/test_new{step}.py", "lib/draws.py"])
        kind = choice.random()
        if name in files and kind < 0.2:
            del files[name]
            (folder / name).unlink()
        elif name in LIBRARY:
            project(folder, {name: LIBRARY[name] + f"\n_changed = {step}\n"})
        else:
            files[name] = files.get(name, NEW) + choice.choice(EDITS)
            project(folder, {name: files[name]})
        assert check(folder) == check(folder, "--no-cache"), (seed, step, name)


def test_a_file_that_becomes_a_leaf_or_is_one_no_more(folder: Path) -> None:
    check(folder)
    used = "tests/test_keys.py"
    project(folder, {"tests/test_wide.py": LEAVES["tests/test_wide.py"] + "import tests.test_keys\n"})
    assert check(folder) == check(folder, "--no-cache")
    project(folder, {"tests/test_wide.py": LEAVES["tests/test_wide.py"]})
    assert check(folder) == check(folder, "--no-cache")
    project(folder, {used: "import jax\nx = (\n"})
    assert check(folder) == check(folder, "--no-cache")


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"modules": []}', b"\xff", None])
def test_damaged_entries_are_misses(folder: Path, body: bytes | None) -> None:
    check(folder)
    for entry in entries(folder):
        if body is None:
            entry.write_bytes(entry.read_bytes()[:-5])
        else:
            entry.write_bytes(cache.digest_of(body).hex().encode() + b"\n" + body)
    project(folder, {"tests/test_keys.py": LEAVES["tests/test_keys.py"] + EDITS[0]})
    assert check(folder) == check(folder, "--no-cache")


def test_entries_with_parts_missing_are_misses(folder: Path) -> None:
    check(folder)
    for number, entry in enumerate(sorted(entries(folder))):
        stored = json.loads(cache.read_entry(str(entry)))
        del stored[sorted(stored)[number % len(stored)]]
        cache.write_entry(str(entry), json.dumps(stored))
    project(folder, {"tests/test_keys.py": LEAVES["tests/test_keys.py"] + EDITS[0]})
    assert check(folder) == check(folder, "--no-cache")


def test_several_jobs_and_settings(folder: Path) -> None:
    project(folder, {"other/lib2.py": "import jax\n", "other/use.py": "import jax\nimport other.lib2\n"})
    fresh = check(folder, "--no-cache")
    assert check(folder, jobs="-j2") == fresh
    project(folder, {"tests/test_keys.py": LEAVES["tests/test_keys.py"] + EDITS[4]})
    assert check(folder, jobs="-j2") == check(folder, "--no-cache")
    project(folder, {"pyproject.toml": '[tool.jaxlint]\nselect = ["random"]\n'})
    assert check(folder) == check(folder, "--no-cache")


REGISTERS = "import jax\nfrom lib import Model\n\njax.tree_util.register_dataclass(Model, ['weight'], [])\n"
USES = "import jax\nfrom lib import Model\n\n\ndef test():\n    jax.jit(lambda model: model.weight)(Model(1.0))\n"


@pytest.mark.parametrize("registering", ["tests/conftest.py", "tests/other.py"])
def test_each_group_knows_what_pytest_sets_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, registering: str
) -> None:
    """Pytest imports `conftest.py` for all tests; of another file, some groups know nothing."""
    monkeypatch.setattr(leaves, "MOST", 4)
    tests = {f"tests/test_{number}.py": USES for number in range(12)}
    lib = "import dataclasses\n\n\n@dataclasses.dataclass\nclass Model:\n    weight: float\n"
    folder = project(tmp_path, {"pyproject.toml": "", "lib.py": lib, registering: REGISTERS, **tests})
    found = {each["rule"] for each in json.loads(check(folder, "--no-cache"))["diagnostics"]}
    assert found == (set() if registering.endswith("conftest.py") else {"unregistered-class-argument"})
