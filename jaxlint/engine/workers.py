"""Processes that work through tasks and may die or hang: each task ends with its result or one line of why not.

Where one process is enough, all goes on in one (`run_watched`), and nothing but the last result crosses to the parent.
Only if that process dies or hangs is there a pool of processes, which finds the task that is to blame.
"""

from __future__ import annotations

import contextlib
import gc
import math
import os
import pickle
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final, Generic, NamedTuple, NoReturn, Protocol, TypeVar

from jaxlint.syntax.deep_stack import run_deep

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")
Outcome_co = TypeVar("Outcome_co", covariant=True)
Result = TypeVar("Result")


class Crash(NamedTuple):
    """Why a task has no result: its process died, or was stopped when its time was up."""

    reason: str
    is_timeout: bool


@dataclass(slots=True, eq=False)
class _Worker:
    process: BaseProcess
    pipe: Connection
    tasks: deque[Any] = field(default_factory=deque)
    last_sign: float = 0.0


@dataclass(slots=True, eq=False)
class WorkerPool(Generic[Task, Outcome]):
    """Runs `work` on tasks in `size` processes, `chunk` of them at a time. Leaving it ends the processes at once.

    A task may take `time_limit` seconds; None is as long as it takes. One during which its process dies is tried once
    more, alone, since another task may have eaten the memory.
    """

    work: Callable[[Task], Outcome]
    size: int
    time_limit: float | None
    chunk: int = 4
    _workers: list[_Worker] = field(default_factory=list)
    _queue: deque[list[Task]] = field(default_factory=deque)
    _retried: list[Task] = field(default_factory=list)

    def __enter__(self) -> WorkerPool[Task, Outcome]:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            _stop(worker)
        self._workers.clear()

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Outcome | Crash]]:
        """Yield each task with its outcome, in the order in which they end."""
        waiting = list(tasks)
        self._queue.extend(waiting[start : start + self.chunk] for start in range(0, len(waiting), self.chunk))
        while self._queue or any(worker.tasks for worker in self._workers):
            self._feed()
            yield from self._collect()

    def _feed(self) -> None:
        """Give each idle process a chunk, starting processes as long as there is work for them."""
        while self._queue:
            worker = next((w for w in self._workers if not w.tasks), None)
            if worker is None:
                if len(self._workers) >= self.size:
                    return
                worker = self._start()
            worker.tasks.extend(self._queue.popleft())
            worker.last_sign = time.monotonic()
            # A process that died while idle is found when its answers are collected.
            with contextlib.suppress(OSError):
                worker.pipe.send_bytes(pickle.dumps(list(worker.tasks), pickle.HIGHEST_PROTOCOL))

    def _start(self) -> _Worker:
        # A fork starts in milliseconds with all modules loaded; elsewhere than on Linux it is not safe.
        context = get_context("fork") if sys.platform == "linux" else get_context("spawn")
        ours, theirs = context.Pipe()
        inherited = [w.pipe for w in self._workers] + [ours] if sys.platform == "linux" else []
        process = context.Process(target=_serve, args=(theirs, self.work, inherited), daemon=True)
        worker = _Worker(process, ours)
        with _uninterrupted():
            process.start()
            self._workers.append(worker)
        theirs.close()
        return worker

    def _collect(self) -> Iterator[tuple[Task, Outcome | Crash]]:
        """What ended since last time; waits until something does or a task's time is up."""
        busy = [w for w in self._workers if w.tasks]
        limit = math.inf if self.time_limit is None else self.time_limit
        left = min(w.last_sign for w in busy) + limit - time.monotonic()
        ready = wait([w.pipe for w in busy], timeout=None if left == math.inf else max(0.0, left))
        now = time.monotonic()
        for worker in busy:
            if worker.pipe in ready:
                yield from self._receive(worker)
            elif now - worker.last_sign >= limit:
                yield from self._lose(worker, Crash(f"not done after {limit:g} s", is_timeout=True))

    def _receive(self, worker: _Worker) -> Iterator[tuple[Task, Outcome | Crash]]:
        try:
            outcome: Outcome = pickle.loads(worker.pipe.recv_bytes())
        except (EOFError, OSError):
            worker.process.join(5)
            yield from self._lose(worker, Crash(_cause_of_death(worker.process.exitcode), is_timeout=False))
            return
        worker.last_sign = time.monotonic()
        yield worker.tasks.popleft(), outcome

    def _lose(self, worker: _Worker, crash: Crash) -> Iterator[tuple[Task, Outcome | Crash]]:
        """Give up on a process: the task at hand is to blame, those after it go to another one, each alone."""
        _stop(worker)
        self._workers.remove(worker)
        blamed = worker.tasks.popleft()
        self._queue.extendleft([task] for task in reversed(worker.tasks))
        if crash.is_timeout or blamed in self._retried:
            yield blamed, crash
        else:
            self._retried.append(blamed)
            self._queue.append([blamed])


