"""Programs that draw random numbers: from keys that are split as they should be, and from keys that are not."""

from __future__ import annotations

from random import Random

from benchmarks.agreement.program import PREAMBLE, Draft, Program, function

_DRAWS = (
    "jax.random.normal({k}, (3,))",
    "jax.random.uniform({k}, (3,))",
    "jax.random.bernoulli({k}, 0.5, (3,)) * 1.0",
    "jax.random.randint({k}, (3,), 0, 9) * 1.0",
    "jax.random.permutation({k}, 3) * 1.0",
    "jax.random.gumbel({k}, (3,))",
    "draw({k})",
    "Noise().draw({k})",
    "(lambda q: jax.random.normal(q, (3,)))({k})",
    "draw_all([{k}])",
    "draw(p={k})",
    "jax.jit(draw)({k})",
)

#: Statements that keep keys apart: each leaves fresh ones for what follows.
_CAREFUL = (
    "key, {a} = jax.random.split(key)\nout = out + {draw:{a}}",
    "key, {a} = jax.random.split(key, 2)\nout = out + {draw:{a}}",
    "{a}, key = jax.random.split(key)\nout = out + {draw:{a}}",
    "keys = jax.random.split(key, 3)\nkey = keys[0]\nout = out + {draw:keys[1]} + {draw:keys[2]}",
    "{a}, {b}, key = jax.random.split(key, 3)\nout = out + {draw:{a}} * {draw:{b}}",
    "{a} = jax.random.fold_in(key, {n})\nout = out + {draw:{a}}",
    "for i in range(2):\n    key, {a} = jax.random.split(key)\n    out = out + {draw:{a}}",
    "for i in range(2):\n    {a} = jax.random.fold_in(key, {n} + 10 * i)\n    out = out + {draw:{a}}",
    "key, *rest = jax.random.split(key, 3)\nfor q in rest:\n    out = out + {draw:q}",
    "key, {a} = jax.random.split(key)\nfor q in jax.random.split({a}, 2):\n    out = out + {draw:q}",
    "key, {a} = jax.random.split(key)\nif len(MODES) > 1:\n    out = out + {draw:{a}}\nelse:\n    out = out - {draw:{a}}",
    "key, {a} = jax.random.split(key)\nout = out + jax.vmap(draw)(jax.random.split({a}, 2)).sum(0)",
    "key, {a} = jax.random.split(key)\n"
    "out = lax.scan(lambda c, q: (c + {draw:q}, None), out, jax.random.split({a}, 2))[0]",
    "key, {a} = jax.random.split(key)\n"
    "out = lax.fori_loop(0, 2, lambda i, c: c + {draw:jax.random.fold_in({a}, i)}, out)",
    "key, {a} = jax.random.split(key)\nout = lax.cond(True, lambda q: {draw:q}, lambda q: -{draw:q}, {a})",
    "key, {a} = jax.random.split(key)\nparts = {{'w': {a}}}\nout = out + {draw:parts['w']}",
    "key, {a} = jax.random.split(key)\nout = out + (lambda: {draw:{a}})()",
    "key, {a} = jax.random.split(key)\n(key, out), _ = lax.scan(walk, (key, out), None, length=2)",
    "state = State(key, out)\nstate = state.advance()\nkey, out = state.key, state.out",
    "def body(carry):\n    q, total, i = carry\n    q, sub = jax.random.split(q)\n    return q, total + {draw:sub}, i + 1\n"
    "key, out, _ = lax.while_loop(lambda c: c[2] < 2, body, (key, out, 0))",
)

