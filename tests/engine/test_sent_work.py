"""Parts that are checked in other processes, or on a cluster, have the findings of a check in this one."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from jaxlint.config import ConfigError, load_configuration
from jaxlint.engine import sent_work
from jaxlint.engine.load import LoadTask, load
from jaxlint.engine.part_cache import PartCache
from jaxlint.engine.part_runners import NO_PARTS, ForkedParts, PartRunner
from jaxlint.engine.part_task import LoadsHere, answer_task, refuse_other_versions, rules_of, versions_here
from jaxlint.engine.result import Result
from jaxlint.engine.sent_work import Sender, SentLoads, SentParts, SpawnedParts
from jaxlint.engine.session import Request, Session, _projects
from jaxlint.files.discovery import discover
from tests.cli.command_line import ROOT, project, real_jaxlint

KEY = "import jax\n\nkey = jax.random.key(0)\n"
DRAW = "import jax\n\ndef draw(key):\n    return jax.random.normal(key)\n"
FILES = {
    "pyproject.toml": "",
    "lib.py": DRAW,
    "use.py": KEY + "from lib import draw\na = draw(key)\nb = draw(key)\n",
    "behind.py": KEY + "from silent import draw\na = draw(key)\nb = draw(key)  # jaxlint: ignore\n",
    "silent.py": "from deeper import draw\n",
    "deeper.py": "from lib import draw\n",
    "a.py": KEY + "a = jax.random.normal(key)\nb = jax.random.normal(key)\n",
    "broken.py": "import jax\nx = (\n",
    "package/__init__.py": "",
    "package/one.py": KEY + "from . import two\ntwo.draw(key)\ntwo.draw(key)\n",
    "package/two.py": DRAW,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return project(tmp_path, dict(FILES))


def session(folder: Path, loads: Any = None, parts: PartRunner = NO_PARTS, **options: Any) -> Session:
    configuration = load_configuration(command_line={}, environment={}, isolated=True, working_directory=str(folder))
    found = discover(["."], configuration, str(folder)).files
    request = Request(found, configuration, **options)
    rules = rules_of(())
    return Session(request, rules, _projects(request, rules), loads or LoadsHere(), parts)


def shown(result: Result) -> object:
    return result.diagnostics, result.statistics, result.suppressed, result.warnings


def test_forked_parts(folder: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("nothing is forked here")
    whole = session(folder)
    side_by_side = session(folder, parts=ForkedParts(2, rules_of(())))
    assert shown(side_by_side.check()) == shown(whole.check())
    assert side_by_side.evidence() == whole.evidence()


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_processes_that_share_nothing(folder: Path, method: str) -> None:
    if method == "forkserver" and sys.platform == "win32":
        pytest.skip("there is none")
    whole = session(folder).check()
    assert shown(session(folder, parts=SpawnedParts(2, (), method)).check()) == shown(whole)


def test_what_both_parsers_read_the_same_is_known_here(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    configuration = load_configuration(command_line={}, environment={}, isolated=True, working_directory=str(folder))

    def agreed(parts: PartRunner) -> dict[str, bytes] | None:
        kept = PartCache(str(tmp_path_factory.mktemp("cache")), configuration, ())
        there = session(folder, parts=parts, kept=kept)
        there.check()
        return there._projects[0].agreed

    whole = agreed(NO_PARTS)
    assert {Path(path).name for path in whole or ()} >= {"a.py", "use.py", "lib.py"}
    assert agreed(SpawnedParts(2, ())) == whole
    if sys.platform == "linux":
        assert agreed(ForkedParts(2, rules_of(()))) == whole


def test_files_are_sent_by_content(folder: Path) -> None:
    whole = session(folder)
    expected = whole.check()
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        sender = Sender(executor, 2, "elsewhere")
        there = session(folder, SentLoads(sender, LoadsHere()), SentParts(sender), executor="elsewhere")
        assert shown(there.check()) == shown(expected)
        assert there.evidence().digests == whole.evidence().digests


def test_a_part_is_checked_without_a_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent is all that is read."""
    sent: list[Any] = []

    class Noting(Executor):
        def submit(self, work: Any, /, *given: Any, **_: Any) -> Future[Any]:
            done: Future[Any] = Future()
            sent.append(given[-1])
            done.set_result(work(*given))
            return done

    expected = session(folder).check()
    parts = SentParts(Sender(Noting(), 1, "here"))
    assert shown(session(folder, parts=parts).check()) == shown(expected)
    last = {task.part: task for task in sent}
    assert len(sent) > len(last) > 2, "some of them had to be asked for more"
    (folder / "lib.py").unlink()
    monkeypatch.chdir("/")
    found = [each for task in last.values() if (outcome := answer_task(task).outcome) for each in outcome.diagnostics]
    assert sorted(each.fingerprint for each in found if each.rule == "key-reuse") == sorted(
        each.fingerprint for each in expected.diagnostics if each.rule == "key-reuse"
    )


