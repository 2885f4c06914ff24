"""What is true of the programs: what their counters and JAX's log said, and what is written beside their functions.

`# reasons: first shape` above a function: one for each entry of its misses; `# reasons before 0.8: ...`: on older JAX.
`# confirmed: RULE` and `# look-alike: RULE` at the end of a line: a finding there is true, or is not; with an
expression in backticks behind it, the finding is at that expression.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Final

from tests.verify.observing import PROGRAMS, Observed

#: Programs whose counters are compared; those of frameworks need more than JAX.
COUNTED: Final = (
    "keys", "objects", "transforms", "frameworks", "minibatches", "evaluation", "rollout", "pipeline", "warmup",
    "sweep", "models", "server", "layers", "calling", "configuration", "sharded", "replicated", "sampling",
    "fresh_functions", "threads", "processes", "equinox_wrapped", "nnx_wrapped", "haiku_jitted", "one_callee",
)  # fmt: skip
#: Programs that compile what is not theirs: truth stands beside the lines that compile.
JITTED: Final = ("library_functions", "fresh_functions", "linen_jitted", "optimizers", "equinox_wrapped", "nnx_wrapped")
#: Programs that need more than JAX.
OF_FRAMEWORKS: Final = frozenset(
    {"frameworks", "linen_jitted", "optimizers", "equinox_wrapped", "nnx_wrapped", "haiku_jitted"}
)
#: Those that say why each trace was needed.
REASONED: Final = tuple(name for name in COUNTED if name not in ("transforms", "frameworks"))
#: Those whose functions JAX's log names; it names the loops of `transforms`, not their bodies.
LOGGED: Final = tuple(name for name in REASONED if name not in OF_FRAMEWORKS)
#: Programs whose compilations are all of one process: JAX's log and the report are to have the same number.
SUMMED: Final = (*(name for name in LOGGED if name != "processes"), *sorted(OF_FRAMEWORKS), "library_functions")
#: Partials, callable objects and functions of `pmap`, which some releases of JAX log without their names; and one
#: under an eager gradient, whose transposes JAX logs by its name.
NAMELESS: Final = frozenset(
    {"residual", "objective", "leapfrog", "power", "__call__", "step", "powered", "evaluate", "part", "scaled", "held"}
)
_REASONS: Final = re.compile(r"((?:[ \t]*# reasons.*\n)+)(?:\s*@.*\n)*\s*def (\w+)")
_ONE: Final = re.compile(r"# reasons(?: before (\d+)\.(\d+))?: (.*)")
_MARK: Final = re.compile(
    r"(?P<code>.*\S)\s+# (?P<truth>confirmed|look-alike): (?P<rule>[\w-]+)(?: `(?P<text>[^`]*)`)?"
    r"(?: after `(?P<first>[^`]*)`)?$"
)


_JITTED: Final = re.compile(r".*\S\s+# jitted: (?P<name>.*?): ?(?P<reasons>[a-z -]*)$")


@dataclass(frozen=True)
class Mark:
    """One finding by hand: what a run has to say of it."""

    rule: str
    line: int
    text: str
    is_true: bool
    first: str | None = None


def script_of(name: str) -> Path:
    """The file of a program."""
    return PROGRAMS / f"{name}.py"


def counted(observed: Observed) -> tuple[dict[str, int], dict[str, int]]:
    """Traces by the counters, and compilations by JAX's log, as the program itself printed them."""
    last = json.loads(observed.out.strip().splitlines()[-1])
    return last["traces"], last["compilations"]


def logged(observed: Observed) -> tuple[dict[str, int], dict[str, int]]:
    """Compilations of each function with a counter: by JAX's log, and by the report."""
    traces, compilations = counted(observed)
    names = {name.rpartition(".")[2] for name in traces} - NAMELESS
    ours = dict.fromkeys(names, 0)
    for function in observed.report["functions"]:
        name = function["name"].rpartition(".")[2]
        if name in ours:
            ours[name] += function["compiles"]
    return {name: compilations.get(name, 0) for name in names}, ours


def expected_reasons(name: str, jax: str) -> dict[str, list[str]]:
    """The reasons that are written above the functions of a program, for that release of JAX."""
    release = tuple(int(part) for part in jax.split(".")[:2])
    found = {}
    for comments, function in _REASONS.findall(script_of(name).read_text(encoding="utf-8")):
        for major, minor, reasons in _ONE.findall(comments):
            if not major or release < (int(major), int(minor)):
                found[function] = reasons.split()
    return found


def reasons(name: str, observed: Observed) -> list[tuple[str, str, str]]:
    """Function, reason by hand and reason in the report, for each trace that either knows; empty where it does not."""
    at_lines = expected_at_lines(name)
    functions = (found for found in observed.report["functions"] if found["line"] not in at_lines)
    misses = {found["name"].rpartition(".")[2]: found["misses"] for found in functions}
    return [
        (function, wanted, told)
        for function, expected in expected_reasons(name, observed.report["target"]["jax"]).items()
        for wanted, told in zip_longest(expected, [m["reason"] for m in misses.get(function, [])], fillvalue="")
    ]


def marks(name: str) -> list[Mark]:
    """The findings by hand of a program."""
    lines = script_of(name).read_text(encoding="utf-8").splitlines()
    found = [(number, _MARK.match(line)) for number, line in enumerate(lines, 1)]
    return [
        Mark(
            match["rule"], number, match["text"] or match["code"].strip(), match["truth"] == "confirmed", match["first"]
        )
        for number, match in found
        if match
    ]


def expected_at_lines(name: str) -> dict[int, tuple[str, list[str]]]:
    """What is compiled at each marked line of a program, by its name, and the reasons of its traces."""
    lines = script_of(name).read_text(encoding="utf-8").splitlines()
    found = [(number, _JITTED.match(line)) for number, line in enumerate(lines, 1)]
    return {number: (match["name"], match["reasons"].split()) for number, match in found if match}


def told_at_lines(name: str, observed: Observed) -> dict[int, tuple[str, list[str]]]:
    """What the report says of the marked lines; a function that was never traced has no reasons."""
    expected = expected_at_lines(name)
    told = {
        function["line"]: (function["name"], [miss["reason"] for miss in function["misses"]])
        for function in observed.report["functions"]
        if function["line"] in expected and function["path"].endswith(script_of(name).name)
    }
    return {line: told.get(line, (wanted, [])) for line, (wanted, _) in expected.items()}


def expected_observed(name: str) -> set[tuple[str, int]]:
    """What a run is to find by itself: rule and line of each mark `# observed: RULE`."""
    lines = script_of(name).read_text(encoding="utf-8").splitlines()
    found = [(number, re.search(r"# observed: ([\w-]+)", line)) for number, line in enumerate(lines, 1)]
    return {(match[1], number) for number, match in found if match}


def told_observed(observed: Observed) -> set[tuple[str, int]]:
    """What the run found by itself."""
    return {(f["rule"], f["line"]) for f in observed.report["findings"] if f["source"] == "observed"}


def summed(observed: Observed) -> tuple[int, int]:
    """All compilations: by JAX's log, and by the report."""
    ours = sum(function["compiles"] for function in observed.report["functions"])
    return sum(counted(observed)[1].values()), ours + sum(line["compiles"] for line in observed.report["eager"])
