"""Ways of tracing: how the function `{f}(x, s, k)` is defined and called, alone and one inside the other."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from benchmarks.agreement.program import Draft, function, indented


class Way(NamedTuple):
    """A way of tracing a function of a vector, a number and a whole number.

    `call` is an expression with `{f}`, `{x}`, `{s}` and `{k}`; `before` are statements in front of it. `wants` is what
    the function must return: the vector, or one number. `gives` is what the call gives.
    """

    name: str
    call: str
    before: str = ""
    wants: str = "vec"
    gives: str = "vec"
    decorators: tuple[str, ...] = ()
    style: str = "function"  # or "method", "static method", "carry"


EAGER = Way("none", "{f}({x}, {s}, {k})")

CALLED = [
    Way("jit", "jax.jit({f})({x}, {s}, {k})"),
    Way("jit, bound", "fast({x}, {s}, {k})", "fast = jax.jit({f})"),
    Way("jit, keywords", "jax.jit({f})({x}, k={k}, s={s})"),
    Way("jit, static_argnums", "jax.jit({f}, static_argnums=2)({x}, {s}, 2)"),
    Way("jit, static_argnames", "jax.jit({f}, static_argnames=('s', 'k'))({x}, s=0.7, k=2)"),
    Way("jit of lambda", "jax.jit(lambda p, q: {f}(p, q, 2))({x}, {s})"),
    Way("jit of partial", "jax.jit(functools.partial({f}, k=2))({x}, {s})"),
    Way("jit of closure", "run({x})", "@jax.jit\ndef run(p):\n    return {f}(p, {s}, {k})"),
    Way("jit of tuple", "jax.jit(lambda args: {f}(*args))(({x}, {s}, {k}))"),
    Way("jit of dict", "jax.jit(lambda tree: {f}(tree['x'], tree['s'], 2))({{'x': {x}, 's': {s}}})"),
    Way("jit, lowered", "jax.jit({f}).lower({x}, {s}, {k}).out_info"),
    Way("vmap", "jax.vmap({f})(jnp.stack([{x}, {x}]), jnp.full(2, {s}), jnp.array([1, 2]))[0]"),
    Way("vmap, in_axes", "jax.vmap({f}, in_axes=(0, None, None))(jnp.ones((2, 3)) * {x}, {s}, {k})[0]"),
    Way("vmap, number", "jax.vmap({f}, in_axes=(None, 0, None))({x}, jnp.full(2, {s}), {k})[0]"),
    Way("vmap, keywords", "jax.vmap(functools.partial({f}, k={k}))(jnp.stack([{x}, {x}]), jnp.full(2, {s}))[0]"),
    Way("vmap of lambda", "jax.vmap(lambda p: {f}(p, {s}, {k}))(jnp.stack([{x}, {x}]))[0]"),
    Way("pmap", "jax.pmap({f})(jnp.ones((1, 3)) * {x}, jnp.full(1, {s}), jnp.array([2]))[0]"),
    Way("grad", "jax.grad({f})({x}, {s}, {k})", wants="num"),
    Way("grad, argnums", "jax.grad({f}, argnums=(0, 1))({x}, {s}, {k})[0]", wants="num"),
    Way("grad, number", "jax.grad({f}, argnums=1)({x}, {s}, {k})", wants="num", gives="num"),
    Way("grad of lambda", "jax.grad(lambda p: {f}(p, {s}, {k}))({x})", wants="num"),
    Way("value_and_grad", "jax.value_and_grad({f})({x}, {s}, {k})[1]", wants="num"),
    Way("value_and_grad, has_aux", "jax.value_and_grad(lambda p, q: ({f}(p, q, 2), q), has_aux=True)({x}, {s})[1]",
        wants="num"),
    Way("jacfwd", "jax.jacfwd({f})({x}, {s}, {k})[0]"),
    Way("jacrev", "jax.jacrev({f})({x}, {s}, {k})[0]"),
    Way("hessian", "jax.hessian({f})({x}, {s}, {k})[0]", wants="num"),
    Way("jvp", "jax.jvp(lambda p, q: {f}(p, q, {k}), ({x}, jnp.float32({s})), ({x}, jnp.float32(1.0)))[0]"),
    Way("vjp", "jax.vjp(lambda p, q: {f}(p, q, {k}), {x}, {s})[0]"),
    Way("linearize", "jax.linearize(lambda p: {f}(p, {s}, {k}), {x})[0]"),
    Way("scan", "lax.scan(lambda c, q: (c, {f}(c, {s}, q)), {x}, jnp.arange(1, 3))[1][0]"),
    Way("scan, carry", "lax.scan(lambda c, q: ((c[0], c[1] + q), {f}(c[0], c[1], 2)), ({x}, {s}), jnp.ones(3))[1][0]"),
    Way("fori_loop", "lax.fori_loop(0, 2, lambda i, p: {f}(p, {s}, i), {x})"),
    Way("while_loop", "lax.while_loop(lambda c: c[1] < 3, lambda c: ({f}(c[0], {s}, c[1]), c[1] + 1), ({x}, 1))[0]"),
    Way("cond", "lax.cond(True, {f}, lambda p, q, r: p * 1.0, {x}, {s}, {k})"),
    Way("cond, by value", "lax.cond(jnp.sum({x}) > 0, {f}, lambda p, q, r: p * 1.0, {x}, {s}, {k})"),
    Way("cond, captured", "lax.cond(True, lambda: {f}({x}, {s}, {k}), lambda: {x} * 1.0)"),
    Way("switch", "lax.switch(0, [{f}, lambda p, q, r: p * 1.0], {x}, {s}, {k})"),
    Way("lax.map", "lax.map(lambda p: {f}(p, {s}, {k}), jnp.stack([{x}, {x}]))[0]"),
    Way("checkpoint", "jax.checkpoint({f})({x}, {s}, {k})"),
    Way("eval_shape", "jax.eval_shape({f}, {x}, {s}, {k})"),
    Way("make_jaxpr", "jax.make_jaxpr({f})({x}, {s}, {k})"),
    Way("tree.map", "jax.tree.map(lambda p: {f}(p, {s}, {k}), [{x}])[0]"),
    Way("pure_callback",
        "jax.pure_callback(lambda p: np.asarray({f}(jnp.asarray(p), {s}, 2)), jax.ShapeDtypeStruct((3,), jnp.float32), {x})"),
    Way("custom_jvp",
        "soft({x}, {s})",
        "@jax.custom_jvp\ndef soft(p, q):\n    return {f}(p, q, 2)\n\n"
        "@soft.defjvp\ndef soft_rule(primals, tangents):\n    return soft(*primals), tangents[0]"),
    Way("custom_vjp",
        "hard({x}, {s})",
        "@jax.custom_vjp\ndef hard(p, q):\n    return {f}(p, q, 2)\n\n"
        "def hard_forward(p, q):\n    return hard(p, q), None\n\n"
        "def hard_backward(_, g):\n    return g, None\n\nhard.defvjp(hard_forward, hard_backward)"),
    Way("vectorize", "jnp.vectorize({f}, signature='(n),(),()->(n)')({x}, {s}, {k})"),
    Way("equinox.filter_jit", "eqx.filter_jit({f})({x}, {s}, {k})", "import equinox as eqx"),
    Way("equinox.filter_grad", "eqx.filter_grad({f})({x}, {s}, {k})", "import equinox as eqx", wants="num"),
    Way("nnx.jit", "nnx.jit({f})({x}, {s}, {k})", "from flax import nnx"),
    Way("nnx.grad", "nnx.grad({f})({x}, {s}, {k})", "from flax import nnx", wants="num"),
    Way("nnx.value_and_grad", "nnx.value_and_grad({f})({x}, {s}, {k})[1]", "from flax import nnx", wants="num"),
    Way("nnx.vmap", "nnx.vmap({f}, in_axes=(0, None, None))(jnp.stack([{x}, {x}]), {s}, {k})[0]", "from flax import nnx"),
    Way("nnx.remat", "nnx.remat({f})({x}, {s}, {k})", "from flax import nnx"),
    Way("equinox.filter_vmap", "eqx.filter_vmap({f}, in_axes=(0, None, None))(jnp.stack([{x}, {x}]), {s}, {k})[0]",
        "import equinox as eqx"),
    Way("equinox.filter_value_and_grad", "eqx.filter_value_and_grad({f})({x}, {s}, {k})[1]", "import equinox as eqx",
        wants="num"),
    Way("equinox.filter_checkpoint", "eqx.filter_checkpoint({f})({x}, {s}, {k})", "import equinox as eqx"),
    Way("jit of vmap", "jax.jit(jax.vmap({f}, in_axes=(0, None, None)))(jnp.stack([{x}, {x}]), {s}, {k})[0]"),
    Way("vmap of grad", "jax.vmap(jax.grad({f}), in_axes=(0, None, None))(jnp.stack([{x}, {x}]), {s}, {k})[0]", wants="num"),
    Way("jit of value_and_grad", "jax.jit(jax.value_and_grad({f}))({x}, {s}, {k})[1]", wants="num"),
    Way("jit of shard_map",
        "jax.jit(jax.shard_map(lambda p: {f}(p, {s}, {k}), mesh=jax.make_mesh((1,), ('i',)), "
        "in_specs=jax.sharding.PartitionSpec(), out_specs=jax.sharding.PartitionSpec()))({x})"),
    Way("custom_vmap", "jax.custom_batching.custom_vmap(lambda p: {f}(p, {s}, {k}))({x})"),
    Way("scan of partial", "lax.scan(functools.partial(lambda s, c, q: (c, {f}(c, s, q)), {s}), {x}, jnp.arange(1, 3))[1][0]"),
    Way("linen module", "Net().apply({{}}, {x}, {s}, {k})",
        "import flax.linen as nn\n\nclass Net(nn.Module):\n    def __call__(self, p, q, r):\n        return {f}(p, q, r)"),
    Way("jit of linen module", "jax.jit(Net().apply)({{}}, {x}, {s}, {k})",
        "import flax.linen as nn\n\nclass Net(nn.Module):\n    @nn.compact\n    def __call__(self, p, q, r):\n        return {f}(p, q, r)"),
    Way("jit in a table", "table['fast']({x}, {s}, {k})", "table = {{'fast': jax.jit({f}), 'plain': {f}}}"),
    Way("jit by a factory", "compiled({f})({x}, {s}, {k})", "def compiled(function):\n    return jax.jit(function)"),
    Way("jit by a decorator with options", "run({x}, {s}, {k})",
        "def compiled(**options):\n    def wrap(function):\n        return jax.jit(function, **options)\n    return wrap\n\n"
        "@compiled(inline=True)\ndef run(p, q, r):\n    return {f}(p, q, r)"),
    Way("jit in a dataclass", "Trainer({f}).run({x}, {s}, {k})",
        "@dataclasses.dataclass\nclass Trainer:\n    function: object\n\n    def run(self, p, q, r):\n"
        "        return jax.jit(self.function)(p, q, r)"),
    Way("jit of generator's sum", "jax.jit(lambda p: sum({f}(q, {s}, {k}) for q in (p, p)))({x})"),
]  # fmt: skip

DEFINED = [
    Way("@jit", "{f}({x}, {s}, {k})", decorators=("@jax.jit",)),
    Way("@partial(jit)", "{f}({x}, {s}, 2)", decorators=("@functools.partial(jax.jit, static_argnames=('k',))",)),
    Way("@partial(jit), static_argnums", "{f}({x}, {s}, 2)",
        decorators=("@functools.partial(jax.jit, static_argnums=(2,))",)),
    Way("@jit of @grad", "{f}({x}, {s}, {k})", wants="num", decorators=("@jax.jit", "@jax.grad")),
    Way("@vmap", "{f}(jnp.stack([{x}, {x}]), jnp.full(2, {s}), jnp.array([1, 2]))[0]", decorators=("@jax.vmap",)),
    Way("@partial(vmap)", "{f}(jnp.stack([{x}, {x}]), {s}, {k})[0]",
        decorators=("@functools.partial(jax.vmap, in_axes=(0, None, None))",)),
    Way("@grad", "{f}({x}, {s}, {k})", wants="num", decorators=("@jax.grad",)),
    Way("@value_and_grad", "{f}({x}, {s}, {k})[0]", wants="num", gives="num", decorators=("@jax.value_and_grad",)),
    Way("@checkpoint", "{f}({x}, {s}, {k})", decorators=("@jax.checkpoint",)),
    Way("@partial(checkpoint)", "{f}({x}, {s}, 2)",
        decorators=("@functools.partial(jax.checkpoint, static_argnums=(2,))",)),
    Way("jit of method", "jax.jit(Model().{f})({x}, {s}, {k})", style="method"),
    Way("jit of method in __init__", "Model().fast({x}, {s}, {k})", style="method"),
    Way("@jit method", "Model().{f}({x}, {s}, {k})", style="method",
        decorators=("@functools.partial(jax.jit, static_argnums=0)",)),
    Way("@jit staticmethod", "Model.{f}({x}, {s}, {k})", style="static method", decorators=("@staticmethod", "@jax.jit")),
    Way("vmap of method", "jax.vmap(Model().{f}, in_axes=(0, None, None))(jnp.stack([{x}, {x}]), {s}, {k})[0]",
        style="method"),
    Way("grad of method", "jax.grad(Model().{f})({x}, {s}, {k})", wants="num", style="method"),
    Way("jit calls method", "run(Model(), {x}, {s}, {k})", style="method",
        before="@functools.partial(jax.jit, static_argnums=0)\ndef run(model, p, q, r):\n    return model.{f}(p, q, r)"),
    Way("scan body", "lax.scan({f}, ({x}, {s}), jnp.arange(1, 3))[1][0]", style="carry"),
    Way("scan body without xs", "lax.scan(lambda c, _: {f}(c, 2), ({x}, {s}), None, length=2)[1][0]", style="carry"),
    Way("scan body in jit", "jax.jit(lambda p, q: lax.scan({f}, (p, q), jnp.arange(1, 3))[1][0])({x}, {s})", style="carry"),
]  # fmt: skip


def define(draft: Draft, way: Way, name: str) -> None:
    """Write the function around the draft's body, as this way wants it, to the draft's top."""
    returns = "return jnp.sum(x)" if way.wants == "num" else "return x * 1.0"
    match way.style:
        case "carry":
            body = ["x, s = carry", *draft.body, "return carry, x * 1.0"]
            lines = function(name, "carry, k", body, way.decorators)
        case "method":
            method = function(name, "self, x, s, k", [*draft.body, returns], way.decorators)
            start = ["self.gain = 2.0", *([f"self.fast = jax.jit(self.{name})"] if ".fast(" in way.call else [])]
            lines = ["class Model:", *indented(function("__init__", "self", start)), "", *indented(method)]
        case "static method":
            method = function(name, "x, s, k", [*draft.body, returns], way.decorators)
            lines = ["class Model:", *indented(method)]
        case _:
            lines = function(name, "x, s, k=2", [*draft.body, returns], way.decorators)
    draft.top += ["", "", *lines]
    draft.body = []


def call(way: Way, name: str, operands: dict[str, str]) -> tuple[list[str], str]:
    """The statements in front of the call, and the call."""
    before = way.before.format(f=name, **operands).split("\n") if way.before else []
    return before, way.call.format(f=name, **operands)


def drawn(rng: Random) -> list[Way]:
    """The ways of a program, the innermost one first: mostly one, often two."""
    innermost = EAGER if rng.random() < 0.05 else rng.choice(rng.choice([CALLED, CALLED, DEFINED]))
    if rng.random() < 0.35:
        return [innermost, rng.choice(CALLED)]
    return [innermost]
