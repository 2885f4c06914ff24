"""The text of programs that draw random numbers: where keys come from, what holds them, and what is done with them.

In the templates `{k}` is an expression of a key, `{a}` to `{d}` are fresh names, `{n}` a fresh number, and `@(e)` draws
three numbers from the key `e`. What is drawn is added to `out`.
"""

from __future__ import annotations

from typing import NamedTuple

DRAWS = (
    "jax.random.normal({k}, (3,))",
    "jax.random.uniform({k}, (3,))",
    "jax.random.bernoulli({k}, 0.5, (3,)) * 1.0",
    "jax.random.randint({k}, (3,), 0, 9) * 1.0",
    "jax.random.permutation({k}, 3) * 1.0",
    "jax.random.gumbel({k}, (3,))",
    "jax.random.choice({k}, jnp.arange(3.0), (3,))",
    "jax.random.truncated_normal({k}, -1.0, 1.0, (3,))",
    "jax.random.dirichlet({k}, jnp.ones(3))",
    "jax.random.normal(key={k}, shape=(3,))",
    "functools.partial(jax.random.normal, shape=(3,))({k})",
    "draw({k})",
    "draw(p={k})",
    "draw(**{{'p': {k}}})",
    "draw_all([{k}])",
    "scaled(2.0, {k})",
    "scaled(2.0, key={k})",
    "both({k})",
    "Noise().draw({k})",
    "Noise()({k})",
    "(lambda q: jax.random.normal(q, (3,)))({k})",
    "jax.jit(draw)({k})",
    "jax.checkpoint(draw)({k})",
    "sample(jax.random.uniform, {k})",
    "SAMPLERS['normal']({k}, (3,))",
    "apply(out, rngs={{'noise': {k}}})",
    "jax.vmap(number)(jax.random.split({k}, 3))",
    "lax.map(number, jax.random.split({k}, 3))",
    "jnp.stack([number(q) for q in jax.random.split({k}, 3)])",
    "Layer({k}).weight",
)

#: Expressions of the very same key.
HOLDERS = (
    "({k}, 1)[0]",
    "[{k}][0]",
    "[1, {k}][-1]",
    "{{'w': {k}}}['w']",
    "{{'w': {k}}}.get('w')",
    "dict(w={k})['w']",
    "{{**{{'w': {k}}}}}['w']",
    "{{'p': [{k}]}}['p'][0]",
    "dict([('w', {k})])['w']",
    "Pair({k}, 1).key",
    "Pair({k}, 1)._replace(n=2).key",
    "Box({k}).key",
    "Box({k}).get()",
    "Held({k}).key",
    "dataclasses.replace(Held({k}), n=2).key",
    "Struct(key={k}, out=out).replace(n=2).key",
    "types.SimpleNamespace(key={k}).key",
    "same({k})",
    "same(p={k})",
    "(lambda q: q)({k})",
    "functools.partial(same, {k})()",
    "next(iter([{k}]))",
    "list(({k},))[0]",
    "[q for q in ({k},)][0]",
    "collections.deque([{k}]).popleft()",
    "({k} if len(MODES) > 1 else None)",
    "operator.itemgetter('w')({{'w': {k}}})",
    "jax.tree.map(lambda q: q, {{'w': {k}}})['w']",
    "jax.tree.leaves([{k}])[0]",
    "jnp.asarray({k})",
    "jax.device_put({k})",
    "jax.jit(lambda q: q)({k})",
    "lax.cond(True, lambda q: q, lambda q: q, {k})",
    "jnp.squeeze({k}[None], 0)",
    "jnp.expand_dims({k}, 0)[0]",
    "jnp.stack([{k}, {k}])[1]",
)


class Source(NamedTuple):
    """Statements that make three keys of one, and expressions of them."""

    body: str
    keys: tuple[str, str, str]


