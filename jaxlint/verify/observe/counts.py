"""From the records of all processes to what was counted per function and per line."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from jaxlint.verify.model import CACHED, Difference, EagerLine, FunctionCounts, Miss, Runtime, Site
from jaxlint.verify.observe.history import Entry, FunctionKey, History, Run
from jaxlint.verify.observe.input_specs import MAX_INPUTS, inputs_text
from jaxlint.verify.observe.places import definition_line
from jaxlint.verify.observe.record_reader import ProcessLog, Record


@dataclass(slots=True, eq=False)
class _Work:
    """One lowering or compilation of one function: what it belongs to, and when it was."""

    record: Record
    run: Run | None
    entry: Entry
    places: list[str] = field(default_factory=list)
    compile_seconds: float = 0.0


@dataclass(slots=True, eq=False)
class _Line:
    ops: Counter[str] = field(default_factory=Counter)
    compiles: int = 0
    seconds: float = 0.0


@dataclass(slots=True, eq=False)
class _Function:
    traces: int = 0
    lowerings: int = 0
    compiles: int = 0
    hits: int = 0
    trace_seconds: float = 0.0
    lower_seconds: float = 0.0
    compile_seconds: float = 0.0
    misses: list[Miss] = field(default_factory=list)
    calls: int | None = None
    inputs: dict[str, None] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Tally:
    """Adds up the processes of one run. Lowerings that belong to no function of the user's are eager operations."""

    functions: defaultdict[FunctionKey, _Function] = field(default_factory=lambda: defaultdict(_Function))
    lines: defaultdict[Site, _Line] = field(default_factory=lambda: defaultdict(_Line))
    histories: list[History] = field(default_factory=list)
    runtime: dict[str, str] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    raised: dict[Site, str] = field(default_factory=dict)
    placed: set[FunctionKey] = field(default_factory=set)
    uncounted: dict[int, tuple[int, int]] = field(default_factory=dict)
    announced: int = 0
    counted: int = 0

    def add(self, log: ProcessLog, start: float) -> None:
        """Add one process; `start` is the clock at which the run began."""
        parents = {history.log.pid: history for history in self.histories}
        history = History(log, parents.get(log.parent) if log.forked else None)
        offset = log.began.get("clock", start) - start
        counted = _Process(self, history, offset).add_all()
        announced = log.records[-1].get("announced") if log.stopped else None
        if announced is not None:
            self.announced += announced
            self.counted += counted
            if announced != counted:
                self.uncounted[log.pid] = announced, counted
        self.histories.append(history)
        self.placed.update(entry.function for entry in history.entries.values() if entry.is_placed)

    def function_counts(self) -> list[FunctionCounts]:
        """The functions, those that cost most time first."""
        found = [_frozen(key, function, self._line(key)) for key, function in self.functions.items()]
        return sorted(found, key=lambda f: (-f.seconds_lost, -len(f.recompilations), f.path, f.line, f.name))

    def _line(self, key: FunctionKey) -> int:
        """Where the function is defined; what the user only compiled stands where it was compiled."""
        return key[1] if key in self.placed else definition_line(*key)

    def eager_lines(self) -> list[EagerLine]:
        """The lines with eager operations, the slowest first."""
        found = [
            EagerLine(site.path, site.line, dict(line.ops.most_common()), line.compiles, round(line.seconds, 6))
            for site, line in self.lines.items()
        ]
        return sorted(found, key=lambda line: (-line.seconds, line.path, line.line))