class _Breaking(Executor):
    """Answers some tasks, and then no more."""

    def __init__(self, answers: int) -> None:
        self.answers = answers

    def submit(self, work: Any, /, *given: Any, **_: Any) -> Future[Any]:
        self.answers -= 1
        done: Future[Any] = Future()
        if self.answers < -2:
            raise RuntimeError("cannot schedule new futures after shutdown")
        if self.answers < 0:
            done.set_exception(OSError("the process is gone"))
        else:
            done.set_result(work(*given))
        return done


@pytest.mark.parametrize("answers", [0, 1, 3])
def test_what_an_executor_cannot_do_is_done_here(
    folder: Path, answers: int, capsys: pytest.CaptureFixture[str]
) -> None:
    sender = Sender(_Breaking(answers), 1, "elsewhere")
    there = session(folder, SentLoads(sender, LoadsHere()), SentParts(sender), executor="elsewhere")
    assert shown(there.check()) == shown(session(folder).check())
    assert capsys.readouterr().err.count("elsewhere could not do all tasks, which are done here") == 1


def test_nobody_is_waited_for_in_vain(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(Executor):
        def submit(self, *_: Any, **__: Any) -> Future[Any]:
            return Future()

    monkeypatch.setattr(sent_work, "_LOOK", 0.05)
    sender = Sender(Silent(), 1, "elsewhere", is_alive=lambda: False)
    there = session(folder, SentLoads(sender, LoadsHere()), SentParts(sender), executor="elsewhere")
    assert shown(there.check()) == shown(session(folder).check())


def test_other_versions_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = versions_here(())
    refuse_other_versions(here, here, "there")
    other = tuple((name, "9.9" if name == "libcst" else found) for name, found in here)
    with pytest.raises(ConfigError, match=r"there: libcst is not the same: 9\.9 there and .* here"):
        refuse_other_versions(here, other, "there")
    task = LoadTask("a.py", "a", False, b"x = 1\n")
    assert sent_work.load_sent(here, (), [task]) == [load(task)]
    assert sent_work.load_sent(other, (), [task]) == sent_work.OtherVersions(here)


# --- a cluster of Dask


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and three workers of one thread each that nobody starts again."""
    pytest.importorskip("distributed")
    port, scratch = free_port(), tmp_path_factory.mktemp("dask")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    common = [sys.executable, "-m", "dask"]
    arguments = ["scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    started = [subprocess.Popen([*common, *arguments], env=environment, cwd=scratch, **quiet)]
    for number in range(3):
        own = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(scratch / str(number))]
        command = [*common, "worker", f"tcp://127.0.0.1:{port}", "--death-timeout", "120", *own]
        started.append(subprocess.Popen(command, env=environment, cwd=scratch, **quiet))
    try:
        yield f"127.0.0.1:{port}", started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


def many(folder: Path) -> Path:
    """A project of many parts, each of which takes a while."""
    body = "".join(f"def f{n}(key):\n    return jax.random.normal(key) + jax.random.normal(key)\n" for n in range(40))
    return project(folder, {f"m{n}.py": f"{KEY}{body}print(f{n % 40}(key))\n" for n in range(60)})


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker(folder: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]]) -> None:
    distributed: Any = pytest.importorskip("distributed")
    address, workers = cluster
    options = ("--no-cache", "--output-format", "json", "--statistics", ".")
    whole = real_jaxlint("check", "-j1", *options, cwd=many(folder))
    command = [sys.executable, "-m", "jaxlint", "check", "--executor", f"dask://{address}", *options]
    with distributed.Client(f"tcp://{address}", set_as_default=False) as client:
        client.wait_for_workers(3, timeout=120)
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        run = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while run.poll() is None and not any("check_sent" in str(each) for each in client.processing().values()):
            time.sleep(0.02)
        workers[0].send_signal(signal.SIGKILL)
        out, _ = run.communicate(timeout=600)
        assert workers[0].wait(10) == -signal.SIGKILL
        assert len(client.scheduler_info()["workers"]) == 2
    assert (run.returncode, out.decode()) == (whole.code, whole.out)


def test_addresses_that_lead_nowhere(folder: Path) -> None:
    pytest.importorskip("distributed")
    done = real_jaxlint("check", "--executor", "spark://x", cwd=folder)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "is not of the form dask://HOST:PORT" in done.err
