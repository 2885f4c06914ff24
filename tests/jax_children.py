"""Children that run blocks and fixtures on JAX, one after another: JAX starts once, and compiles what they share once.

A verdict is as good as that of a process of its own. Programs that speak of what a process has only one of run alone.
A child that a program changed runs no other one, and a program that fails in a child that has run another one runs
again in a fresh child.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import random
import re
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from types import ModuleType
from typing import Final

from tests.rulebook_blocks import ROOT, run_block, run_fixture

#: For one program.
SECONDS: Final = 120
#: Programs of one child, which remembers all that they compiled.
MOST: Final = 60
#: Settings, the environment, backends, and counts of what is compiled.
_OF_THE_PROCESS: Final = re.compile(
    r"jax\.config|environ|jax\.distributed|clear_caches|log_compiles|monitoring|getLogger|checking_leaks|subprocess"
)
#: Where a program could leave something of its own for the next one.
_MODULES: Final = (
    "builtins", "functools", "jax", "jax.lax", "jax.numpy", "jax.random", "jax.tree_util", "logging", "numpy",
    "numpy.random", "random", "time", "warnings",
)  # fmt: skip


@dataclass(frozen=True)
class Program:
    """A block of a page, by its place among the blocks of the page, or a fixture file, whose place is `None`."""

    path: str
    place: int | None
    source: str

    @property
    def needs_a_process(self) -> bool:
        """Whether it may matter that another program ran before."""
        return bool(_OF_THE_PROCESS.search(self.source))

    def run(self) -> str:
        """What disagrees with the page or the fixture, "" if nothing does."""
        return run_fixture(self.path) if self.place is None else run_block(self.path, self.place)


@dataclass(slots=True)
class _Child:
    """A process forked from a server that has imported JAX and started no backend."""

    process: ForkServerProcess
    connection: Connection
    programs: int = 0

    @classmethod
    def start(cls, devices: int) -> _Child:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["jax", "jax.numpy", "tests.jax_children"])
        ours, its = context.Pipe()
        process = context.Process(target=_serve, args=(its, devices))
        process.start()
        its.close()
        return cls(process, ours)

    def run(self, program: Program) -> tuple[str, bool]:
        """The verdict, and whether the child is as it was."""
        self.programs += 1
        try:
            self.connection.send(program)
            if not self.connection.poll(SECONDS):
                return f"still running after {SECONDS} s", False
            verdict, unchanged = self.connection.recv()
        except (EOFError, OSError):
            self.process.join(SECONDS)
            return f"the child ended with status {self.process.exitcode}", False
        return verdict, unchanged

    def end(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.join()


#: Of this process: the child that waits for the next program, by its number of devices.
_waiting: Final[dict[int, _Child]] = {}


def verdict(program: Program, devices: int) -> str:
    """What disagrees with the page or the fixture, "" if nothing does."""
    if program.needs_a_process:
        return _fresh_verdict(program, devices)
    child = _waiting.pop(devices, None)
    if child is None:
        return _fresh_verdict(program, devices)
    said, unchanged = child.run(program)
    _keep_or_end(child, devices, unchanged)
    return _fresh_verdict(program, devices) if said else ""


def _fresh_verdict(program: Program, devices: int) -> str:
    child = _Child.start(devices)
    said, unchanged = child.run(program)
    _keep_or_end(child, devices, unchanged)
    return said


def _keep_or_end(child: _Child, devices: int, unchanged: bool) -> None:
    if unchanged and child.programs < MOST and devices not in _waiting:
        _waiting[devices] = child
    else:
        child.end()


def end_children() -> None:
    """End those that wait."""
    while _waiting:
        _waiting.popitem()[1].end()


def _serve(connection: Connection, devices: int) -> None:
    """Body of the child: until the other side closes the connection, or kills it."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    if devices > 1:
        os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={devices}"
    with contextlib.suppress(EOFError):
        while True:
            program: Program = connection.recv()
            before = _State.now()
            with _as_if_alone():
                said = program.run()
            connection.send((said, before == _State.now()))


@contextlib.contextmanager
def _as_if_alone() -> Iterator[None]:
    """A program finds the folder, the generators and the import path as in a fresh process."""
    import numpy as np

    path, ours, numpys = list(sys.path), random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        os.chdir(ROOT)
        sys.path[:] = path
        random.setstate(ours)
        np.random.set_state(numpys)


@dataclass(frozen=True)
class _State:
    """What a program could change for the next one in the same process."""

    config: Mapping[str, object]
    environment: Mapping[str, str]
    threads: int
    loggers: tuple[tuple[object, ...], ...]
    hooks: tuple[object, ...]
    names: Mapping[tuple[str, str], int]

    @classmethod
    def now(cls) -> _State:
        import jax

        return cls(
            dict(jax.config.values),
            dict(os.environ),
            threading.active_count(),
            tuple(map(_settings, (logging.root, *map(logging.getLogger, ("jax", "jax._src"))))),
            (sys.gettrace(), sys.getprofile(), sys.excepthook, sys.stdout, sys.stderr),
            {(name, each): id(value) for name in _MODULES for each, value in _public(sys.modules[name])},
        )


def _settings(logger: logging.Logger) -> tuple[object, ...]:
    return logger.level, logger.propagate, logger.disabled, *logger.handlers, *logger.filters


def _public(module: ModuleType) -> list[tuple[str, object]]:
    """The attributes of a module that are no modules: those are added whenever one is imported."""
    found = vars(module).items()
    return [(name, value) for name, value in found if name[0] != "_" and not isinstance(value, ModuleType)]