_ITEMS = ("{a}[0]", "{a}[1]", "{a}[2]")
_BOUND = ("{a}", "{b}", "{c}")
_NAMED = ("{a}['p']", "{a}['q']", "{a}['r']")

SOURCES = (
    Source("{a}, {b}, {c} = jax.random.split({k}, 3)", _BOUND),
    Source("{a}, {b}, {c} = jax.random.split({k}, num=3)", _BOUND),
    Source("({a}, {b}), {c} = jax.random.split({k}), jax.random.fold_in({k}, 7)", _BOUND),
    Source("{a} = jax.random.split({k}, 3)", _ITEMS),
    Source("{a} = jax.random.split({k}, 3)", ("{a}[0]", "{a}[-1]", "{a}[1]")),
    Source("{a} = list(jax.random.split({k}, 3))", _ITEMS),
    Source("{a} = tuple(jax.random.split({k}, 3))", _ITEMS),
    Source("{a} = [q for q in jax.random.split({k}, 3)]", _ITEMS),
    Source("{a}, *{b} = jax.random.split({k}, 3)", ("{a}", "{b}[0]", "{b}[1]")),
    Source("{d} = iter(jax.random.split({k}, 3))\n{a} = next({d})\n{b} = next({d})\n{c} = next({d})", _BOUND),
    Source("{d} = list(jax.random.split({k}, 3))\n{a} = {d}.pop()\n{b} = {d}.pop()\n{c} = {d}.pop()", _BOUND),
    Source("{a} = dict(zip(('p', 'q', 'r'), jax.random.split({k}, 3)))", _NAMED),
    Source("{a} = {{name: q for name, q in zip(('p', 'q', 'r'), jax.random.split({k}, 3))}}", _NAMED),
    Source("{a} = {{}}\n{a}['p'], {a}['q'], {a}['r'] = jax.random.split({k}, 3)", _NAMED),
    Source(
        "{a} = jax.random.fold_in({k}, 1)\n{b} = jax.random.fold_in({k}, 2)\n{c} = jax.random.fold_in({k}, 3)", _BOUND
    ),
    Source("{a} = [jax.random.fold_in({k}, i) for i in range(3)]", _ITEMS),
    Source("{a} = {{name: jax.random.fold_in({k}, i) for i, name in enumerate(('p', 'q', 'r'))}}", _NAMED),
    Source("{a} = jax.vmap(lambda i: jax.random.fold_in({k}, i))(jnp.arange(3))", _ITEMS),
    Source("{a} = jax.vmap(jax.random.fold_in, in_axes=(None, 0))({k}, jnp.arange(3))", _ITEMS),
    Source("{a} = jax.random.split({k}, (3, 1))", ("{a}[0, 0]", "{a}[1, 0]", "{a}[2, 0]")),
    Source(
        "{d} = jax.random.split({k}, 4)\n{a} = {d}.reshape(2, 2, *{d}.shape[1:])",
        ("{a}[0, 0]", "{a}[0, 1]", "{a}[1, 0]"),
    ),
    Source("{a} = jax.vmap(jax.random.split)(jax.random.split({k}))", ("{a}[0, 0]", "{a}[0, 1]", "{a}[1, 1]")),
    Source("{a}, {b} = jax.random.split({k})\n{b}, {c} = jax.random.split({b})", _BOUND),
    Source("{d} = jax.random.split({k}, 4)\n{a}, {b} = {d}[:2]\n{c} = {d}[3]", _BOUND),
    Source("{d} = key_stream({k})\n{a} = next({d})\n{b} = next({d})\n{c} = next({d})", _BOUND),
    Source("{a}, {b}, {c} = itertools.islice(key_stream({k}), 3)", _BOUND),
    Source("{d} = KeyMaker({k})\n{a} = {d}.next()\n{b} = {d}.next()\n{c} = {d}.next()", _BOUND),
    Source("{d} = KeyMaker({k})\n{a}, {b}, {c} = {d}.take(3)", _BOUND),
    Source("{d} = KeyMaker({k})\n{a}, {b}, {c} = {d}(), {d}(), {d}()", _BOUND),
    Source("{d} = key_source({k})\n{a} = {d}()\n{b} = {d}()\n{c} = {d}()", _BOUND),
    Source("{a} = lax.scan(lambda q, _: tuple(jax.random.split(q)), {k}, None, length=3)[1]", _ITEMS),
    Source("{a}, {b}, {c} = three({k})", _BOUND),
    Source("{a} = named({k})", _NAMED),
    Source("{a} = keys_for({k})", ("{a}.init", "{a}.noise", "{a}.next")),
    Source("{a} = jax.tree.unflatten(jax.tree.structure([0, 0, 0]), list(jax.random.split({k}, 3)))", _ITEMS),
    Source("{a} = spread({k}, 2)", _ITEMS),
    Source(
        "{a} = []\n{d} = {k}\nfor _ in range(3):\n    {d}, {b} = jax.random.split({d})\n    {a}.append({b})", _ITEMS
    ),
    Source("{a} = jax.jit(jax.random.split, static_argnums=1)({k}, 3)", _ITEMS),
    Source("{a} = jnp.stack([*jax.random.split({k}, 3)])", _ITEMS),
    Source("{a} = jax.random.split({k}, 3)[::-1]", _ITEMS),
)

