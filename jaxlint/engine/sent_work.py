"""Loading and checking by an executor of `concurrent.futures` whose processes may be anywhere: files go by content.

No process needs the files on a disk of its own. Each task carries the versions that it is asked with, and a process
that has something else installed refuses it. What an executor cannot do is done here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from typing import Any, Final, NamedTuple, TypeVar

from jaxlint.config import ConfigError
from jaxlint.engine.load import Loaded, LoadTask, load
from jaxlint.engine.part_runners import Job
from jaxlint.engine.part_task import PartAnswer, PartTask, Versions, answer_task, refuse_other_versions, versions_here
from jaxlint.engine.parts import with_packages
from jaxlint.engine.project_run import ProjectRun
from jaxlint.engine.workers import Crash, Runner
from jaxlint.files.console import warn
from jaxlint.files.discovery import read_bytes
from jaxlint.progress import counted
from jaxlint.syntax.deep_stack import run_deep

Asked = TypeVar("Asked")

#: Files that one task loads, and tasks under way for each process: what is sent waits in memory.
_CHUNK: Final = 16
_AHEAD: Final = 3
#: Seconds without an answer after which it is asked whether anybody is left to give one.
_LOOK: Final = 10


class OtherVersions(NamedTuple):
    """The answer of a process that has something else installed."""

    there: Versions


def load_sent(versions: Versions, plugins: tuple[str, ...], tasks: Sequence[LoadTask]) -> list[Loaded] | OtherVersions:
    """Load files whose content was sent."""
    here = versions_here(plugins)
    return OtherVersions(here) if here != versions else run_deep(lambda: [load(task) for task in tasks])


def check_sent(versions: Versions, plugins: tuple[str, ...], task: PartTask) -> PartAnswer | OtherVersions:
    """Check a part that was sent."""
    here = versions_here(plugins)
    return OtherVersions(here) if here != versions else run_deep(lambda: answer_task(task))


@dataclass(slots=True, eq=False)
class Sender:
    """An executor of `size` processes, which errors call `name`; `is_alive` asks whether one of them is left."""

    executor: Executor
    size: int
    name: str
    plugins: tuple[str, ...] = ()
    is_alive: Callable[[], bool] = lambda: True
    _is_lost: bool = False
    _is_told: bool = False

    def each(self, work: Callable[..., Any], tasks: Iterable[Asked]) -> Iterator[tuple[Asked, Any]]:
        """Each task with what `work` makes of it there, or a Crash, in the order in which they end.

        Raises ConfigError where something else is installed there.
        """
        versions = versions_here(self.plugins)
        waiting = iter(tasks)
        under_way: dict[Future[Any], Asked] = {}
        while True:
            for task in islice(waiting, max(0, self.size * _AHEAD - len(under_way))):
                under_way[self._submit(work, versions, task)] = task
            if not under_way:
                return
            done = wait(under_way, _LOOK, return_when=FIRST_COMPLETED).done
            if not done and not self.is_alive():
                self._is_lost = True
                done = {future for future in under_way if future.cancel()}
            for future in done:
                yield under_way.pop(future), self._answer(future, versions)

    def _submit(self, work: Callable[..., Any], versions: Versions, task: object) -> Future[Any]:
        failed: Future[Any] = Future()
        if self._is_lost:
            failed.cancel()
            return failed
        try:
            return self.executor.submit(work, versions, self.plugins, task)
        except Exception as error:  # it is broken, or closed
            failed.set_exception(error)
            return failed

    def _answer(self, future: Future[Any], versions: Versions) -> object:
        try:
            answer = future.result()
        except ImportError as error:
            raise ConfigError(f"jaxlint cannot be imported there: {error}", self.name) from None
        except (Exception, CancelledError) as error:
            reason = f"{type(error).__name__}: {str(error).splitlines()[0]}" if str(error) else type(error).__name__
            if not self._is_told:
                self._is_told = True
                warn([f"{self.name} could not do all tasks, which are done here ({reason})"])
            return Crash(reason, is_timeout=False)
        if isinstance(answer, OtherVersions):
            refuse_other_versions(versions, answer.there, self.name)
        return answer


@dataclass(slots=True, eq=False)
class SentLoads:
    """Loads files by an executor; `here` loads those that it could not."""

    sender: Sender
    here: Runner[LoadTask, Loaded]

    def run(self, tasks: Iterable[LoadTask]) -> Iterator[tuple[LoadTask, Loaded | Crash]]:
        """Yield each task with its outcome."""
        unread: list[LoadTask] = []
        for sent, answer in self.sender.each(load_sent, _chunks(tasks, unread)):
            if isinstance(answer, Crash):
                yield from self.here.run(sent)
            else:
                yield from zip(sent, answer, strict=True)
        yield from ((task, load(task)) for task in unread)


def _chunks(tasks: Iterable[LoadTask], unread: list[LoadTask]) -> Iterator[list[LoadTask]]:
    """The tasks with the contents of their files; those whose files cannot be read become `unread`."""
    waiting = iter(tasks)
    while chunk := list(islice(waiting, _CHUNK)):
        filled = [_filled(task) for task in chunk]
        unread += [task for task in filled if task.data is None]
        if readable := [task for task in filled if task.data is not None]:
            yield readable


def _filled(task: LoadTask) -> LoadTask:
    """A task with the content of its file, if that can be read."""
    try:
        return task if task.data is not None else task._replace(data=read_bytes(task.path))
    except OSError:
        return task


@dataclass(slots=True, eq=False)
class SentParts:
    """Checks parts by an executor; where the analysis comes to a module that was not sent, once more with it."""

    sender: Sender
    _absent: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def run(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, PartAnswer]]:
        """Yield each job with its answer; those that the executor could not do are left out."""
        left: dict[Job, frozenset[str]] = dict.fromkeys(sorted(jobs, key=lambda job: -len(job.part)), frozenset())
        while left:
            again: dict[Job, frozenset[str]] = {}
            sent = ((job, task) for job, names in left.items() if (task := self._task(job, names)) is not None)
            for job, answer in counted("analysing parts", self._answers(sent), len(left)):
                if isinstance(answer, Crash):
                    continue
                if answer.outcome is None:
                    again[job] = left[job] | answer.missing
                else:
                    yield job, answer
            left = again

    def _answers(self, sent: Iterable[tuple[Job, PartTask]]) -> Iterator[tuple[Job, PartAnswer | Crash]]:
        jobs: dict[int, Job] = {}

        def tasks() -> Iterator[PartTask]:
            for job, task in sent:
                jobs[id(task)] = job
                yield task

        for task, answer in self.sender.each(check_sent, tasks()):
            yield jobs.pop(id(task)), answer

    def _task(self, job: Job, names: frozenset[str]) -> PartTask | None:
        """What is sent for a part; None where one of its files cannot be read."""
        project, part = job
        absent = self._absent[project.root]
        imported = with_packages(name for path in part for name in project.loaded[path].imports)
        answers = {name: project.index.find(name) for name in imported | names | absent}
        absent.update(name for name in names if answers[name] is None)
        try:
            contents = {path: _content(project, path) for path in {*part, *filter(None, answers.values())}}
        except OSError:
            return None
        tasks = {path: project.task(path) for path in contents}
        return PartTask(
            project.root,
            project.settings,
            project.x64,
            project.triage,
            project.chosen,
            self.sender.plugins,
            part,
            contents,
            {path: (task.name, task.is_package) for path, task in tasks.items()},
            answers,
            {path: project.shown[path] for path in contents if path in project.shown},
            project.agreed and {path: project.agreed[path] for path in part if path in project.agreed},
        )


@dataclass(frozen=True, slots=True)
class SpawnedParts:
    """Checks parts in `size` processes that share nothing with this one, where a fork is not safe."""

    size: int
    plugins: tuple[str, ...]
    method: str = "spawn"

    def run(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, PartAnswer]]:
        """Yield each job with its answer."""
        if len(jobs) > 1:
            size = min(self.size, len(jobs))
            with ProcessPoolExecutor(size, get_context(self.method)) as executor:
                yield from SentParts(Sender(executor, size, f"{self.method}ed processes", self.plugins)).run(jobs)


def _content(project: ProjectRun, path: str) -> bytes:
    sent = project.contents.get(path)
    return read_bytes(path) if sent is None else sent
