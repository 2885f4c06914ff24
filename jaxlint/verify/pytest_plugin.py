"""`pytest --jaxlint`: the tests run observed, and what they traced is reported at their end and can be limited.

Loaded by every pytest that finds jaxlint installed: imports nothing before it is asked to.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from jaxlint.verify.observe.history import History

_OFF = "needs `pytest --jaxlint`"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The one option."""
    group = parser.getgroup("jaxlint")
    group.addoption("--jaxlint", action="store_true", help="Observe what JAX traces and compiles, and report it.")


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Begin before the project's own code imports JAX."""
    if early_config.known_args_namespace.jaxlint:
        early_config.stash[_SESSION] = Session.begin()


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known; begin here where pytest was started from Python."""
    config.addinivalue_line(
        "markers", "max_traces(count, name=None): no function, or none of that name, is traced more often in the test."
    )
    if config.getoption("--jaxlint") and _SESSION not in config.stash:
        config.stash[_SESSION] = Session.begin()


class Session:
    """The records of one run of pytest. `own` says that the folder is ours to remove."""

    def __init__(self, folder: str, *, own: bool) -> None:
        self.folder = folder
        self.own = own

    @classmethod
    def begin(cls) -> Session:
        """Observe this process and those that it starts; a run that is observed already goes on as it is."""
        from jaxlint.verify.observe.process import INJECTED, observing

        folder = os.environ.get("JAXLINT_OBSERVE")
        own = folder is None
        if folder is None:
            folder = tempfile.mkdtemp(prefix="jaxlint-pytest-")
            os.environ.update(observing(os.environ, folder))
        if "_jaxlint_observer" not in sys.modules:
            sys.path.insert(0, INJECTED)
            try:
                import _jaxlint_observer  # type: ignore[import-not-found, unused-ignore]
            finally:
                sys.path.remove(INJECTED)
            _jaxlint_observer.arm()
        return cls(folder, own=own)

    def now(self) -> float:
        """The clock of the records."""
        from _jaxlint_observer import records  # type: ignore[import-not-found, unused-ignore]

        return float(records.age())

    def traces_since(self, start: float) -> dict[str, int]:
        """How often each function of the user's was traced in this process since `start`."""
        history = self._history()
        counts: dict[str, int] = {}
        for run in history.order if history else ():
            if run.at >= start and run.is_execution and run.entry.owner == "user":
                name = run.entry.function[2]
                counts[name] = counts.get(name, 0) + 1
        return counts

    def _history(self) -> History | None:
        from jaxlint.verify.observe.counts import tally
        from jaxlint.verify.observe.record_reader import read_logs

        tallied = tally(log for log in read_logs(self.folder) if log.pid == os.getpid())
        return tallied.histories[-1] if tallied.histories else None


_SESSION = pytest.StashKey[Session]()


class Traces(Mapping[str, int]):
    """How often each function was traced since the test began, by qualified name; asked anew each time."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._start = session.now()

    def __getitem__(self, name: str) -> int:
        """The traces of the functions whose qualified name ends in `name`."""
        found = self._session.traces_since(self._start)
        return sum(count for known, count in found.items() if known == name or known.endswith(f".{name}"))

    def __iter__(self) -> Iterator[str]:
        """The functions that were traced."""
        return iter(self._session.traces_since(self._start))

    def __len__(self) -> int:
        """How many functions were traced."""
        return len(self._session.traces_since(self._start))


@pytest.fixture
def jaxlint_traces(request: pytest.FixtureRequest) -> Traces:
    """What is traced in the test, by function."""
    session = request.config.stash.get(_SESSION, None)
    if session is None:
        pytest.skip(f"`jaxlint_traces` {_OFF}")
    return Traces(session)


@pytest.hookimpl(hookwrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """Fail a marked test that traced a function too often."""
    marker = pyfuncitem.get_closest_marker("max_traces")
    session = pyfuncitem.config.stash.get(_SESSION, None)
    if marker is None or session is None:
        yield
        return
    start = session.now()
    outcome: Any = yield
    outcome.get_result()
    count, name = _limit(*marker.args, **marker.kwargs)
    found = session.traces_since(start)
    over = [f"`{known}` {times} times" for known, times in found.items() if times > count and _is(known, name)]
    if over:
        pytest.fail(f"traced more often than max_traces({count}) allows: {', '.join(over)}", pytrace=False)


def _limit(count: int, name: str | None = None) -> tuple[int, str | None]:
    return count, name


def _is(known: str, name: str | None) -> bool:
    return name is None or known == name or known.endswith(f".{name}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Report what all processes traced; workers of pytest-xdist leave that to their controller."""
    session = config.stash.get(_SESSION, None)
    if session is None or hasattr(config, "workerinput"):
        return
    from jaxlint.report.paint import Paint
    from jaxlint.report.paths import PathPrinter
    from jaxlint.verify.observe.counts import tally
    from jaxlint.verify.observe.observe import observation
    from jaxlint.verify.observe.process import Ended
    from jaxlint.verify.observe.record_reader import read_logs
    from jaxlint.verify.report.terminal import text_lines

    logs = read_logs(session.folder)
    ended = Ended(0, "at the end of the tests", timed_out=False, signal=None, seconds=0.0)
    command = ("pytest", *config.invocation_params.args)
    found = observation(tuple(map(str, command)), ended, logs, tally(logs), (), running=os.getpid())
    terminalreporter.section("jaxlint")
    for line in text_lines(found, PathPrinter(str(config.invocation_params.dir)), Paint(enabled=False)):
        terminalreporter.write_line(line)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the records; what is still recorded afterwards goes nowhere."""
    session = config.stash.get(_SESSION, None)
    if session is not None and session.own and not hasattr(config, "workerinput"):
        shutil.rmtree(session.folder, ignore_errors=True)
