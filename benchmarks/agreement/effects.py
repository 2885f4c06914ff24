"""Programs that change or read what is outside of a traced function, and that only seem to."""

from __future__ import annotations

import re
from random import Random

from benchmarks.agreement.effect_text import CHANGES, HARMLESS, MARK, READS, Effect
from benchmarks.agreement.program import PREAMBLE, Draft, Program, function, indented

_WAYS = {
    "none": "step({x})",
    "jit": "fast({x})",
    "@jit": "step({x})",
    "@partial(jit)": "step({x})",
    "jit of lambda": "fast({x})",
    "jit of partial": "fast({x})",
    "jit of jit": "fast({x})",
    "jit of grad": "fast({x})",
    "jit of vmap": "fast(jnp.ones((2, 3)))[0]",
    "jit of scan": "fast({x})",
    "grad": "jax.grad(lambda p: step(p).sum())({x})",
    "value_and_grad": "jax.value_and_grad(lambda p: step(p).sum())({x})[1]",
    "jacfwd": "jax.jacfwd(step)({x})",
    "vjp": "jax.vjp(step, {x})[0]",
    "jvp": "jax.jvp(step, ({x},), ({x},))[0]",
    "vmap": "jax.vmap(step)(jnp.ones((2, 3)))[0]",
    "scan": "lax.scan(lambda c, _: (step(c), None), {x}, None, length=2)[0]",
    "fori_loop": "lax.fori_loop(0, 2, lambda i, c: step(c), {x})",
    "while_loop": "lax.while_loop(lambda c: c[0] < 2, lambda c: (c[0] + 1, step(c[1])), (0, {x}))[1]",
    "lax.map": "lax.map(step, jnp.ones((2, 3)))[0]",
    "cond": "lax.cond(True, step, lambda p: p * 1.0, {x})",
    "switch": "lax.switch(1, [lambda p: p * 1.0, step], {x})",
    "checkpoint": "jax.checkpoint(step)({x})",
    "filter_jit": "fast({x})",
    "jit of value_and_grad": "fast({x})[1]",
    "jit of cond": "fast({x})",
    "jit of fori_loop": "fast({x})",
    "jit of checkpoint": "fast({x})",
    "jit, keywords": "fast(x={x})",
    "hessian": "jax.hessian(lambda p: step(p).sum())({x})[0]",
    "linearize": "jax.linearize(step, {x})[0]",
    "tree.map": "jax.tree.map(step, [{x}])[0]",
}
_WEIGHTS = {"jit": 5, "@jit": 3, "jit of lambda": 2, "none": 2}
_FAST = {
    "jit": "jax.jit(step)",
    "jit of lambda": "jax.jit(lambda p: step(p))",
    "jit of partial": "jax.jit(functools.partial(step))",
    "jit of jit": "jax.jit(lambda p: jax.jit(step)(p))",
    "jit of grad": "jax.jit(jax.grad(lambda p: step(p).sum()))",
    "jit of vmap": "jax.jit(jax.vmap(step))",
    "jit of scan": "jax.jit(lambda p: lax.scan(lambda c, _: (step(c), None), p, None, length=2)[0])",
    "filter_jit": "eqx.filter_jit(step)",
    "jit of value_and_grad": "jax.jit(jax.value_and_grad(lambda p: step(p).sum()))",
    "jit of cond": "jax.jit(lambda p: lax.cond(p.sum() > 0, step, lambda q: q * 1.0, p))",
    "jit of fori_loop": "jax.jit(lambda p: lax.fori_loop(0, 2, lambda i, c: step(c), p))",
    "jit of checkpoint": "jax.jit(jax.checkpoint(step))",
    "jit, keywords": "jax.jit(step)",
}
_DECORATORS = {"@jit": ("@jax.jit",), "@partial(jit)": ("@functools.partial(jax.jit, inline=True)",)}

#: Where in the function the effect stands. The inner transforms are of a function beside it, which JAX traces once.
_PLACES = ("here", "here", "here", "if", "loop", "try", "with", "inner", "inner jit", "inner cond", "helper", "method")


def effects_program(rng: Random, name: str) -> Program:
    """A program of this family."""
    draft = Draft(rng)
    effect = rng.choice(rng.choices([CHANGES, READS, HARMLESS], [4, 2, 2])[0])
    way = rng.choices(list(_WAYS), [_WEIGHTS.get(way, 1) for way in _WAYS])[0]
    at_top = not effect.outer and not effect.parameter
    beside = ("inner jit", "inner cond") if effect.parameter else ()
    place = rng.choice([each for each in _PLACES if at_top or each not in ("helper", "method", *beside)])
    for kind, what in (("effect", effect.name), ("way", way), ("place", place)):
        draft.use(kind, what)
    above, body = _placed(effect, place)
    inside = bool(effect.outer) or rng.random() < 0.4
    parameters = "x, " + effect.parameter if effect.parameter else "x"
    step = [*above, *function("step", parameters, [*body, "return x * 2.0"], _DECORATORS.get(way, ()))]
    lines = ["import equinox as eqx", *PREAMBLE.rstrip("\n").split("\n"), *effect.top.split("\n"), "", ""]
    lines += [] if inside else [*step, "", ""]
    lines += [*function("main", "", _main(rng, effect, way, step if inside else [])), "", "", "main()"]
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    marked = next(n for n, line in enumerate(text.split("\n"), 1) if line.endswith(MARK))
    return Program(name, text, "effects", "effect", way, draft.used, marked)


def _placed(effect: Effect, place: str) -> tuple[list[str], list[str]]:
    """What stands beside the function, and its body, with the effect at this place."""
    body = effect.body.split("\n")
    part = function("part", "x", [*body, "return x"])
    match place:
        case "if":
            return [], ["if x.ndim > 0:", *indented(body)]
        case "loop":
            return [], ["for _ in range(1):", *indented(body)]
        case "try":
            return [], ["try:", *indented(body), "finally:", "    pass"]
        case "with":
            return [], ["with jax.named_scope('part'):", *indented(body)]
        case "inner":
            return [], [*part, "x = part(x)"]
        case "inner jit":
            return [*part, "", "quick = jax.jit(part)", ""], ["x = quick(x)"]
        case "inner cond":
            return [*part, ""], ["x = lax.cond(True, part, lambda p: p, x)"]
        case "helper":
            return [*part, "", ""], ["x = part(x)"]
        case "method":
            method = function("part", "self, x", [*body, "return x"])
            return ["class Part:", *indented(method), "", ""], ["x = Part().part(x)"]
        case _:
            return [], body


def _main(rng: Random, effect: Effect, way: str, step: list[str]) -> list[str]:
    """Calls of the function, with what is done after each of them."""
    call = _WAYS[way].format(x="x" if rng.random() < 0.5 else "jnp.ones(3)")
    if effect.after or rng.random() < 0.6:
        calls = ["for _ in range(3):", *indented([f"print({call}.sum())", *effect.after.split("\n")])]
    else:
        calls = [f"print({call}.sum())"] * 2
    written = re.match(r"([A-Z]+) = ", effect.after)
    start = [f"global {written[1]}"] if written else []
    fast = [f"fast = {_FAST[way]}"] if way in _FAST else []
    shown = [f"print({effect.shown})"] if effect.shown else []
    return [*start, "x = jnp.ones(3)", *effect.outer.split("\n"), *step, *fast, *calls, *shown]