#: Uses of one key that are right by themselves, and wrong together.
USES = (
    "out = out + @({k})",
    "out = out + @({k})",
    "out += @({k})",
    "if len(MODES) > 1:\n    out = out + @({k})\nelse:\n    out = out - @({k})",
    "out = out + (@({k}) if len(MODES) > 1 else @({k}))",
    "out = out + lax.cond(True, lambda q: @(q), lambda q: -@(q), {k})",
    "out = out + lax.switch(1, [lambda q: @(q), lambda q: -@(q)], {k})",
    "out = lax.cond(len(MODES) > 1, lambda: out + @({k}), lambda: out - @({k}))",
    "def part{n}(q):\n    return @(q)\nout = out + part{n}({k})",
    "def part{n}():\n    return @({k})\nout = out + part{n}()",
    "out = out + jax.jit(lambda q: @(q))({k})",
    "out = out + jax.jit(lambda: @({k}))()",
    "out = lax.fori_loop(0, 2, lambda i, c: c + @(jax.random.fold_in({k}, i)), out)",
    "for i in range(2):\n    out = out + @(jax.random.fold_in({k}, i))",
    "for q in jax.random.split({k}, 2):\n    out = out + @(q)",
    "for _, q in enumerate(jax.random.split({k}, 2)):\n    out = out + @(q)",
    "for w, q in zip((1.0, 2.0), jax.random.split({k}, 2)):\n    out = out + w * @(q)",
    "{a} = jax.random.split({k}, 2)\nfor i in range(2):\n    out = out + @({a}[i])",
    "{a} = jax.random.split({k}, 2)\nout = lax.fori_loop(0, 2, lambda i, c: c + @({a}[i]), out)",
    "out = out + sum(@(q) for q in jax.random.split({k}, 2))",
    "out = functools.reduce(lambda c, q: c + @(q), jax.random.split({k}, 2), out)",
    "out = out + jax.vmap(draw)(jax.random.split({k}, 2)).sum(0)",
    "out = out + jax.vmap(lambda q: @(q))(jax.random.split({k}, 2)).sum(0)",
    "out = out + jax.vmap(scaled, in_axes=(None, 0))(2.0, jax.random.split({k}, 2)).sum(0)",
    "out = out + lax.map(lambda q: @(q), jax.random.split({k}, 2)).sum(0)",
    "out = lax.scan(lambda c, q: (c + @(q), None), out, jax.random.split({k}, 2))[0]",
    "out = lax.scan(walk, ({k}, out), None, length=2)[0][1]",
    "out = lax.scan(lambda s, _: (s.advance(), None), State({k}, out), None, length=2)[0].out",
    "out = lax.fori_loop(0, 2, lambda i, s: s.advance(), Struct(key={k}, out=out)).out",
    "def body{n}(carry):\n    q, sub = jax.random.split(carry['key'])\n"
    "    return {{'key': q, 'out': carry['out'] + @(sub), 'n': carry['n'] + 1}}\n"
    "out = lax.while_loop(lambda c: c['n'] < 2, body{n}, {{'key': {k}, 'out': out, 'n': 0}})['out']",
    "def body{n}(carry, _):\n    carry['key'], sub = jax.random.split(carry['key'])\n"
    "    carry['out'] = carry['out'] + @(sub)\n    return carry, None\n"
    "out = lax.scan(body{n}, {{'key': {k}, 'out': out}}, None, length=2)[0]['out']",
    "def loss{n}(p, q):\n    q, sub = jax.random.split(q)\n    return (p * @(sub)).sum(), q\n"
    "(_, {a}), {b} = jax.value_and_grad(loss{n}, has_aux=True)(out, {k})\nout = out + {b} + @({a})",
    "def loss{n}(p, q):\n    return (p * @(q)).sum()\nout = out + jax.value_and_grad(loss{n})(out, {k})[1]",
    "def deep{n}(q, depth):\n    if depth == 0:\n        return jnp.zeros(3)\n    q, sub = jax.random.split(q)\n"
    "    return @(sub) + deep{n}(q, depth - 1)\nout = out + deep{n}({k}, 2)",
    "{a}, {b} = {k}, 0\nwhile {b} < 2:\n    {a}, {c} = jax.random.split({a})\n    out = out + @({c})\n    {b} += 1",
    "{a} = KeyMaker({k})\nfor _ in range(2):\n    out = out + @({a}.next())",
    "for _, q in zip(range(2), key_stream({k})):\n    out = out + @(q)",
    "{a} = State({k}, out).advance().advance()\nout = {a}.out + @({a}.key)",
    "{a} = Walker({k})\n{a}.step()\n{a}.step()\nout = out + {a}.out",
    "out = out + chosen({k}, len(MODES) > 1)",
    "{a} = {{'p': out, 'q': out}}\n{b} = dict(zip({a}, jax.random.split({k}, 2)))\n"
    "out = out + sum(value + @({b}[name]) for name, value in {a}.items())",
    "{a} = [out, out]\n{b} = list(jax.random.split({k}, 2))\n"
    "out = out + sum(jax.tree.map(lambda p, q: p + @(q), {a}, {b}))",
    "try:\n    out = out + @({k})\nfinally:\n    out = out * 1.0",
    "with jax.named_scope('noise'):\n    out = out + @({k})",
    "out = out + jnp.stack([@(q) for q in jax.random.split({k}, 2)]).sum(0)",
    "for {a} in LAYERS:\n    out = out * {a}\nout = out + @({k})",
    "{a} = {k}\nfor {b} in range(2):\n    if {b} > 0:\n        continue\n    out = out + @({a})",
    "match MODES[0]:\n    case 'fast':\n        out = out + @({k})\n    case _:\n        out = out - @({k})",
)