@dataclass(slots=True, eq=False)
class _Process:
    """One process on its way into the tally."""

    tally: Tally
    history: History
    offset: float
    lowering: dict[int, _Work | None] = field(default_factory=dict)
    retold: list[_Work] = field(default_factory=list)
    places: dict[int, list[str]] = field(default_factory=dict)
    calls: dict[tuple[int, int], int] = field(default_factory=dict)
    compilations: int = 0

    def add_all(self) -> int:
        """Add what it recorded; the compilations that came into the tally, those of the persistent cache with them."""
        for record in self.history.log.records:
            self._take(record)
        for run in self.history.order:
            if run.is_execution:
                self._add_execution(run)
            elif run.lowered and not any(inner.is_execution for inner in run.descendants()):
                self._add_wrapper(run)
        for work in self.retold:
            self._add_compilation_alone(work)
        for (number, _), count in self.calls.items():
            function = self.tally.functions[self.history.entries[number].function]
            function.calls = (function.calls or 0) + count
        return self.compilations

    def _take(self, record: Record) -> None:
        match record["e"]:
            case "lower":
                self._lower(record)
            case "compile" | "hit":
                self._compile(record)
            case "jax" | "target":
                for name in ("version", "jaxlib", "platform", "device_kind"):
                    self.tally.runtime.setdefault(name, record.get(name, ""))
                    self.tally.runtime[name] = self.tally.runtime[name] or record.get(name, "")
            case "calls":
                self.calls[record["f"], record["w"]] = record["n"]
            case "fault":
                self.tally.faults[record["where"] + ": " + record["what"]] += 1
            case _:
                self.history.take(record)
                if record["e"] == "end" and record.get("error") and record["error"][1]:
                    name, place, message = record["error"]
                    self.tally.raised.setdefault(Site(*place), f"{name}: {message}")

    # --- what belongs to what

    def _lower(self, record: Record) -> None:
        work = self._work(record)
        self.lowering[record["th"]] = work
        if work is None:
            self._line(record).seconds += record["s"]
            return
        if work.run is not None:
            work.run.lowered = True
            work.run.lower_seconds += record["s"]
            if work.places and work.run.difference[0].reason == "unexplained":
                work.run.difference = (Difference("sharding", None, *work.places), ())
        else:
            self.retold.append(work)
        function = self.tally.functions[_credited(work)]
        function.lowerings += 1
        function.lower_seconds += record["s"]

    def _work(self, record: Record) -> _Work | None:
        """Whose lowering this is: of the run that has just ended, else of the function that JAX's frames name."""
        run = self.history.runs.get(record.get("r", 0))
        entry = self.history.entries.get(record.get("f", 0))
        if run is not None and (entry is None or entry is run.entry):
            return _Work(record, run, run.entry, self._moved(record, run.entry))
        if entry is None:
            return None
        waiting = next((r for r in entry.runs if not r.lowered and r.error is None), None)
        return _Work(record, waiting, entry, self._moved(record, entry))

    def _moved(self, record: Record, entry: Entry) -> list[str]:
        """Where the arguments lay before and lie now, where that is not the same."""
        now = record.get("places")
        if now is None:
            return []
        before, self.places[id(entry)] = self.places.get(id(entry)), now
        moved = [(old, new) for old, new in zip(before or [], now, strict=False) if old != new]
        return list(moved[0]) if moved else []

    def _compile(self, record: Record) -> None:
        self.compilations += 1
        work = self.lowering.pop(record["th"], None)
        if work is None:
            entry = self.history.entries.get(record.get("f", 0))
            if entry is None:
                self._add_unseen(record) if "unseen" in record else self._add_eager(record)
                return
            work = self._unlowered(record, entry)
        function = self.tally.functions[_credited(work)]
        function.compiles += record["e"] == "compile"
        function.hits += record["e"] == "hit"
        function.compile_seconds += record["s"]
        work.compile_seconds += record["s"]
        if work.run is not None:
            work.run.compiled = True
            work.run.compile_seconds += record["s"]

    def _add_eager(self, record: Record) -> None:
        line = self._line(record)
        line.seconds += record["s"]
        line.compiles += record["e"] == "compile"
        line.ops[_operation(record["name"])] += record["e"] == "compile"

    def _add_unseen(self, record: Record) -> None:
        """A function that was compiled without the observer's knowledge: it is counted, its arguments are not known."""
        path, line, name = record["unseen"]
        function = self.tally.functions[path, line, name]
        difference = Difference("unexplained" if function.misses else "first")
        function.compiles += record["e"] == "compile"
        function.hits += record["e"] == "hit"
        function.compile_seconds += record["s"]
        call = Site(*record["call"]) if record["call"] else None
        at, seconds = self.offset + record["t"], record["s"]
        parts = (0.0, 0.0, seconds)
        function.misses.append(
            Miss(difference, call, seconds, "jit", record["depth"] > 0, at, parts=parts, traced=False, process=self.pid)
        )

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self.history.log.pid

    def _unlowered(self, record: Record, entry: Entry) -> _Work:
        """A compilation without a lowering: of a run that was lowered earlier, else of the program for other places."""
        waiting = next((run for run in entry.runs if run.lowered and not run.compiled), None)
        work = _Work({**record, "s": 0.0}, waiting, entry, self._moved(record, entry))
        if waiting is None:
            self.retold.append(work)
        return work

    def _line(self, record: Record) -> _Line:
        return self.tally.lines[Site(*record["call"]) if record["call"] else Site("", 0)]

    # --- misses

    def _add_execution(self, run: Run) -> None:
        top = run.top
        leads = next((r for r in (top, *top.descendants()) if r.is_execution), run) is run
        source = top if leads else run
        parts = (source.seconds or 0.0, source.lower_seconds, source.compile_seconds)
        function = self.tally.functions[run.entry.function]
        function.traces += 1
        function.trace_seconds += run.seconds or 0.0
        if run.entry.direct and len(function.inputs) < MAX_INPUTS:
            function.inputs[inputs_text(run.key)] = None
        difference, also = run.difference if run.entry.transform == "filter_jit" or not leads else top.difference
        miss = Miss(
            difference,
            top.call,
            sum(parts),
            _told_transform(run, source),
            top.is_enclosed or not leads,
            self.offset + run.at,
            also,
            parts,
            error=run.error[0] if run.error else None,
            process=self.history.log.pid,
            calls=top.calls,
            tested=top.tested,
        )
        function.misses.append(miss)

    def _add_wrapper(self, run: Run) -> None:
        """A compiled wrapper whose function JAX had traced before: it was compiled, the function did not run."""
        parts = (run.seconds or 0.0, run.lower_seconds, run.compile_seconds)
        miss = Miss(
            run.difference[0],
            run.call,
            sum(parts),
            run.entry.transform,
            run.is_enclosed,
            self.offset + run.at,
            run.difference[1],
            parts,
            traced=False,
            process=self.history.log.pid,
            calls=run.calls,
            tested=run.tested,
        )
        self.tally.functions[run.entry.function].misses.append(miss)

    def _add_compilation_alone(self, work: _Work) -> None:
        """A compilation without a trace: another device, another sharding, other options."""
        record, seconds = work.record, work.record["s"] + work.compile_seconds
        before, now = work.places or (None, None)
        miss = Miss(
            Difference("no-retrace", None, before, now),
            Site(*record["call"]) if record["call"] else None,
            seconds,
            work.entry.transform,
            record["depth"] > 0,
            self.offset + record["t"],
            parts=(0.0, record["s"], work.compile_seconds),
            traced=False,
            process=self.history.log.pid,
        )
        self.tally.functions[_credited(work)].misses.append(miss)


