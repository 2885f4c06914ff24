"""Programs that draw random numbers: from keys that are split as they should be, and from keys that are not."""

from __future__ import annotations

from random import Random

from benchmarks.agreement.key_helpers import HELPERS
from benchmarks.agreement.key_text import DRAWS, HOLDERS, MISTAKES, SOURCES, USES
from benchmarks.agreement.program import PREAMBLE, Draft, Program, function, indented

#: How `simulate(key, out)`, which gives three numbers, is run. `key` and `out` are names of the function around.
_WAYS = {
    "none": "return simulate(key, out)",
    "jit": "return jax.jit(simulate)(key, out)",
    "value_and_grad": "return jax.value_and_grad(lambda p: simulate(key, p).sum())(out)",
    "vmap": "return jax.vmap(simulate, in_axes=(0, None))(jax.random.split(key, 2), out)",
    "vmap of lambda": "return jax.vmap(lambda q: simulate(q, out))(jax.random.split(key, 2))",
    "scan": "return lax.scan(lambda c, q: (simulate(q, c), None), out, jax.random.split(key, 2))[0]",
    "lax.map": "return lax.map(lambda q: simulate(q, out), jax.random.split(key, 2))",
    "jit in jit": "return jax.jit(lambda q: jax.jit(simulate)(q, out))(key)",
    "jit of partial": "return jax.jit(functools.partial(simulate, out=out))(key)",
    "checkpoint": "return jax.checkpoint(simulate)(key, out)",
    "fori_loop": "return lax.fori_loop(0, 2, lambda i, c: simulate(jax.random.fold_in(key, i), c), out)",
    "cond": "return lax.cond(True, simulate, lambda q, p: p, key, out)",
    "loop": "for q in jax.random.split(key, 2):\n    out = simulate(q, out)\nreturn out",
    "threaded": "for _ in range(2):\n    key, sub = jax.random.split(key)\n    out = simulate(sub, out)\nreturn out",
    "two calls": "first, second = jax.random.split(key)\nreturn simulate(first, out) + simulate(second, out)",
    "two compiled calls": "fast = jax.jit(simulate)\nout = fast(jax.random.fold_in(key, 0), out)\n"
    "return fast(jax.random.fold_in(key, 1), out)",
    "same key for two calls": "out = simulate(key, out)\nreturn simulate(key, out)",
    "same key in a loop": "for _ in range(2):\n    out = simulate(key, out)\nreturn out",
    "method": "return Model().simulate(key, out)",
    "jit of method": "return jax.jit(Model().simulate)(key, out)",
}
_WRONG_WAYS = ("same key for two calls", "same key in a loop")
_MADE = ("jax.random.key(0)", "jax.random.PRNGKey(0)", "jax.random.key(7)", "jax.random.split(jax.random.key(1))[0]")


def keys_program(rng: Random, name: str) -> Program:
    """A program of this family: statements that leave a fresh `key` behind, with a mistake among them or none."""
    draft = Draft(rng)
    for _ in range(rng.choice([1, 1, 2, 2, 3])):
        _statement(draft, is_wrong=False)
    if rng.random() < 0.5:
        _statement(draft, is_wrong=True)
        if rng.random() < 0.3:
            _statement(draft, is_wrong=False)
    way = rng.choice(list(_WAYS))
    if way in _WRONG_WAYS and rng.random() < 0.5:
        way = "none"
    draft.use("way", way)
    simulate = function("simulate", "key, out", [*draft.body, "return out"])
    if "method" in way:
        simulate = function("simulate", "self, key, out", [*draft.body, "return out"])
        simulate = ["class Model:", *indented(simulate)]
    main = [f"key = {rng.choice(_MADE)}", "out = jnp.zeros(3)", *_WAYS[way].split("\n")]
    lines = [
        "import types", *PREAMBLE.rstrip("\n").split("\n"), "from flax import struct", "import equinox as eqx", "",
        *HELPERS.rstrip("\n").split("\n"), "", "", *simulate, "", "", *function("main", "", main), "", "", "main()",
    ]  # fmt: skip
    return Program(name, "\n".join(lines) + "\n", "keys", "key reuse", way, draft.used)


def _statement(draft: Draft, *, is_wrong: bool) -> None:
    """Make three keys of `key`, and draw from two of them: the third is the next `key`."""
    rng = draft.rng
    source = rng.choice(SOURCES)
    draft.use("key source", source.body)
    names = _names(draft)
    _say(draft, source.body, names | {"k": "key"})
    first, second, third = (_filled(draft, key, names) for key in source.keys)
    kind = rng.choice(["one", "two", "parent", "stale"]) if is_wrong else ""
    _use(draft, first)
    match kind:
        case "one":
            mistake = rng.choice(MISTAKES)
            draft.use("key mistake", mistake)
            _say(draft, mistake, _names(draft) | {"k": second})
        case "two":
            _use(draft, second)
            _use(draft, second)
        case "parent":
            _use(draft, second)
            _use(draft, "key")
        case "stale":
            _use(draft, first)
            _use(draft, second)
        case _:
            _use(draft, second)
    _say(draft, f"key = {third}", {})


def _use(draft: Draft, key: str) -> None:
    template = draft.rng.choice(USES)
    draft.use("key use", template)
    _say(draft, template, _names(draft) | {"k": key})


def _names(draft: Draft) -> dict[str, str]:
    return {letter: draft.name() for letter in "abcd"} | {"n": str(draft.number())}


def _say(draft: Draft, template: str, names: dict[str, str]) -> None:
    draft.say(_filled(draft, template, names))


def _filled(draft: Draft, template: str, names: dict[str, str]) -> str:
    """The template with names for the letters, and some way to draw for each `@(...)`."""
    text = template.format(**names)
    while (start := text.find("@(")) >= 0:
        end = _closing(text, start)
        text = text[:start] + _drawn(draft, text[start + len("@(") : end]) + text[end + 1 :]
    return text


def _drawn(draft: Draft, key: str) -> str:
    """An expression that draws from this key, perhaps through something that holds it."""
    if draft.rng.random() < 0.4:
        holder = draft.rng.choice(HOLDERS)
        draft.use("key holder", holder)
        key = holder.format(k=key)
    draw = draft.rng.choice(DRAWS)
    draft.use("draw", draw)
    return draw.format(k=key)


def _closing(text: str, start: int) -> int:
    depth = 0
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0 and text[at] == ")":
            return at
    raise ValueError(text)
