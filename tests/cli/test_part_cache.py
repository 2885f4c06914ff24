"""After a change only the parts of a project that it touches are read again, and the report is that of a fresh run."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from jaxlint.engine import cache, session
from jaxlint.engine.load import Loaded, LoadTask, load
from jaxlint.engine.part_cache import KEPT
from tests.cli.command_line import Finished, project, real_jaxlint_here

KEY = "import jax\n\nkey = jax.random.key(0)\n"
DRAW = "import jax\n\ndef draw(key):\n    return jax.random.normal(key)\n"
FILES = {
    "pyproject.toml": "",
    "one/lib.py": DRAW,
    "one/use.py": KEY + "from one.lib import draw\na = draw(key)\nb = draw(key)\n",
    "two/__init__.py": "",
    "two/plain.py": "def twice(f, key):\n    return f(key), f(key)\n",
    "two/use.py": KEY + "from two.plain import twice\na = twice(jax.random.normal, key)\n",
    "alone.py": KEY + "a = jax.random.normal(key)\nb = jax.random.normal(key)  # jaxlint: ignore[key-reuse]\n",
    "broken.py": "import jax\nx = (\n",
    "other.py": "x = 1\n",
}


def check(folder: Path, *options: str) -> Finished:
    return real_jaxlint_here("check", "-j1", "--output-format", "json", *options, ".", cwd=folder)


def kept(folder: Path) -> int:
    """How many files were not read."""
    found = check(folder, "--statistics").json["summary"]["statistics"]["readings"]
    return int(found.get(KEPT, 0))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return project(tmp_path, dict(FILES))


def test_a_change_leaves_other_parts_unread(folder: Path) -> None:
    fresh = check(folder, "--no-cache").out
    assert check(folder).out == fresh
    project(folder, {"one/use.py": FILES["one/use.py"] + "c = draw(key)\n"})
    assert kept(folder) == 3  # of `two` and `alone`; the others do not concern JAX
    assert check(folder).out == check(folder, "--no-cache").out != fresh


def test_a_module_beside_the_part_counts(folder: Path) -> None:
    check(folder, "one/use.py")
    project(folder, {"one/lib.py": DRAW.replace("jax.random.normal(key)", "key")})
    assert check(folder).found == check(folder, "--no-cache").found


@pytest.mark.parametrize("seed", range(2))
def test_any_edits_give_what_a_fresh_run_gives(folder: Path, seed: int) -> None:
    choice = random.Random(seed)
    lines = [
        "a = jax.random.normal(key)", "from one.lib import draw", "from two.plain import *", "import alone",
        "import new", "b = draw(key)", "import other", "key = jax.random.key(1)", "c = 1  # jaxlint: ignore",
        "import jax", "x = (",
    ]  # fmt: skip
    files = {name: text for name, text in FILES.items() if name.endswith(".py")}
    for _ in range(6):
        name = choice.choice([*files, "new.py", "two/new.py"])
        if name in files and choice.random() < 0.15:
            del files[name]
            (folder / name).unlink()
        else:
            own = files.get(name, KEY).splitlines()
            own.insert(choice.randint(0, len(own)), choice.choice(lines))
            files[name] = "\n".join(choice.sample(own, len(own)) if choice.random() < 0.1 else own) + "\n"
            project(folder, {name: files[name]})
        assert check(folder).out == check(folder, "--no-cache").out, (seed, name)


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"asked": {}, "others": []}', b"\xff", None])
def test_damaged_entries_are_misses(folder: Path, body: bytes | None) -> None:
    check(folder)
    for entry in (folder / ".jaxlint_cache").rglob("*.json"):
        if body is None:
            entry.write_bytes(entry.read_bytes()[:-5])
        else:
            entry.write_bytes(cache.digest_of(body).hex().encode() + b"\n" + body)
    assert check(folder).out == check(folder, "--no-cache").out


@pytest.mark.parametrize(
    "change", [{"pyproject.toml": '[tool.jaxlint]\nselect = ["effects"]\n'}, {"one/jaxlint.toml": ""}]
)
def test_settings_count(folder: Path, change: dict[str, str]) -> None:
    check(folder)
    project(folder, change)
    assert check(folder).out == check(folder, "--no-cache").out


def test_a_file_that_changes_while_it_is_checked_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def changing(task: LoadTask) -> Loaded:
        if task.path.endswith("alone.py") and not task.triage:
            return load(task._replace(data=FILES["one/lib.py"].encode()))
        return load(task)

    monkeypatch.setattr(session, "load", changing)
    check(folder)
    monkeypatch.undo()
    project(folder, {"other.py": "x = 2\n"})
    assert check(folder).out == check(folder, "--no-cache").out