#: Statements that use a key again, most of them.
_CARELESS = (
    "out = out + {draw:key}",
    "out = out + {draw:key} + {draw:key}",
    "{a} = {draw:key}\n{b}, {c} = jax.random.split(key)\nout = out + {a}",
    "{a}, {b} = jax.random.split(key)\nout = out + {draw:{a}} + {draw:{a}}",
    "{a}, {b} = jax.random.split(key)\nout = out + {draw:{a}} + {draw:key}",
    "{a}, {b} = jax.random.split(key)\n{c}, {d} = jax.random.split(key)\nout = out + {draw:{a}} + {draw:{c}}",
    "for i in range(2):\n    out = out + {draw:key}",
    "for _ in range(2):\n    {a}, {b} = jax.random.split(key)\n    out = out + {draw:{b}}",
    "keys = jax.random.split(key, 3)\nout = out + {draw:keys[0]} + {draw:keys[0]}",
    "keys = jax.random.split(key, 3)\nfor q in keys:\n    out = out + {draw:q}\nout = out + {draw:keys[1]}",
    "parts = {{'a': key, 'b': key}}\nout = out + {draw:parts['a']} + {draw:parts['b']}",
    "{a} = key\nout = out + {draw:{a}} + {draw:key}",
    "out = out + sum([{draw:key} for _ in range(2)])",
    "out = lax.fori_loop(0, 2, lambda i, c: c + {draw:key}, out)",
    "out = lax.scan(lambda c, _: (c + {draw:key}, None), out, None, length=2)[0]",
    "if len(MODES) > 1:\n    out = out + {draw:key}\nout = out + {draw:key}",
    "def two(p):\n    first = jax.random.normal(p, (3,))\n    return first + jax.random.uniform(p, (3,))\nout = out + two(key)",
    "state = State(key, out)\nstate = state.keep()\nstate = state.keep()\nout = state.out",
    "out = out + (lambda: {draw:key})() + (lambda: {draw:key})()",
    "{a} = functools.partial(draw, key)\nout = out + {a}() + {a}()",
    "out = out + {draw:key}\nkey = jax.random.key(5)\nout = out + {draw:key}",
    "out = out + {draw:jax.random.fold_in(key, 1)} + {draw:jax.random.fold_in(key, 1)}",
    "keys = [key, key]\nout = out + {draw:keys[0]} + {draw:keys[1]}",
    "try:\n    out = out + {draw:key}\nfinally:\n    out = out + {draw:key}",
)

_HELPERS = """\
def draw(p):
    return jax.random.normal(p, (3,))


def draw_all(parts):
    return sum(jax.random.uniform(p, (3,)) for p in parts)


def walk(carry, _):
    q, total = carry
    q, sub = jax.random.split(q)
    return (q, total + jax.random.normal(sub, (3,))), None


class Noise:
    def draw(self, p):
        return jax.random.normal(p, (3,))


class State(NamedTuple):
    key: jax.Array
    out: jax.Array

    def advance(self):
        key, sub = jax.random.split(self.key)
        return State(key, self.out + jax.random.normal(sub, (3,)))

    def keep(self):
        return self._replace(out=self.out + jax.random.normal(self.key, (3,)))
"""

_WAYS = {
    "none": "simulate(key, out)",
    "jit": "jax.jit(simulate)(key, out)",
    "grad": "jax.value_and_grad(lambda p: simulate(key, p).sum())(out)",
    "vmap": "jax.vmap(simulate, in_axes=(0, None))(jax.random.split(key, 2), out)",
    "scan": "lax.scan(lambda c, q: (simulate(q, c), None), out, jax.random.split(key, 2))[0]",
    "jit in jit": "jax.jit(lambda q: jax.jit(simulate)(q, out))(key)",
    "checkpoint": "jax.checkpoint(simulate)(key, out)",
    "fori_loop": "lax.fori_loop(0, 2, lambda i, c: simulate(jax.random.fold_in(key, i), c), out)",
}
_MADE = ("jax.random.key(0)", "jax.random.PRNGKey(0)", "jax.random.key(7)", "jax.random.split(jax.random.key(1))[0]")


def keys_program(rng: Random, name: str) -> Program:
    """A program of this family."""
    draft = Draft(rng)
    statements = [rng.choice(_CAREFUL) for _ in range(rng.choice([0, 1, 1, 2]))]
    statements += [rng.choice(_CARELESS) for _ in range(rng.choice([0, 1, 1]))]
    if rng.random() < 0.6:
        rng.shuffle(statements)
    for statement in statements:
        _write(draft, statement)
    way = rng.choice(list(_WAYS))
    draft.use("way", way)
    body = [*draft.body, "return out"]
    lines = [
        *PREAMBLE.rstrip("\n").split("\n"), 'MODES = ("fast", "slow")', "", "", *_HELPERS.rstrip("\n").split("\n"), "", "",
        *function("simulate", "key, out", body), "", "",
        *function("main", "", [f"key = {rng.choice(_MADE)}", "out = jnp.zeros(3)", f"return {_WAYS[way]}"]),
        "", "", "main()",
    ]  # fmt: skip
    return Program(name, "\n".join(lines) + "\n", "keys", "key reuse", way, draft.used)


def _write(draft: Draft, template: str) -> None:
    draft.use("key statement", template.split("\n", maxsplit=1)[0])
    names = {letter: draft.name() for letter in "abcd"}
    text = template
    while (start := text.find("{draw:")) >= 0:
        end = _closing(text, start)
        inner = text[start + len("{draw:") : end]
        text = text[:start] + draft.rng.choice(_DRAWS).replace("{k}", inner) + text[end + 1 :]
    text = text.replace("{n}", str(draft.number()))
    for letter, name in names.items():
        text = text.replace("{" + letter + "}", name)
    draft.say(text.replace("{{", "{").replace("}}", "}"))


def _closing(text: str, start: int) -> int:
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise ValueError(text)
