"""A project of a library and leaves, in which leaves do to the library whatever leaves can do to it."""

from __future__ import annotations

from typing import Final

LIBRARY: Final = {
    "pyproject.toml": "",
    "lib/__init__.py": "from lib import draws, nets, state, trees\n",
    "lib/draws.py": """\
import jax
import jax.numpy as jnp
from functools import partial

def draw(key, shape=()):
    return jax.random.normal(key, shape)

def both(key):
    return draw(key), draw(key)

def branch(x):
    if x > 0:
        return x
    return -x

@partial(jax.jit, donate_argnums=0)
def step(x):
    return x + 1

def total(x, axis):
    return jax.lax.psum(x, axis)

def wide(x):
    return jnp.asarray(x, dtype="float64")

def nobody(key):
    return both(key)
""",
    "lib/state.py": """\
import jax

current = None
seen = []

class Config:
    flag = False
    steps = 3

class Counter:
    def __init__(self):
        self._hidden = []
        self._count = 0

    def start(self):
        self.begun = 1

    def go(self, x):
        if Config.flag:
            return x + self.begun
        self._count = x
        return x

def make():
    last = 0

    def keep(x):
        nonlocal last
        before, last = last, x
        return before

    return keep

keep = make()

def remember(x):
    global current
    current = x
    seen.append(x)
    return x

def recall():
    return current

@jax.jit
def with_state(x):
    return x * 2 if Config.steps > 2 else x + Config.steps
""",
    "lib/nets.py": """\
import flax.linen as nn
import jax.numpy as jnp

class Traced(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Dense(3)(x)
        if x.sum() > 0:
            return x
        return float(x[0])

class Untraced(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Dense(4)(x)
        return int(x[0, 0])

class Base(nn.Module):
    def scale(self, x):
        return x

    @nn.compact
    def __call__(self, x):
        return self.scale(nn.Dense(2)(x))
""",
    "lib/trees.py": """\
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

class Plain:
    def __init__(self, a):
        self.a = a
""",
}
_HEAD = "import jax\nimport jax.numpy as jnp\nimport lib\nfrom lib import draws, nets, state, trees\n\n"
LEAVES: Final = {
    "tests/test_keys.py": _HEAD
    + "key = jax.random.key(0)\na = draws.draw(key)\nb = draws.draw(key)\nc, d = draws.both(jax.random.key(1))\n",
    "tests/test_donated.py": _HEAD
    + "x = jnp.ones(3)\ny = draws.step(x)\nprint(x)\ndraws.branch(y)\njax.jit(draws.branch)(y)\n",
    "tests/test_flags.py": _HEAD
    + "state.Config.flag = True\nstate.Config.steps = jnp.ones(3)\nc = state.Counter()\nc.start()\n"
    + "jax.jit(c.go)(1.0)\nprint(c._count)\nstate.remember(jnp.ones(3))\n",
    "tests/test_globals.py": _HEAD
    + "jax.jit(state.remember)(1.0)\n\n@jax.jit\ndef use(x):\n    return x + state.recall()\n\nuse(2.0)\n"
    + "key = jax.random.key(0)\nstate.keep(key)\njax.random.normal(state.keep(key))\njax.random.normal(key)\n",
    "tests/test_recalls.py": _HEAD
    + "print(state.recall() + 1)\nkey = jax.random.key(3)\njax.random.normal(key)\nkept = state.keep(key)\n"
    + "jax.random.normal(kept)\nc = state.Counter()\nprint(c.go(1))\nstate.with_state(1.0)\n",
    "tests/test_axes.py": _HEAD
    + "f = jax.vmap(lambda x: draws.total(x, 'i'), axis_name='i')\nf(jnp.ones(3))\ndraws.total(jnp.ones(3), 'j')\n"
    + "jax.jit(lambda x: draws.total(x, 'k'))(jnp.ones(3))\n",
    "tests/test_models.py": _HEAD
    + "model = nets.Traced()\nv = model.init(jax.random.key(0), jnp.ones((1, 3)))\n"
    + "jax.jit(model.apply)(v, jnp.ones(3))\n"
    + "\nclass Mine(nets.Base):\n    def scale(self, x):\n        return float(x[0])\n",
    "tests/test_eager.py": _HEAD
    + "model = nets.Untraced()\nv = model.init(jax.random.key(0), jnp.ones((1, 3)))\n"
    + "print(model.apply(v, jnp.ones(3)))\n",
    "tests/test_trees.py": _HEAD
    + "jax.tree_util.register_pytree_node(trees.Pair, lambda p: ((p.a, p.b), None), lambda _, c: trees.Pair(*c))\n"
    + "jax.jit(lambda p: p.a + 1)(trees.Pair(1.0, 2.0))\njax.jit(lambda p: p.a + 1)(trees.Plain(1.0))\n",
    "tests/test_used.py": _HEAD
    + "jax.jit(lambda p: p.a + 1)(trees.Pair(1.0, 2.0))\nlib.nets.Base\nif draws.branch(jnp.ones(())) > 0:\n    pass\n",
    "tests/test_silenced.py": _HEAD
    + "key = jax.random.key(0)\na = draws.draw(key)\nb = draws.draw(key)  # jaxlint: ignore[key-reuse]\n"
    + "c = 1  # jaxlint: ignore[tracer-branch]\n",
    "tests/test_wide.py": _HEAD + "draws.wide(1.0)\njax.jit(draws.nobody)(jax.random.key(2))\n",
    "examples/broken.py": "import jax\nfrom lib import draws\nx = (\n",
    "examples/script.py": _HEAD
    + "import sys\n\n"
    + "def main():\n    key = jax.random.key(0)\n    for _ in range(10):\n        print(draws.draw(key))\n"
    + "        jax.jit(lambda x: x)(1.0)\n\nmain()\n",
    "examples/odd.py": _HEAD + "def f(x):\n    if x > 0:\n        return x\n\njax.jit(f)(1.0)\njax.grad(f)(1.0)\n",
}
#: What may be added to a leaf: some of it answers a question about all files otherwise.
EDITS: Final = (
    "_changed = 0\n",
    "\nprint(c._hidden if False else 1)\n",
    "\njax.config.update('jax_enable_x64', True)\n",
    "\nnames = ['i', 'j', 'k']\n",
    "\nkey = jax.random.key(7)\nu = draws.draw(key)\nv = draws.draw(key)\n",
    "\nmodel = nets.Untraced()\njax.jit(model.apply)(1, jnp.ones(3))\n",
    "\nc = state.Counter()\nc.go(1)\n",
    "\nstate.Config.flag = jnp.ones(2)\n",
)
