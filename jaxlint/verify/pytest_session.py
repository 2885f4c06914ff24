"""One observed run of pytest: the limits of marked tests, and the report at the end."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import pytest

from jaxlint.text import plural
from jaxlint.verify.in_process import Session, page_of
from jaxlint.verify.model import FunctionCounts, Miss, Observation

#: By process: when, and the name of the test that began.
Marks: TypeAlias = Mapping[int, Sequence["tuple[float, str | None]"]]
_OUTSIDE: Final = "outside of the tests"


class Traces(Mapping[str, int]):
    """How often each function was traced since the test began, by qualified name; asked anew each time."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._start = session.now()

    def __getitem__(self, name: str) -> int:
        """The traces of the functions whose qualified name ends in `name`."""
        found = self._session.traces_since(self._start)
        return sum(count for known, count in found.items() if _is(known, name))

    def __iter__(self) -> Iterator[str]:
        """The functions that were traced."""
        return iter(self._session.traces_since(self._start))

    def __len__(self) -> int:
        """How many functions were traced."""
        return len(self._session.traces_since(self._start))


class TestSession:
    """The plug-in that is registered where something asks for it; `reports` says that the run is to be told."""

    __test__ = False

    def __init__(self, config: pytest.Config, session: Session) -> None:
        self.config = config
        self.session = session
        self._found: Observation | None = None
        self._marks: Marks = {}

    @classmethod
    def begin(cls, config: pytest.Config) -> TestSession:
        """Observe this process and those that it starts."""
        return cls(config, Session.begin())

    def traces(self) -> Traces:
        """The traces from now on, of functions that are traced as if this were the first test."""
        self._forget()
        return Traces(self.session)

    # --- the marker

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note which test runs from when to when."""
        _note("test", name=item.nodeid)
        yield
        _note("test", name="")

    @pytest.hookimpl(hookwrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Iterator[None]:
        """Fail a marked test that traced a function too often, whatever ran before it."""
        marker = pyfuncitem.get_closest_marker("max_traces")
        if marker is None:
            yield
            return
        start = self._forget()
        outcome: Any = yield
        if outcome.excinfo is not None:
            return
        count, name = _limit(*marker.args, **marker.kwargs)
        found = self.session.observation_since(start).functions
        over = [_reason(f) for f in found if f.traces > count and (name is None or _is(f.name, name))]
        if over:
            message = f"traced more often than max_traces({count}) allows: {'; '.join(over)}"
            outcome.force_exception(pytest.fail.Exception(message, pytrace=False))

    def _forget(self) -> float:
        """Begin a test with empty caches: what it traces does not depend on the tests before it; the time of that."""
        jax = sys.modules.get("jax")
        if jax is not None and hasattr(jax, "clear_caches"):
            jax.clear_caches()
            _note("test", name=None)
        return self.session.now()

    # --- the report

    @property
    def _reports(self) -> bool:
        option = self.config.option
        asked = option.jaxlint or option.jaxlint_html or option.jaxlint_max_recompiles is not None
        return bool(asked) and not hasattr(self.config, "workerinput")

    def _whole(self) -> Observation:
        if self._found is None:
            command = ("pytest", *map(str, self.config.invocation_params.args))
            found = self.session.observation(command, "at the end of the tests")
            self._marks = read_marks(self.session.folder)
            self._found = _as_first(found, self._marks)
        return self._found

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a run that compiled again more often than allowed."""
        allowed = self.config.option.jaxlint_max_recompiles
        if self._reports and allowed is not None and self._whole().recompilations > allowed and not session.exitstatus:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Report what all processes traced; workers of pytest-xdist leave that to their controller."""
        if not self._reports:
            return
        from jaxlint.report.paint import Paint
        from jaxlint.report.paths import PathPrinter
        from jaxlint.verify.report.terminal import text_lines

        found, paths = self._whole(), PathPrinter(str(self.config.invocation_params.dir))
        write = terminalreporter.write_line
        terminalreporter.section("jaxlint")
        for line in (*text_lines(found, paths, Paint(enabled=False)), *_by_test(found, self._marks)):
            write(line)
        option = self.config.option
        if option.jaxlint_html:
            page = os.path.join(paths.working_directory, option.jaxlint_html)
            with open(page, "w", encoding="utf-8") as file:
                file.write(page_of(found, paths))
            write(f"the report as a page: {option.jaxlint_html}")
        allowed = option.jaxlint_max_recompiles
        if allowed is not None and found.recompilations > allowed:
            write(f"{plural(found.recompilations, 'recompilation')}, and --jaxlint-max-recompiles allows {allowed}")

    def pytest_unconfigure(self) -> None:
        """Remove the records."""
        if not hasattr(self.config, "workerinput"):
            self.session.end()


def _limit(count: int, name: str | None = None) -> tuple[int, str | None]:
    return count, name


def _is(known: str, name: str) -> bool:
    return known == name or known.endswith(f".{name}")


def _reason(function: FunctionCounts) -> str:
    """`step` with why each trace after the first was needed."""
    texts = [_miss_text(miss) for miss in function.misses if miss.traced][1:]
    why = f" ({', then '.join(dict.fromkeys(texts))})" if texts else ""
    return f"`{function.name}` {function.traces} times{why}"


def _miss_text(miss: Miss) -> str:
    change = miss.difference
    line = f" at line {miss.call.line}" if miss.call else ""
    if change.argument is None:
        return f"{change.reason}{line}"
    return f"{change.reason}, {change.argument}: {change.before} -> {change.now}{line}"


def _note(event: str, **fields: object) -> None:
    from _jaxlint_observer import records  # type: ignore[import-not-found, unused-ignore]

    records.guarded(records.emit)(event, **fields)


def read_marks(folder: str) -> Marks:
    """When each process began which test, "" for the end of one, and None where the caches were emptied for it."""
    from jaxlint.verify.observe.record_reader import read_logs

    logs = read_logs(folder)
    start = float(logs[0].began.get("clock", 0.0)) if logs else 0.0
    found: dict[int, list[tuple[float, str | None]]] = {}
    for log in logs:
        offset = float(log.began.get("clock", start)) - start
        noted = [(offset + record["t"], record["name"]) for record in log.records if record["e"] == "test"]
        found.setdefault(log.pid, []).extend(noted)
    return found


def _as_first(found: Observation, marks: Marks) -> Observation:
    """Caches that marked tests empty are no fault of the program: the first trace after that counts as the first."""
    functions = tuple(replace(f, misses=tuple(_excused(f.misses, marks))) for f in found.functions)
    return replace(found, functions=functions)


def _excused(misses: tuple[Miss, ...], marks: Marks) -> Iterator[Miss]:
    seen: set[tuple[int, float]] = set()
    for miss in misses:
        emptied = [at for at, name in marks.get(miss.process, ()) if name is None and at <= miss.at]
        key = (miss.process, emptied[-1] if emptied else -1.0)
        is_first = bool(emptied) and key not in seen and miss.traced
        seen.add(key)
        is_excused = is_first or miss.difference.reason == "cache-cleared"
        yield replace(miss, difference=replace(miss.difference, reason="first")) if is_excused else miss


def _by_test(found: Observation, marks: Marks) -> Iterator[str]:
    """The tests in which functions were compiled again, those that lost most first."""
    lost: dict[str, list[tuple[str, Miss]]] = {}
    for function in found.functions:
        for miss in function.recompilations:
            named = [(at, name) for at, name in marks.get(miss.process, ()) if name is not None and at <= miss.at]
            lost.setdefault(named[-1][1] if named and named[-1][1] else _OUTSIDE, []).append((function.name, miss))
    if not lost:
        return
    yield ""
    yield "By test"
    for name, misses in sorted(lost.items(), key=lambda item: -sum(miss.seconds for _, miss in item[1]))[:20]:
        names = ", ".join(dict.fromkeys(f"`{function}`" for function, _ in misses))
        seconds = sum(miss.seconds for _, miss in misses)
        yield f"    {name}  {plural(len(misses), 'recompilation')}, {seconds:.2f} s: {names}"
