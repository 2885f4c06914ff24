"""Programs in which a value travels through traced code and is asked something in the end."""

from __future__ import annotations

import itertools
from random import Random

from benchmarks.agreement import ways
from benchmarks.agreement.program import PREAMBLE, Draft, Program, function
from benchmarks.agreement.sinks import HARMLESS, SINKS, Sink
from benchmarks.agreement.step import PYTHON
from benchmarks.agreement.steps import GROUPS, take, travel

CONSTANTS = """\
MODES = ("fast", "slow")
TABLE = jnp.array([0.5, 1.0, 2.0])
NP_TABLE = np.array([0.5, 1.0, 2.0])
RATE = jnp.array(0.5)
COUNT = jnp.array(2)
NP_COUNT = np.array(2)
STEPS = 2
"""

#: Where a value comes from: the parameters, and what a trace closes over.
_SOURCES = [
    ("x", "vec"), ("x", "vec"), ("x", "vec"), ("x", "vec"), ("s", "num"), ("s", "num"), ("s", "num"), ("s", "num"),
    ("k", "int"), ("k", "int"), ("k", "int"), ("TABLE", "vec"), ("RATE", "num"), ("COUNT", "int"),
    ("NP_TABLE", "vec"), ("NP_COUNT", "int"), ("STEPS", "pyint"),
]  # fmt: skip
_OPERANDS = {
    "x": ("jnp.array([0.5, 1.0, 2.0])", "jnp.ones(3)", "jnp.ones(3)", "np.ones(3, np.float32)"),
    "s": ("0.7", "0.7", "jnp.float32(0.7)", "jnp.array(0.7)"),
    "k": ("2", "2", "jnp.array(2)"),
}
#: Ways that give no arrays, which nothing can be around.
_OUTERMOST = ("eval_shape", "make_jaxpr", "jit, lowered")


def tracing_program(rng: Random, name: str) -> Program:
    """A program of this family."""
    draft = Draft(rng)
    chosen = ways.drawn(rng)
    if len(chosen) == 2 and chosen[0].name in _OUTERMOST:
        chosen.reverse()
    if rng.random() < 0.5:
        _look_alike(draft)
    sink = _hazard(draft)
    if rng.random() < 0.4:
        _look_alike(draft)
    _wrap(draft, chosen)
    way = " in ".join(way.name for way in chosen)
    for each in chosen:
        draft.use("way", each.name)
    text = "\n".join([PREAMBLE, CONSTANTS.rstrip("\n"), *draft.top]) + "\n"
    return Program(name, text, "tracing", sink.hazard, way, draft.used)


def _hazard(draft: Draft) -> Sink:
    value, kind = draft.rng.choice(_SOURCES)
    for _ in range(draft.rng.choice([0, 1, 1, 2, 2, 3, 4])):
        value, kind = travel(draft, value, kind)
    hazards = sorted({sink.hazard for sink in SINKS if kind in sink.takes.split()})
    hazard = draft.rng.choice(hazards)
    sink = draft.rng.choice([sink for sink in SINKS if kind in sink.takes.split() and sink.hazard == hazard])
    _ask(draft, sink, value)
    return sink


def _look_alike(draft: Draft) -> None:
    """The twin of a hazard, of a value that a trace knows."""
    rng = draft.rng
    value, kind = rng.choice([("x", "vec"), ("x", "vec"), ("s", "num"), ("k", "int")])
    step = rng.choice([step for step in GROUPS["known"] if kind in step.takes.split()])
    value, kind = take(draft, step, value, kind, "known")
    if rng.random() < 0.5:
        step = rng.choice([step for name in ("call", "container") for step in GROUPS[name] if step.takes != "vec"])
        value, _ = take(draft, step, value, kind, "call")
    sinks = [sink for sink in SINKS if set(PYTHON.split()) & set(sink.takes.split()) or sink.hazard == HARMLESS]
    _ask(draft, rng.choice([sink for sink in sinks if kind in sink.takes.split()]), value)


def _ask(draft: Draft, sink: Sink, value: str) -> None:
    draft.use("sink", sink.name)
    names = {"v": value, "n": draft.number(), "a": draft.name()}
    if sink.top:
        draft.define(sink.top.format(**names))
    draft.say(sink.body.format(**names))


def _wrap(draft: Draft, chosen: list[ways.Way]) -> None:
    """Define the function, and call it in these ways, one inside the other."""
    rng = draft.rng
    name = "step"
    ways.define(draft, chosen[0], name)
    for number, (inner, outer) in enumerate(itertools.pairwise(chosen)):
        before, call = ways.call(inner, name, {"x": "x", "s": "s", "k": "k"})
        returned = f"return jnp.sum({call})" if outer.wants == "num" else f"return x * jnp.sum({call})"
        name = f"around{number}"
        draft.top += ["", "", *function(name, "x, s, k=2", [*before, returned])]
    operands = {letter: rng.choice(choices) for letter, choices in _OPERANDS.items()}
    last = chosen[-1]
    if rng.random() < 0.5:
        before, call = ways.call(last, name, {"x": "x", "s": "s", "k": "k"})
        values = [f"{letter} = {text}" for letter, text in operands.items()]
        draft.top += ["", "", *function("main", "", [*values, *before, f"return {call}"]), "", "", "main()"]
    else:
        before, call = ways.call(last, name, operands)
        draft.top += ["", "", *before, f"result = {call}"]