#: Mistakes with one key that are wrong by themselves.
MISTAKES = (
    "out = out + @({k}) + @({k})",
    "for _ in range(2):\n    out = out + @({k})",
    "for _ in range(2):\n    {a}, {b} = jax.random.split({k})\n    out = out + @({b})",
    "out = out + sum([@({k}) for _ in range(2)])",
    "out = out + sum(@({k}) for _ in LAYERS)",
    "{a} = 0\nwhile {a} < 2:\n    out = out + @({k})\n    {a} += 1",
    "out = lax.fori_loop(0, 2, lambda i, c: c + @({k}), out)",
    "out = lax.scan(lambda c, _: (c + @({k}), None), out, None, length=2)[0]",
    "out = out + jax.vmap(lambda p: p + @({k}))(jnp.stack([out, out])).sum(0)",
    "out = out + jax.vmap(scaled, in_axes=(0, None))(jnp.ones(2), {k}).sum(0)",
    "out = out + lax.map(lambda p: p + @({k}), jnp.stack([out, out])).sum(0)",
    "out = lax.scan(lambda c, _: ((c[0], c[1] + @(c[0])), None), ({k}, out), None, length=2)[0][1]",
    "out = lax.fori_loop(0, 2, lambda i, c: (c[0], c[1] + @(c[0])), ({k}, out))[1]",
    "out = lax.scan(lambda s, _: (s.keep(), None), State({k}, out), None, length=2)[0].out",
    "out = lax.fori_loop(0, 2, lambda i, c: {{'key': c['key'], 'out': c['out'] + @(c['key'])}},"
    " {{'key': {k}, 'out': out}})['out']",
    "out = State({k}, out).keep().keep().out",
    "{a} = Stuck({k})\nout = out + {a}.draw() + {a}.draw()",
    "{a} = Stuck({k})\nfor _ in range(2):\n    out = out + {a}.draw()",
    "{a} = functools.partial(draw, {k})\nout = out + {a}() + {a}()",
    "{a} = lambda: @({k})\nout = out + {a}() + {a}()",
    "def deep{n}(q, depth):\n    if depth == 0:\n        return jnp.zeros(3)\n"
    "    return @(q) + deep{n}(q, depth - 1)\nout = out + deep{n}({k}, 2)",
    "out = out + @(jax.random.fold_in({k}, 1)) + @(jax.random.fold_in({k}, 1))",
    "for _ in range(2):\n    out = out + @(jax.random.fold_in({k}, 3))",
    "for i in range(2):\n    out = out + @(jax.random.fold_in({k}, i))\n"
    "for i in range(2):\n    out = out + @(jax.random.fold_in({k}, i))",
    "{a}, {b} = jax.random.split({k})\nout = out + @({a}) + @({a})",
    "{a}, {b} = jax.random.split({k})\nout = out + @({a}) + @({k})",
    "{a}, {b} = jax.random.split({k})\n{c}, {d} = jax.random.split({k})\nout = out + @({a}) + @({c})",
    "{a} = jax.random.split({k}, 3)\nout = out + @({a}[0]) + @({a}[0])",
    "{a} = jax.random.split({k}, 3)\nfor q in {a}:\n    out = out + @(q)\nout = out + @({a}[1])",
    "{a} = jax.random.split({k}, 3)\nout = out + jax.vmap(draw)({a}).sum(0) + @({a}[2])",
    "{a} = jax.random.split({k}, 3)\nfor q in {a}:\n    out = out + @(q)\nfor q in {a}:\n    out = out - @(q)",
    "{a} = {{'p': {k}, 'q': {k}}}\nout = out + @({a}['p']) + @({a}['q'])",
    "{a} = [{k}, {k}]\nout = out + @({a}[0]) + @({a}[1])",
    "out = out + sum(@(q) for q in [{k}] * 2)",
    "for name in ('p', 'q'):\n    {a} = {{name: {k}}}\n    out = out + @({a}[name])",
    "{a}, {b} = used({k})\nout = out + {b} + @({a})",
    "out = out + Layer({k}).weight + Layer({k}).weight",
    "out = out + [Layer({k}) for _ in range(2)][1].weight",
    "{a} = stuck_stream({k})\nout = out + @(next({a})) + @(next({a}))",
    "out = out + @({k})\nout = lax.cond(True, lambda q: @(q), lambda q: -@(q), {k})",
    "def loss{n}(p, q):\n    return (p * @(q)).sum(), q\n"
    "(_, {a}), {b} = jax.value_and_grad(loss{n}, has_aux=True)(out, {k})\nout = out + {b} + @({a})",
    "out = jax.tree.map(lambda p: p + @({k}), [out, out])[1]",
    "if len(MODES) > 1:\n    out = out + @({k})\nout = out + @({k})",
    "try:\n    out = out + @({k})\nfinally:\n    out = out + @({k})",
)

