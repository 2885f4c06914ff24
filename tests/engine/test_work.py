"""What a check does is counted, since seconds depend on the machine: interpretations, readings, steps of walks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from jaxlint.analysis.machine.interpreter import Interpreter
from jaxlint.analysis.project import driver
from jaxlint.analysis.python import functions
from jaxlint.config import load_configuration
from jaxlint.engine.load import Loaded, LoadTask, load
from jaxlint.engine.session import Request, open_session
from jaxlint.files.discovery import FoundFile
from jaxlint.syntax import walks

ROOT = Path(__file__).resolve().parents[2]
#: A class whose methods call each other, and one of which is compiled.
CLASS = """
import jax

class Model:
    def __init__(self):
        self.n = 0
    @jax.jit
    def run(self, x):
        return x + self.n
"""
METHOD = """
    def step_{0}(self, x):
        self.n = self._half_{0}(x)
        return self.run(x)
    def _half_{0}(self, x):
        self.m_{0} = x / 2
        return self.m_{0}
"""


class Here:
    """Loads files in this process, and counts those that libcst reads."""

    by_libcst = 0

    def run(self, tasks: Iterable[LoadTask]) -> Iterator[tuple[LoadTask, Loaded]]:
        for task in tasks:
            self.by_libcst += not task.triage
            yield task, load(task)


def check(folder: Path, runner: Here, contents: dict[str, bytes] | None = None) -> int:
    """The number of files of a folder, which are checked."""
    configuration = load_configuration(command_line={}, environment={}, isolated=True, working_directory=str(folder))
    paths = list(contents or map(str, sorted(folder.rglob("*.py"))))
    found = [FoundFile(path, str(folder), None) for path in paths]
    open_session(Request(found, configuration, contents=contents or {}), runner).check()
    return len(paths)


def test_a_function_is_interpreted_in_few_contexts(monkeypatch: pytest.MonkeyPatch) -> None:
    interpretations, looked_at = 0, 0
    run, interpret_all = functions._run, driver.interpret_all

    def counting(it: Interpreter, frame: object) -> object:
        nonlocal interpretations
        interpretations += 1
        return run(it, frame)  # type: ignore[arg-type]

    def looking(it: Interpreter, *rest: object) -> dict[str, str]:
        nonlocal looked_at
        failures = interpret_all(it, *rest)  # type: ignore[arg-type]
        looked_at += len(it.facts.looked_at)
        return failures

    monkeypatch.setattr(functions, "_run", counting)
    monkeypatch.setattr(driver, "interpret_all", looking)
    runner = Here()
    files = check(ROOT / "benchmarks" / "projects", runner)
    assert looked_at > 50
    assert interpretations < 5 * looked_at
    assert files > 50
    assert 4 * runner.by_libcst <= 3 * files


def test_the_work_for_a_class_grows_with_its_methods(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def walked(methods: int) -> int:
        steps = 0
        nodes = walks.nodes

        def counting(node: object) -> Iterator[object]:
            nonlocal steps
            for part in nodes(node):
                steps += 1
                yield part

        source = CLASS + "".join(METHOD.format(number) for number in range(methods))
        with monkeypatch.context() as patch:
            patch.setattr(walks, "nodes", counting)
            check(tmp_path, Here(), {str(tmp_path / "model.py"): source.encode()})
        return steps

    few, many = walked(40), walked(80)
    assert many < 2.5 * few
