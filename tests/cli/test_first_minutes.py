"""What a person meets at first: help, hints, errors all at once, and reports that lead on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jaxlint.engine import former_rules
from tests.cli.command_line import project, real_jaxlint_here

BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
PRINT = "import jax\n\n\n@jax.jit\ndef f(x):\n    print(x)\n    return x\n"


def check(folder: Path, *arguments: str, **options):
    return real_jaxlint_here("check", "--no-cache", "-j1", *arguments, cwd=folder, **options)


def test_help_without_a_command(tmp_path: Path) -> None:
    done = real_jaxlint_here(cwd=tmp_path)
    assert done.code == 2
    assert "selected by slug, code, code prefix or family" in " ".join(done.out.split()), "summaries are whole"
    assert "Fixes:\n" in real_jaxlint_here("check", "--help", cwd=tmp_path).out


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["train.py"], "jaxlint check train.py"),
        (["chekc"], "did you mean `check`?"),
        (["verify", "python", "train.py"], "jaxlint verify -- python train.py"),
    ],
)
def test_the_command_that_was_meant(tmp_path: Path, arguments: list[str], hint: str) -> None:
    done = real_jaxlint_here(*arguments, cwd=tmp_path)
    assert done.code == 2
    assert hint in done.err
    assert done.err.count("\n") == 1


def test_all_mistakes_in_settings_are_told_at_once(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": "", "jaxlint.toml": 'selct = []\nignore = [1, 2]\njobs = -1\nlike = [{ nme = "x" }]\n'})
    assert [line.split(":")[5].strip() for line in check(tmp_path).err.splitlines()] == [
        "selct", "ignore", "ignore", "jobs", "like", "like", "like",
    ]  # fmt: skip
    project(tmp_path, {"jaxlint.toml": 'select = ["key-resue", "JX3"]\nseverity = { nonsense = "error" }\n'})
    assert [line.split(":")[5].strip() for line in check(tmp_path).err.splitlines()] == ["select", "severity"]
    project(tmp_path, {"jaxlint.toml": 'select = ["key-resue", "engine", "JX3"]\njobs = -1\nignore = ["nonsense"]\n'})
    told = check(tmp_path).err
    assert [line.split(":")[5].strip() for line in told.splitlines()] == ["select", "jobs", "ignore"]
    assert "did you mean `key-reuse`?" in told


def test_entries_of_like_that_do_nothing(tmp_path: Path) -> None:
    like = 'like = [{ name = "lib.step", like = "jax.jti" }, { name = "lib.f", like = "jax.jit" }]\n'
    project(tmp_path, {"a.py": BRANCH, "jaxlint.toml": like})
    whole, part = check(tmp_path).err, check(tmp_path, "a.py").err
    assert "did you mean `jax.jit`?" in whole
    assert "`lib.step` never matches" in whole
    assert "lib.f" not in whole
    assert "never matches" not in part


def test_families_and_selectors(tmp_path: Path) -> None:
    assert "key-reuse-in-loop" in real_jaxlint_here("explain", "random", cwd=tmp_path).out
    listed = real_jaxlint_here("rules", "JX201", "--output-format", "json", cwd=tmp_path).json
    assert [rule["slug"] for rule in listed] == ["key-reuse"]
    assert "did you mean `key-reuse`" in real_jaxlint_here("rules", "kye-reuse", cwd=tmp_path).err


def test_severity_and_exit_code(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": PRINT})
    assert check(tmp_path).code == 1
    milder = check(tmp_path, "--fail-level", "error", "--output-format", "json")
    assert (milder.code, milder.json["diagnostics"][0]["severity"]) == (0, "warning")
    project(tmp_path, {"jaxlint.toml": 'fail-level = "error"\nseverity = { effects = "info", JX401 = "error" }\n'})
    assert check(tmp_path).code == 1


def test_statistics_say_where_a_like_entry_would_help(tmp_path: Path) -> None:
    code = BRANCH.replace("x > 0", "lib.steps.run(x)").replace("import jax\n", "import jax\nimport lib.steps\n")
    project(tmp_path, {"a.py": code})
    out = check(tmp_path, "--statistics").out
    assert "1  100.0 %  calls whose result is not known" in out
    assert "      1  lib.steps.run" in out


def test_rules_by_folder(tmp_path: Path) -> None:
    project(tmp_path, {"core/a.py": PRINT, "lib/a.py": PRINT, "jaxlint.toml": 'select = ["random"]\n'})
    found = check(tmp_path, "--config", 'per-file-select = {"core/**" = ["effects"]}', "--output-format", "json").found
    assert [path for path, _, _ in found] == ["core/a.py"]


def test_quiet_and_two_reports(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": BRANCH})
    done = check(tmp_path, "-q", "--also-write", "sarif=found.sarif", "--also-write", "json=found.json")
    assert len(done.out.splitlines()) == 1
    assert json.loads((tmp_path / "found.sarif").read_text())["version"] == "2.1.0"
    assert len(json.loads((tmp_path / "found.json").read_text())["diagnostics"]) == 1
    assert "FORMAT=FILE" in check(tmp_path, "--also-write", "srif=x").err


def test_the_fix_is_shown(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": BRANCH})
    out = check(tmp_path, "--output-format", "full").out
    assert "6 -     if x > 0:\n7 -         return x\n8 -     return -x\n6 +     return jnp.where(x > 0, x, -x)\n" in out


def test_old_names_of_rules_are_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(former_rules.RENAMED, "tracer-if", "traced-branch")
    monkeypatch.setitem(former_rules.RETIRED, "JX999", "JAX does it by itself now")
    silenced = BRANCH.replace("x > 0:", "x > 0:  # jaxlint: ignore[tracer-if]")
    project(tmp_path, {"a.py": BRANCH, "b.py": silenced, "jaxlint.toml": 'select = ["tracer-if", "JX999", "engine"]\n'})
    done = check(tmp_path, "--output-format", "json")
    assert done.found == [("a.py", 6, "traced-branch")]
    assert "`tracer-if` is named `traced-branch` now" in done.err
    assert "no rule `JX999` any more: JAX does it by itself now" in done.err
    assert real_jaxlint_here("explain", "tracer-if", cwd=tmp_path).out.startswith("traced-branch")