HELPERS = """\
MODES = ("fast", "slow")
LAYERS = (1.0, 2.0)
SAMPLERS = {"normal": jax.random.normal, "uniform": jax.random.uniform}


def draw(p):
    return jax.random.normal(p, (3,))


def number(p):
    return jax.random.normal(p)


def draw_all(parts):
    return sum(jax.random.uniform(p, (3,)) for p in parts)


def scaled(scale, key):
    return scale * jax.random.normal(key, (3,))


def both(key):
    first, second = jax.random.split(key)
    return jax.random.normal(first, (3,)) + draw(second)


def sample(sampler, key):
    return sampler(key, (3,))


def apply(x, rngs):
    return x * jax.random.bernoulli(rngs["noise"], 0.5, (3,))


def same(p):
    return p


def chosen(key, flag):
    if flag:
        return jax.random.normal(key, (3,))
    return jax.random.uniform(key, (3,))


def used(key):
    noise = jax.random.normal(key, (3,))
    return key, noise


def three(key):
    first, second, third = jax.random.split(key, 3)
    return first, second, third


def named(key):
    first, second, third = jax.random.split(key, 3)
    return {"p": first, "q": second, "r": third}


def keys_for(key):
    init, noise, rest = jax.random.split(key, 3)
    return Keys(init=init, noise=noise, next=rest)


def spread(key, depth):
    if depth == 0:
        return [key]
    left, right = jax.random.split(key)
    return spread(left, depth - 1) + spread(right, depth - 1)


def key_stream(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub


def stuck_stream(key):
    while True:
        yield key


def key_source(key):
    def next_key():
        nonlocal key
        key, sub = jax.random.split(key)
        return sub

    return next_key


def walk(carry, _):
    q, total = carry
    q, sub = jax.random.split(q)
    return (q, total + jax.random.normal(sub, (3,))), None


class KeyMaker:
    def __init__(self, key):
        self.key = key

    def next(self):
        self.key, sub = jax.random.split(self.key)
        return sub

    def __call__(self):
        return self.next()

    def take(self, count):
        return [self.next() for _ in range(count)]


class Stuck:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key, (3,))


class Walker:
    def __init__(self, key):
        self.key = key
        self.out = jnp.zeros(3)

    def step(self):
        self.key, sub = jax.random.split(self.key)
        self.out = self.out + jax.random.normal(sub, (3,))


class Layer:
    def __init__(self, key):
        first, second = jax.random.split(key)
        self.weight = jax.random.normal(first, (3,))
        self.bias = jax.random.normal(second, (3,))


class Noise:
    def draw(self, p):
        return jax.random.normal(p, (3,))

    def __call__(self, p):
        return self.draw(p)


class Box:
    def __init__(self, key):
        self.key = key

    def get(self):
        return self.key


class Pair(NamedTuple):
    key: jax.Array
    n: int


class Keys(NamedTuple):
    init: jax.Array
    noise: jax.Array
    next: jax.Array


@dataclasses.dataclass
class Held:
    key: jax.Array
    n: int = 1


class State(NamedTuple):
    key: jax.Array
    out: jax.Array

    def advance(self):
        key, sub = jax.random.split(self.key)
        return State(key, self.out + jax.random.normal(sub, (3,)))

    def keep(self):
        return self._replace(out=self.out + jax.random.normal(self.key, (3,)))


@struct.dataclass
class Struct:
    key: jax.Array
    out: jax.Array
    n: int = struct.field(pytree_node=False, default=1)

    def advance(self):
        key, sub = jax.random.split(self.key)
        return self.replace(key=key, out=self.out + jax.random.normal(sub, (3,)))
"""
