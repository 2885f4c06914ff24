"""Independent parts checked side by side, in processes that are forked from this one and share what it has read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from jaxlint.engine.part_task import LoadsHere, PartAnswer, answer_of
from jaxlint.engine.parts import Part
from jaxlint.engine.project_run import ProjectRun
from jaxlint.engine.workers import Crash, WorkerPool
from jaxlint.progress import counted, listen

if TYPE_CHECKING:
    from jaxlint.rules.rule import Rule


class Job(NamedTuple):
    """A part of a project that is to be checked."""

    project: ProjectRun
    part: Part


class PartRunner(Protocol):
    """What checks parts somewhere else."""

    def run(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, PartAnswer]]:
        """Yield each job with its answer, as they end; those that nobody could do are left out."""
        ...


@dataclass(frozen=True, slots=True)
class _NoParts:
    """Checks no part: all are checked here, one after the other."""

    def run(self, _: Sequence[Job]) -> Iterator[tuple[Job, PartAnswer]]:
        """Yield nothing."""
        return iter(())


NO_PARTS: Final[PartRunner] = _NoParts()


@dataclass(frozen=True, slots=True)
class ForkedParts:
    """Checks parts in processes that are forked when all files are read, and share what is read."""

    size: int
    rules: Mapping[str, Rule]

    def run(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, PartAnswer]]:
        """Yield each job with its answer; one during which a process dies is done in the parent, which says why."""
        if len(jobs) < 2:
            return
        largest = sorted(jobs, key=lambda job: -len(job.part))

        def work(number: int) -> PartAnswer:
            listen(None)
            job = largest[number]
            return answer_of(job.project, job.part, self.rules, LoadsHere())

        with WorkerPool(work, min(self.size, len(jobs)), time_limit=None, chunk=1) as pool:
            done = counted("analysing parts", pool.run(range(len(jobs))), len(jobs))
            for number, answer in done:
                if not isinstance(answer, Crash):
                    yield largest[number], answer
