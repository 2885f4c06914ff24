"""A small sample of what benchmarks/fuzz runs for hours, and what it once found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="each case runs in a forked process")

FOUND = Path(__file__).parent / "found"


@pytest.fixture(scope="module", autouse=True)
def _imported() -> None:
    from benchmarks.fuzz.run import import_all

    import_all()


@pytest.mark.parametrize(
    "kind", ["program", "nonsense", "project", "notebook", "markdown", "settings", "ignore", "json"]
)
def test_a_few_of_each_kind(kind: str, tmp_path: Path) -> None:
    from random import Random

    from benchmarks.fuzz.outcome import run_case
    from benchmarks.fuzz.subjects import SUBJECTS

    for number in range(3):
        case = SUBJECTS[kind](Random(f"sample/{kind}/{number}"))
        assert run_case(case, tmp_path / str(number)).problem == "", (number, case.arguments)


@pytest.mark.parametrize("path", sorted(FOUND.iterdir()) if FOUND.is_dir() else [], ids=lambda path: path.name)
def test_what_was_found_stays_mended(path: Path, tmp_path: Path) -> None:
    from benchmarks.fuzz.outcome import run_case
    from benchmarks.fuzz.subjects import Case

    case = Case({path.name: path.read_bytes()}, ("--output-format", "json"))
    assert run_case(case, tmp_path / "case").problem == ""


def test_the_sample_would_see_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks.fuzz.outcome import run_case
    from benchmarks.fuzz.subjects import Case
    from jaxlint.analysis.project import driver

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("on purpose")

    monkeypatch.setattr(driver, "analyse", fail)
    monkeypatch.setattr("jaxlint.analysis.analyse", fail)
    problem = run_case(Case({"a.py": b"import jax\n"}, ("--output-format", "json")), tmp_path / "case").problem
    assert "on purpose" in problem
