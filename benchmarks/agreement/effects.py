"""Programs that change or read what is outside of a traced function, and that only seem to."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from benchmarks.agreement.program import PREAMBLE, Draft, Program, function

#: Ends the line on which the effect is written.
MARK = "  # here"


class Effect(NamedTuple):
    """What is defined before, what the function does, and what is done after each call.

    `outer` are statements of the enclosing function, where the traced function is defined inside one.
    """

    name: str
    body: str
    top: str = ""
    outer: str = ""
    after: str = ""
    shown: str = ""
    parameter: str = ""


EFFECTS = [
    Effect("print", "print('value', x.sum())" + MARK),
    Effect("global count", "global COUNT\nCOUNT += 1" + MARK, "COUNT = 0", shown="COUNT"),
    Effect("global tracer", "global LAST\nLAST = x.sum()" + MARK, "LAST = None", shown="str(LAST)"),
    Effect("global list", "LOG.append(1)" + MARK, "LOG = []", shown="LOG"),
    Effect("global list of tracers", "LOG.append(x.sum())" + MARK, "LOG = []", shown="str(LOG)"),
    Effect("global dict", "STATS['n'] = STATS.get('n', 0) + 1" + MARK, "STATS = {}", shown="STATS"),
    Effect("global dict +=", "STATS['n'] += 1" + MARK, "STATS = {'n': 0}", shown="STATS"),
    Effect("global set", "SEEN.add(len(SEEN))" + MARK, "SEEN = set()", shown="SEEN"),
    Effect("nonlocal", "nonlocal count\ncount += 1" + MARK, outer="count = 0", shown="count"),
    Effect("captured list", "seen.append(1)" + MARK, outer="seen = []", shown="seen"),
    Effect("captured list of tracers", "seen.append(x)" + MARK, outer="seen = []", shown="str(seen)"),
    Effect("captured dict", "stats['n'] = stats['n'] + 1" + MARK, outer="stats = {'n': 0}", shown="stats"),
    Effect("captured dict.update", "stats.update(n=stats['n'] + 1)" + MARK, outer="stats = {'n': 0}", shown="stats"),
    Effect("captured NumPy buffer", "hits[0] += 1.0" + MARK, outer="hits = np.zeros(2)", shown="hits"),
    Effect("np.add.at", "np.add.at(hits, 0, 1.0)" + MARK, outer="hits = np.zeros(2)", shown="hits"),
    Effect("captured object", "box.n += 1" + MARK, "class Box:\n    def __init__(self):\n        self.n = 0",
           "box = Box()", shown="box.n"),
    Effect("captured object's tracer", "box.n = x.sum()" + MARK, "class Box:\n    n = 0", "box = Box()", shown="str(box.n)"),
    Effect("method of captured object", "meter.add(1)",
           "class Meter:\n    def __init__(self):\n        self.n = 0\n\n    def add(self, by):\n"
           "        self.n = self.n + by" + MARK, "meter = Meter()", shown="meter.n"),
    Effect("helper with a global", "bump()", "COUNT = 0\n\n\ndef bump():\n    global COUNT\n    COUNT += 1" + MARK,
           shown="COUNT"),
    Effect("helper with print", "tell(x)", "def tell(p):\n    print('p', p.sum())" + MARK),
    Effect("class attribute", "Box.n += 1" + MARK, "class Box:\n    n = 0", shown="Box.n"),
    Effect("counter", "x = x + next(numbers)" + MARK, outer="numbers = itertools.count()", shown="numbers"),
    Effect("iterator", "x = x + next(numbers)" + MARK, outer="numbers = iter([1.0] * 40)", shown="len(list(numbers))"),
    Effect("collections.Counter", "tally['n'] += 1" + MARK, outer="tally = collections.Counter()", shown="tally"),
    Effect("deque", "recent.append(1)" + MARK, outer="recent = collections.deque()", shown="recent"),
    Effect("read of a changing global", "x = x * RATE" + MARK, "RATE = 1.0", after="RATE = RATE + 1.0", shown="RATE"),
    Effect("read of a changing dict", "x = x * SETTINGS['rate']" + MARK, "SETTINGS = {'rate': 1.0}",
           after="SETTINGS['rate'] = SETTINGS['rate'] + 1.0"),
    Effect("read of a changing local", "x = x * rate" + MARK, outer="rate = 1.0", after="rate = rate + 1.0"),
    Effect("mutable default", "seen.append(1)" + MARK, parameter="seen=[]", shown="step.__defaults__"),
    Effect("NumPy's random numbers", "x = x * np.random.rand(3)" + MARK, "np.random.seed(0)"),
    Effect("Python's random numbers", "x = x * random.random()" + MARK, "import random\nrandom.seed(0)"),
    # those that only seem to; what is printed of shapes and constants says when JAX compiles, and is meant
    Effect("local list", "parts = []\nparts.append(x)\nx = sum(parts)" + MARK),
    Effect("local dict", "stats = {'n': 0}\nstats['n'] += 1" + MARK),
    Effect("local buffer", "hits = np.zeros(2)\nhits[0] = 1.0" + MARK),
    Effect("local nonlocal", "total = 0\ndef add():\n    nonlocal total\n    total += 1\nadd()" + MARK),
    Effect("local object", "box = Box()\nbox.n = x.sum()" + MARK, "class Box:\n    n = 0"),
    Effect("jax.debug.print", "jax.debug.print('x {}', x.sum())" + MARK),
    Effect("jax.debug.callback", "jax.debug.callback(lambda p: print('p', float(p)), x.sum())" + MARK),
    Effect("read of a constant global", "x = x * RATE" + MARK, "RATE = 2.0"),
    Effect("read of a constant dict", "x = x * SETTINGS['rate']" + MARK, "SETTINGS = {'rate': 2.0}"),
    Effect("copy changed", "mine = dict(STATS)\nmine['n'] = 2" + MARK, "STATS = {'n': 1}", shown="STATS"),
    Effect("list of a copy", "mine = list(LOG)\nmine.append(x)" + MARK, "LOG = [1]", shown="LOG"),
    Effect("helper's own list", "x = gathered(x)", "def gathered(p):\n    parts = []\n    parts.append(p)\n"
           "    return parts[0]" + MARK),
    Effect("io.StringIO", "out = io.StringIO()\nprint('hidden', file=out)" + MARK, "import io"),
]  # fmt: skip

_WAYS = {
    "none": "step({x})",
    "jit": "fast({x})",
    "jit of lambda": "fast({x})",
    "grad": "jax.grad(lambda p: step(p).sum())({x})",
    "vmap": "jax.vmap(step)(jnp.ones((2, 3)))[0]",
    "scan": "lax.scan(lambda c, _: (step(c), None), {x}, None, length=2)[0]",
    "fori_loop": "lax.fori_loop(0, 2, lambda i, c: step(c), {x})",
    "cond": "lax.cond(True, step, lambda p: p * 1.0, {x})",
    "jit of grad": "fast({x})",
    "checkpoint": "jax.checkpoint(step)({x})",
}
_FAST = {"jit": "jax.jit(step)", "jit of lambda": "jax.jit(lambda p: step(p))",
         "jit of grad": "jax.jit(jax.grad(lambda p: step(p).sum()))"}  # fmt: skip


def effects_program(rng: Random, name: str) -> Program:
    """A program of this family."""
    draft = Draft(rng)
    effect = rng.choice(EFFECTS)
    way = rng.choices(list(_WAYS), [1, 5, 2, 1, 1, 2, 1, 1, 1, 1])[0]
    draft.use("effect", effect.name)
    draft.use("way", way)
    parameters = "x, " + effect.parameter if effect.parameter else "x"
    step = function("step", parameters, [*effect.body.split("\n"), "return x * 2.0"])
    fast = [f"fast = {_FAST[way]}"] if way in _FAST else []
    globals_written = sorted({n for n in ("RATE",) if effect.after.startswith(n)})
    call = _WAYS[way].format(x="x" if rng.random() < 0.5 else "jnp.ones(3)")
    loop = ["for _ in range(3):", f"    print({call}.sum())", *([f"    {effect.after}"] if effect.after else [])]
    if not effect.after and rng.random() < 0.4:
        loop = [f"print({call}.sum())", f"print({call}.sum())"]
    shown = [f"print({effect.shown})"] if effect.shown else []
    start = ["global " + ", ".join(globals_written)] if globals_written else []
    body = [*start, "x = jnp.ones(3)"]
    inside = bool(effect.outer) or rng.random() < 0.4
    body += [*effect.outer.split("\n"), *step] if inside else []
    body += [*fast, *loop, *shown]
    lines = [*PREAMBLE.rstrip("\n").split("\n"), *effect.top.split("\n"), "", ""]
    lines += [] if inside else [*step, "", ""]
    lines += [*function("main", "", body), "", "", "main()"]
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    marked = next(n for n, line in enumerate(text.split("\n"), 1) if line.endswith(MARK))
    return Program(name, text, "effects", "effect", way, draft.used, marked)