class Runner(Protocol[Task, Outcome_co]):
    """What works through tasks."""

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Outcome_co | Crash]]:
        """Yield each task with its outcome."""
        ...


@dataclass(slots=True, eq=False)
class WatchedRunner(Generic[Task, Outcome]):
    """Runs `work` on tasks here, in a process whose parent watches it."""

    work: Callable[[Task], Outcome]
    pipe: Connection

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Outcome | Crash]]:
        """Yield each task with its outcome, in order; the parent is told when one begins, and when the last ended."""
        for task in tasks:
            self.pipe.send_bytes(_BEGUN)
            yield task, self.work(task)
        self.pipe.send_bytes(_ENDED)


_BEGUN: Final = b"+"
_ENDED: Final = b"-"


def run_watched(
    work: Callable[[Task], Outcome], job: Callable[[Runner[Task, Outcome]], Result], time_limit: float
) -> Result | None:
    """The result of a job that runs in a process of its own, as do its tasks.

    None where that process died, raised, or was too long at one task: then `job` with a pool says why.
    """
    context = get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run_job, args=(theirs, ours, work, job), daemon=True)
    limit = None
    try:
        with _uninterrupted():
            process.start()
        theirs.close()
        while ours.poll(limit):
            message = ours.recv_bytes()
            if message not in (_BEGUN, _ENDED):
                result: Result = pickle.loads(message)
                return result
            limit = time_limit if message == _BEGUN else None
    except (EOFError, OSError):
        pass
    finally:
        ours.close()
        process.kill()
        process.join()
    return None


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ctrl-C waits, so that a process is never started without somebody who ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _run_job(
    pipe: Connection, parents: Connection, work: Callable[[Any], Any], job: Callable[[Runner[Any, Any]], Any]
) -> NoReturn:
    parents.close()
    _isolate()
    try:
        run_deep(lambda: pipe.send_bytes(pickle.dumps(job(WatchedRunner(work, pipe)), pickle.HIGHEST_PROTOCOL)))
    except BaseException:
        os._exit(70)
    os._exit(0)


def _cause_of_death(code: int | None) -> str:
    if code is not None and code < 0:
        try:
            return f"its process was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"its process was ended by signal {-code}"
    return f"its process ended with exit code {code}"


def _stop(worker: _Worker) -> None:
    worker.pipe.close()
    worker.process.kill()
    worker.process.join()


def _answer(pipe: Connection, work: Callable[[Any], Any]) -> NoReturn:
    while True:
        for task in pickle.loads(pipe.recv_bytes()):
            pipe.send_bytes(pickle.dumps(work(task), pickle.HIGHEST_PROTOCOL))


def _isolate() -> None:
    """The parent ends its processes, not Ctrl-C; what they make is never garbage before they end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.disable()


def _serve(pipe: Connection, work: Callable[[Any], Any], inherited: Sequence[Connection]) -> None:
    """The life of a worker: chunks in, one answer for each task out, until the pipe closes."""
    for other in inherited:  # else the ends kept open here would hide the death of the parent from the others
        other.close()
    _isolate()
    try:
        run_deep(lambda: _answer(pipe, work))  # one thread with a big stack for all tasks, not one each
    except (EOFError, OSError):
        os._exit(0)
    except BaseException:
        os._exit(70)
