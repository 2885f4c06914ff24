"""Processes that die, hang or are stopped."""

from __future__ import annotations

import faulthandler
import os
import signal
import time
from collections.abc import Callable

import pytest

from jaxlint.engine.workers import Crash, Runner, WorkerPool, run_watched


def work(task: str) -> str:
    kind, _, value = task.partition(":")
    if kind == "die":
        faulthandler.disable()  # pytest's own, which would print the stack of this wanted death
        signal.raise_signal(signal.SIGSEGV)  # in this very thread, as a crash in C code
    if kind == "exit":
        os._exit(3)
    if kind == "raise":
        raise RuntimeError(value)
    if kind == "hang":
        time.sleep(600)
    if kind == "once" and not os.path.exists(value):
        open(value, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return task.upper()


def outcomes(tasks: list[str], size: int = 2, time_limit: float = 60) -> dict[str, object]:
    with WorkerPool(work, size, time_limit) as pool:
        return dict(pool.run(tasks))


def test_every_task_has_an_outcome() -> None:
    tasks = [f"t{i}" for i in range(23)]
    assert outcomes(tasks) == {task: task.upper() for task in tasks}


def test_a_process_that_dies_costs_one_task() -> None:
    got = outcomes(["a", "die:", "b", "c", "exit:", "d", "raise:x", "e"])
    assert {t: o for t, o in got.items() if not isinstance(o, Crash)} == {t: t.upper() for t in "abcde"}
    assert got["die:"] == Crash("its process was ended by SIGSEGV", is_timeout=False)
    assert got["exit:"] == Crash("its process ended with exit code 3", is_timeout=False)


def test_a_task_that_dies_once_is_tried_again(tmp_path) -> None:
    task = f"once:{tmp_path}/mark"
    assert outcomes([task]) == {task: task.upper()}


def test_a_task_that_hangs_is_stopped() -> None:
    got = outcomes(["a", "hang:", "b"], size=1, time_limit=3)
    assert got == {"a": "A", "b": "B", "hang:": Crash("not done after 3 s", is_timeout=True)}


def test_a_pool_serves_more_than_one_run() -> None:
    with WorkerPool(work, 1, 60) as pool:
        assert dict(pool.run(["a"])) == {"a": "A"}
        assert dict(pool.run(["b"])) == {"b": "B"}
        assert dict(pool.run([])) == {}


def upper(tasks: list[str]) -> Callable[[Runner[str, str]], list[str]]:
    """A job whose tasks these are."""
    return lambda runner: [outcome for _, outcome in runner.run(tasks) if isinstance(outcome, str)]


def test_a_job_in_one_process_has_the_same_result() -> None:
    tasks = [f"t{i}" for i in range(23)]
    assert run_watched(work, upper(tasks), 60) == [task.upper() for task in tasks]
    assert run_watched(work, lambda _: "x" * 10_000_000, 60) == "x" * 10_000_000


@pytest.mark.parametrize("task", ["die:", "exit:", "raise:x", "hang:"])
def test_a_job_whose_process_fails_has_no_result(task: str) -> None:
    assert run_watched(work, upper(["a", task, "b"]), 2) is None


def test_only_tasks_have_a_time_limit() -> None:
    def slow(runner: Runner[str, str]) -> list[str]:
        got = upper(["a"])(runner)
        time.sleep(1)
        return got + upper(["b"])(runner)

    assert run_watched(work, slow, 0.5) == ["A", "B"]
