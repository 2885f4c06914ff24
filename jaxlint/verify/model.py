"""What a verification found out: plain values that reports print and gates judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Final

from jaxlint.diagnostics import Diagnostic

#: Reasons for a trace that no change of the program would have saved: nothing was lost.
NEEDED: Final = frozenset({"first", "enclosing", "not-cached"})

#: Transforms whose traces JAX keeps: running one again is a miss of its cache.
CACHED: Final = frozenset(
    {
        "jit", "pmap", "filter_jit", "filter_pmap", "scan", "while_loop", "fori_loop", "cond", "switch", "map",
        "associative_scan", "shard_map", "checkpoint",
    }
)  # fmt: skip

#: Transforms that run a function at each call, and compile nothing of their own.
EAGER: Final = frozenset(
    {"vmap", "grad", "value_and_grad", "jacfwd", "jacrev", "hessian", "jvp", "vjp", "linearize"}
)  # fmt: skip


class Verdict(Enum):
    """What running the program says about a finding."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    NOT_REPRODUCED = "not-reproduced"
    NOT_REACHED = "not-reached"
    INCONCLUSIVE = "inconclusive"


#: What reports show first: what is wrong, then what a person has to decide.
BY_WEIGHT: Final = (
    Verdict.CONFIRMED, Verdict.INCONCLUSIVE, Verdict.NOT_REPRODUCED, Verdict.NOT_REACHED, Verdict.REFUTED
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Site:
    """A line of the user's code. `path` is absolute, or "<string>"-like."""

    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Difference:
    """One part of the cache key that is not as it was: which argument, by path, and what it was and is."""

    reason: str
    argument: str | None = None
    before: str | None = None
    now: str | None = None


@dataclass(frozen=True, slots=True)
class Miss:
    """One trace, or one compilation without a trace, and why it was needed.

    `seconds` sums tracing, lowering and compiling; `at` counts from the start of the program. `nested` says that it
    was part of a trace of another function, `transform` what traced it; `also` names further differences.
    `calls` is how often the compiled function had been called by then, where calls were counted; `tested` says that a
    test of pytest's called it.
    """

    difference: Difference
    call: Site | None
    seconds: float
    transform: str
    nested: bool
    at: float
    also: tuple[Difference, ...] = ()
    parts: tuple[float, float, float] = (0.0, 0.0, 0.0)
    traced: bool = True
    error: str | None = None
    process: int = 0
    calls: int | None = None
    tested: bool = False

    @property
    def is_recompilation(self) -> bool:
        """Whether the program paid for it a second time."""
        return not self.nested and self.transform in CACHED and self.difference.reason not in NEEDED


@dataclass(frozen=True, slots=True)
class FunctionCounts:
    """One function of the user's: how often it was traced, lowered and compiled, in seconds each, and why.

    `inputs` are the arguments it was traced with, as input specs; the first few sets.
    """

    path: str
    line: int
    name: str
    calls: int | None
    traces: int
    lowerings: int
    compiles: int
    cache_hits: int
    trace_seconds: float
    lower_seconds: float
    compile_seconds: float
    misses: tuple[Miss, ...]
    inputs: tuple[str, ...] = ()

    @property
    def recompilations(self) -> list[Miss]:
        """The misses after the first that were compilations of their own."""
        return [miss for miss in self.misses if miss.is_recompilation]

    @property
    def seconds_lost(self) -> float:
        """What the recompilations cost."""
        return sum(miss.seconds for miss in self.recompilations)

    @property
    def seconds(self) -> float:
        """What tracing, lowering and compiling it cost in all."""
        return self.trace_seconds + self.lower_seconds + self.compile_seconds

    @property
    def was_traced(self) -> bool:
        """Whether anything came of it: a function may be wrapped, and counted, and never run."""
        return bool(self.traces or self.lowerings or self.compiles or self.cache_hits)


@dataclass(frozen=True, slots=True)
class EagerLine:
    """One line that runs operations outside of any trace, each compiled for itself: how often and for how long."""

    path: str
    line: int
    ops: Mapping[str, int]
    compiles: int
    seconds: float

    @property
    def is_compiled_again(self) -> bool:
        """Whether it compiled one operation more than once."""
        return any(count > 1 for count in self.ops.values())


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict on one finding with its evidence, a line of text."""

    verdict: Verdict
    evidence: str


#: The evidence of a finding in a file that no process of the run loaded.
NOT_LOADED: Final = "the file was not loaded in this run"


@dataclass(frozen=True, slots=True)
class JudgedFinding:
    """A finding of the check with what the run showed of it."""

    diagnostic: Diagnostic
    verdict: Verdict
    evidence: str


@dataclass(frozen=True, slots=True)
class ObservedFinding:
    """A defect that a run or a probe showed, whether or not the check reports it.

    `rule` is a rule's slug, or the name of an error of JAX's catalogue where no rule has that defect. `evidence`
    holds the lines of text that a person needs to believe it; `count` is how often it happened at this place.
    """

    rule: str
    path: str
    line: int
    column: int | None
    message: str
    evidence: tuple[str, ...] = ()
    count: int = 1

    #: Tells it from a finding of the check, whose source is "check".
    source: ClassVar[str] = "observed"


@dataclass(frozen=True, slots=True)
class Runtime:
    """The JAX, the Python and the device that the program ran on; None where it never came to that."""

    platform: str | None = None
    device_kind: str | None = None
    jax: str | None = None
    jaxlib: str | None = None
    python: str | None = None


@dataclass(frozen=True, slots=True)
class ProbeCall:
    """One call of a probed function on abstract inputs, by name; `error` is what ended it, or why none was made."""

    mode: str | None
    inputs: Mapping[str, str]
    error: str | None


@dataclass(frozen=True, slots=True)
class ProbedFunction:
    """One function that was probed, and what its compilation for the target gave.

    `memory` is in bytes, by what it is for; None stands for what was not asked or not told. `lowered_for` holds None
    for each platform for which the function can be lowered, else why not.
    """

    path: str
    line: int
    name: str
    calls: tuple[ProbeCall, ...]
    trace_seconds: float
    lower_seconds: float | None
    compile_seconds: float | None
    flops: float | None
    bytes_accessed: float | None
    memory: Mapping[str, int | None]
    lowered_for: Mapping[str, str | None]
    error: str | None


@dataclass(frozen=True, slots=True)
class Observation:
    """One observed run. `complete` is false where records may be missing, and `problems` say why.

    `seconds` is how long the command ran, 0 where nobody measured that. `announced` is how many compilations JAX
    itself told of in the processes that came to their end, and `counted` how many of those the report holds.
    """

    command: tuple[str, ...]
    ended: str
    runtime: Runtime
    complete: bool
    functions: tuple[FunctionCounts, ...]
    eager: tuple[EagerLine, ...]
    findings: tuple[JudgedFinding, ...] = ()
    problems: tuple[str, ...] = ()
    processes: int = 1
    raised: Mapping[Site, str] = field(default_factory=dict)
    seconds: float = 0.0
    observed: tuple[ObservedFinding, ...] = ()
    announced: int = 0
    counted: int = 0

    @property
    def recompilations(self) -> int:
        """How often a function was compiled again, over all functions."""
        return sum(len(function.recompilations) for function in self.functions)
