"""Whether jaxlint says of a program what happens when it is run, and the figures of many."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from benchmarks.agreement import execution, linter
from benchmarks.agreement.effect_text import MARK
from benchmarks.agreement.effects import effects_program
from benchmarks.agreement.key_record import recorded
from benchmarks.agreement.keys import keys_program
from benchmarks.agreement.program import Program, without_statement
from benchmarks.agreement.sinks import RULES
from benchmarks.agreement.statics import statics_program
from benchmarks.agreement.tracing import tracing_program

FAMILIES: dict[str, Callable[[Random, str], Program]] = {
    "tracing": tracing_program,
    "keys": keys_program,
    "effects": effects_program,
    "statics": statics_program,
}
_SHARES = {"tracing": 14, "keys": 3, "effects": 3, "statics": 2}

#: Rules about cost and style, of which running a program tells nothing, nor of an index that JAX clamps.
_NOT_COMPARED = frozenset({
    "jit-in-function", "jit-in-loop", "jit-method-self", "unsynchronized-timing", "varying-static-argument",
    "debug-print-fstring", "swallowed-trace-error", "cached-traced-function",
    "use-after-donate", "out-of-bounds-index",
})  # fmt: skip
#: Rules whose findings say what running a program can show and need not: they speak of every call, or of code to come.
_MORE = frozenset({"constant-key", "discarded-key-update"})
_KEY_RULES = frozenset({
    "key-reuse", "key-reuse-in-loop", "parent-key-after-split", "fold-in-collision", "same-key-across-batch", "constant-key",
    "discarded-key-update",
})  # fmt: skip
_EFFECT_RULES = frozenset({
    "print-in-traced-code", "io-in-traced-code", "global-mutation", "captured-mutation", "self-mutation",
    "argument-mutation", "mutable-global-read", "iterator-in-traced-code", "host-rng-in-traced-code", "leaked-tracer",
})  # fmt: skip
_STATIC_RULES = frozenset({"unhashable-static-argument", "array-as-static-argument", "static-name-mismatch"})
_TRACING_RULES = frozenset().union(*RULES.values())
_BY_FAMILY = {
    "tracing": _TRACING_RULES, "keys": _KEY_RULES, "effects": _EFFECT_RULES, "statics": _STATIC_RULES,
}  # fmt: skip


#: Statements of one program that are taken out at most.
_MOST_HAZARDS = 4


@dataclass(frozen=True)
class Verdict:
    """What was seen of a program and what was said of it.

    `expected` holds, for each hazard that was seen, the lines where it can be said; `said` the lines and rules of the
    findings; `allowed` are lines that can be told and need not. A program that fails for other reasons is not `valid`.
    """

    program: Program
    valid: bool
    expected: tuple[frozenset[int], ...] = ()
    said: tuple[tuple[int, str], ...] = ()
    allowed: frozenset[int] = frozenset()
    trouble: str = ""

    @property
    def missed(self) -> int:
        """How many hazards nothing was said of."""
        lines = {line for line, _ in self.said}
        return sum(not lines & hazard for hazard in self.expected)

    @property
    def alarms(self) -> int:
        """How many findings no hazard stands behind."""
        right = self.allowed.union(*self.expected)
        return len({line for line, rule in self.said if line not in right and rule not in _MORE})

    @property
    def agrees(self) -> bool:
        """Whether every hazard was found, and nothing else."""
        return not self.missed and not self.alarms

    @property
    def kind(self) -> str:
        """What is wrong: a word for each way to disagree."""
        return "missed" if self.missed and not self.alarms else "alarm" if not self.missed else "elsewhere"


def drawn(seed: str, number: int, family: str | None = None) -> Program:
    """The program of a number."""
    rng = Random(f"{seed}/{number}")
    chosen = rng.choices(list(_SHARES), list(_SHARES.values()))[0]
    family = family or chosen
    return FAMILIES[family](rng, f"p{number}")


def judged(program: Program) -> Verdict:
    """Run a program, ask jaxlint, and compare."""
    seen = _seen(program)
    if not seen.valid:
        return Verdict(program, valid=False, trouble=seen.trouble)
    said = sorted({
        (each.span.line, each.rule) for each in linter.findings(program.text) if _is_compared(program.family, each.rule)
    })  # fmt: skip
    return Verdict(program, True, tuple(seen.expected), tuple(said), seen.allowed, seen.trouble)


class _Seen(NamedTuple):
    """What running a program shows."""

    valid: bool
    expected: list[frozenset[int]]
    trouble: str = ""
    allowed: frozenset[int] = frozenset()


def _is_compared(family: str, rule: str) -> bool:
    """What is printed of a leaked tracer is no effect, but what it shows of one."""
    return rule not in _NOT_COMPARED and not (family == "effects" and rule in _TRACING_RULES - _EFFECT_RULES)


def _seen(program: Program) -> _Seen:
    match program.family:
        case "keys":
            return _reuse_seen(program)
        case "effects":
            return _effect_seen(program)
        case _:
            return _raises_seen(program)


def _raises_seen(program: Program) -> _Seen:
    """Where a program raises, and where it would if the statements that raise were not there."""
    raised = execution.run(program.text, program.name).raised
    if raised is None or not raised.is_hazard:
        return _Seen(raised is None, [], str(raised or ""))
    trouble = str(raised)
    expected: list[frozenset[int]] = []
    text = program.text
    while raised is not None and raised.is_hazard and len(expected) < _MOST_HAZARDS:
        expected.append(frozenset(raised.lines[:1]))
        text = without_statement(text, raised.lines[0])
        raised = execution.run(text, program.name).raised
    unseen = frozenset(range(text.count("\n") + 1)) if raised is not None else frozenset[int]()
    return _Seen(True, expected, trouble, unseen)


def _reuse_seen(program: Program) -> _Seen:
    with recorded(f"<{program.name}>") as record:
        raised = execution.run(program.text, program.name).raised
        reused, allowed = record.reused()
    return _Seen(raised is None, reused, str(raised or ""), allowed)


def _effect_seen(program: Program) -> _Seen:
    """An effect is a hazard where the program does something else than it does without compiling.

    Where it is only less often than once for each row of a mapped function, it can be told and need not.
    """
    run = execution.run(program.text, program.name)
    plain, by_rows = (_untransformed(program, row_by_row) for row_by_row in (False, True))
    if plain.raised is not None or (run.raised is not None and not run.raised.is_hazard):
        return _Seen(False, [], str(plain.raised or run.raised))
    marked = next((n for n, line in enumerate(program.text.split("\n"), 1) if line.endswith(MARK)), 0)
    shown = (run.printed, *run.left.values())
    differs = run.raised is not None or (run.printed, run.left) != (plain.printed, plain.left)
    differs = differs or any("Tracer(" in text for text in shown)
    less_often = (by_rows.printed, by_rows.left) != (plain.printed, plain.left)
    here = frozenset({marked})
    return _Seen(marked > 0, [here] if differs else [], run.printed[:200], here if less_often else frozenset())


def _untransformed(program: Program, row_by_row: bool) -> execution.Run:
    """The program with functions run as often as they are called, or once for each row; under `grad` they are anyway."""
    before = jax.checkpoint, jax.vmap
    jax.checkpoint = lambda function, **_: function
    jax.vmap = _row_by_row if row_by_row else jax.vmap
    try:
        with jax.disable_jit():
            return execution.run(program.text, program.name)
    finally:
        jax.checkpoint, jax.vmap = before


def _row_by_row(function: Callable[..., Any]) -> Callable[..., Any]:
    def mapped(*arrays: Any) -> Any:
        rows = [function(*row) for row in zip(*arrays, strict=True)]
        return jax.tree.map(lambda *parts: jnp.stack(parts), *rows)

    return mapped


@dataclass
class Figures:
    """Counts of many verdicts."""

    verdicts: list[Verdict] = field(default_factory=list)
    invalid: Counter[str] = field(default_factory=Counter)
    used: Counter[str] = field(default_factory=Counter)

    def add(self, verdict: Verdict) -> None:
        """Count one more."""
        if not verdict.valid:
            self.invalid[verdict.trouble[:90]] += 1
            return
        self.verdicts.append(verdict)
        self.used.update(set(verdict.program.used))

    def lines(self) -> list[str]:
        """The figures, as they are printed."""
        return [
            f"{len(self.verdicts)} programs compared, {sum(self.invalid.values())} not valid",
            _row("all", self.verdicts),
            *self._by("family", lambda v: [v.program.family]),
            *self._by("hazard", lambda v: [v.program.hazard]),
            *self._by("way of tracing", lambda v: v.program.way.split(" in ")),
            *self._coverage(),
        ]

    def _by(self, title: str, keys: Callable[[Verdict], Iterable[str]]) -> list[str]:
        groups: dict[str, list[Verdict]] = defaultdict(list)
        for verdict in self.verdicts:
            for key in set(keys(verdict)):
                groups[key].append(verdict)
        return ["", f"by {title}", *(_row(name, groups[name]) for name in sorted(groups))]

    def _coverage(self) -> list[str]:
        kinds: dict[str, set[str]] = defaultdict(set)
        for name in self.used:
            kind, _, what = name.partition(": ")
            kinds[kind].add(what)
        return ["", "coverage", *(f"  {kind:<24} {len(names)} different" for kind, names in sorted(kinds.items()))]


def _row(name: str, verdicts: list[Verdict]) -> str:
    exact = sum(v.agrees for v in verdicts)
    hazards = sum(len(v.expected) for v in verdicts)
    missed, alarms = sum(v.missed for v in verdicts), sum(v.alarms for v in verdicts)
    found = hazards - missed
    precision = found / (found + alarms) if found + alarms else 1.0
    recall = found / hazards if hazards else 1.0
    return (
        f"  {name:<32} {len(verdicts):>5} programs  agree {exact / max(1, len(verdicts)):7.2%}"
        f"  recall {recall:.3f} of {hazards:<5} precision {precision:.4f} ({alarms} alarms)"
    )
