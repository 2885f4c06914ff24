"""The script that starts a rule writes two files that the registry and the rulebook can read."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = root / "scripts" / "new_rule.py"
    return subprocess.run([sys.executable, str(script), *arguments], capture_output=True, text=True, check=False)


def copied(tmp_path: Path) -> Path:
    for part in ("jaxlint", "rules"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "new_rule.py", tmp_path / "scripts")
    return tmp_path


def test_a_new_rule_is_found(tmp_path: Path) -> None:
    root = copied(tmp_path)
    done = run(root, "tracing", "brand-new", "JX399", "suspicious", "Branch")
    assert done.returncode == 0, done.stderr
    question = "from jaxlint.rules.rule import registry; print(registry()['brand-new'].code)"
    answer = subprocess.run([sys.executable, "-c", question], cwd=root, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "JX399"
    assert (root / "rules/tracing/brand-new.md").read_text().startswith("# brand-new (JX399)")


def test_a_code_that_is_taken_is_refused(tmp_path: Path) -> None:
    done = run(copied(tmp_path), "tracing", "brand-new", "JX301", "correctness", "Branch")
    assert done.returncode == 2
    assert "traced-branch (JX301) exists already" in done.stderr


def test_an_event_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    done = run(copied(tmp_path), "tracing", "brand-new", "JX399", "suspicious", "Nothing")
    assert done.returncode == 2
    assert "'Nothing' is no event" in done.stderr
