"""One thread with a big stack does all reading and analysing, one job after the other; the event loop never waits."""

from __future__ import annotations

import asyncio
import gc
import logging
import queue
import threading
from collections.abc import Callable
from typing import Any, Final, TypeVar

from jaxlint.syntax.deep_stack import run_deep

Outcome = TypeVar("Outcome")

_logger = logging.getLogger(__name__)

#: Seconds without work after which garbage is collected, and jobs after which it is even in the midst of work.
_IDLE: Final = 1.0
_MOST_JOBS: Final = 100


class Worker:
    """The thread and its jobs. Garbage is collected between jobs, when nobody waits."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=run_deep, args=(self._serve,), daemon=True, name="jaxlint-lsp")

    def start(self) -> None:
        """Begin to work; from now on garbage is collected by this thread alone."""
        gc.disable()
        self._thread.start()

    async def run(self, job: Callable[[], Outcome]) -> Outcome:
        """What a job gives, or raises. One that nobody waits for any more when its turn comes is left out."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Outcome] = loop.create_future()

        def work() -> None:
            if future.cancelled():
                return
            try:
                outcome = job()
            except BaseException as error:
                loop.call_soon_threadsafe(_settle, future, None, error)
            else:
                loop.call_soon_threadsafe(_settle, future, outcome, None)

        self._jobs.put(work)
        return await future

    def post(self, job: Callable[[], None]) -> None:
        """Do a job that nobody waits for, after those that were given before."""

        def work() -> None:
            try:
                job()
            except Exception:  # the thread goes on; standard error is where editors look for this
                _logger.exception("a job of the server failed")

        self._jobs.put(work)

    def _serve(self) -> None:
        done = 0
        while True:
            try:
                job = self._jobs.get(timeout=_IDLE if done else None)
            except queue.Empty:
                _collect()
                done = 0
                continue
            job()
            done += 1
            if done >= _MOST_JOBS:
                _collect()
                done = 0


def _collect() -> None:
    """Collect garbage; what is left will live long, and is not looked at again."""
    gc.collect()
    gc.freeze()


def _settle(future: asyncio.Future[Any], outcome: object, error: BaseException | None) -> None:
    if future.cancelled():
        return
    if error is None:
        future.set_result(outcome)
    else:
        future.set_exception(error)