def _told_transform(run: Run, source: Run) -> str:
    """What compiled a run: its own transform where a library's compiles something around it."""
    is_own = source.entry.owner == "library" and run.entry.transform in CACHED
    return run.entry.transform if is_own else source.entry.transform


def _credited(work: _Work) -> FunctionKey:
    """The function that a compilation is counted for: the one that runs inside, where the run is a wrapper's."""
    run = work.run
    if run is None:
        return work.entry.function
    return next((r.entry.function for r in (run, *run.descendants()) if r.is_execution), run.entry.function)


def _operation(name: str) -> str:
    """`add` from `jit(add)` or `jit_add`."""
    inner = name[4:-1] if name.startswith("jit(") and name.endswith(")") else name.removeprefix("jit_")
    return inner or "unnamed"


def _frozen(key: FunctionKey, function: _Function, line: int) -> FunctionCounts:
    path, _, name = key
    return FunctionCounts(
        path=path,
        line=line,
        name=name,
        calls=function.calls,
        traces=function.traces,
        lowerings=function.lowerings,
        compiles=function.compiles,
        cache_hits=function.hits,
        trace_seconds=round(function.trace_seconds, 6),
        lower_seconds=round(function.lower_seconds, 6),
        compile_seconds=round(function.compile_seconds, 6),
        misses=tuple(sorted(function.misses, key=lambda miss: miss.at)),
        inputs=tuple(filter(None, function.inputs)),
    )


def tally(logs: Iterable[ProcessLog]) -> Tally:
    """Everything that the processes recorded, added up."""
    result = Tally()
    known: Sequence[ProcessLog] = list(logs)
    start = min((log.began.get("clock", 0.0) for log in known), default=0.0)
    for log in known:
        result.add(log, start)
    return result


def runtime(tallied: Tally, logs: Sequence[ProcessLog]) -> Runtime:
    """What the run was on: the first process that said so."""
    found = tallied.runtime
    python = next((str(log.began["python"]) for log in logs), None)
    platform, kind, jax, jaxlib = (found.get(name) or None for name in ("platform", "device_kind", "version", "jaxlib"))
    return Runtime(platform, kind, jax, jaxlib, python)
