"""What a check gives back once a part is done: the memory of the analysis, and the sources if nobody checks again."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from jaxlint.analysis.domain.frames import Frame
from jaxlint.config import load_configuration
from jaxlint.engine import garbage
from jaxlint.engine.session import Request, Session, open_session
from jaxlint.files.discovery import FoundFile
from jaxlint.syntax.source import SourceFile
from tests.engine.test_work import Here

REUSE = """
import jax

def draws(key):
    def draw():
        return jax.random.normal(key)
    return draw

key = jax.random.key(0)
a = draws(key)()
b = draws(key)()
"""


def session_of(folder: Path) -> Session:
    for name in ("one.py", "two.py"):
        (folder / name).write_text(REUSE, encoding="utf-8")
    configuration = load_configuration(command_line={}, environment={}, isolated=True, working_directory=str(folder))
    found = [FoundFile(str(folder / name), str(folder), None) for name in ("one.py", "two.py")]
    return open_session(Request(found, configuration), Here())


def alive(kind: type) -> int:
    return sum(type(each) is kind for each in gc.get_objects())


def test_frames_do_not_outlive_the_analysis(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(garbage, "_MANY", 0)
    session = session_of(tmp_path)
    gc.collect()
    gc.disable()
    try:
        before = alive(Frame)
        result = session.check()
        assert result.diagnostics
        assert alive(Frame) == before
    finally:
        gc.enable()


def test_the_last_check_drops_the_sources(tmp_path: Path) -> None:
    session = session_of(tmp_path)
    gc.collect()
    before = alive(SourceFile)
    first = session.check(is_last=True)
    gc.collect()
    assert alive(SourceFile) <= before - 2
    assert [each.path for each in first.diagnostics] == [str(tmp_path / name) for name in ("one.py", "two.py")]


def test_a_part_whose_sources_were_dropped_is_read_again(tmp_path: Path) -> None:
    session = session_of(tmp_path)
    first = session.check(is_last=True)
    path = str(tmp_path / "one.py")
    assert session.change({path: REUSE.replace("a = ", "c = ").encode()}) == set()
    assert len(session.check().diagnostics) == len(first.diagnostics)
