"""Code of real notebooks in which nothing is wrong, and code beside it in which something is; all of it run on JAX."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.linting import diagnostics, marked_lines

CLEAN = {
    "a reference as argument": """
import jax
import jax.numpy as jnp

@jax.jit
def double(x_ref):
    x_ref[...] = 2 * x_ref[...]

ref = jax.new_ref(jnp.ones(3))
double(ref)
assert ref[0] == 2
""",
    "auxiliary data of a registered class": """
import jax

class Scaled:
    def __init__(self, x, twice):
        self.x = x
        self.twice = twice

    @jax.jit
    def apply(self, y):
        return 2 * self.x * y if self.twice else self.x * y

    def flatten(self):
        children = (self.x,)
        auxiliary = {"twice": self.twice}
        return children, auxiliary

    @classmethod
    def unflatten(cls, auxiliary, children):
        return cls(*children, **auxiliary)

jax.tree_util.register_pytree_node(Scaled, Scaled.flatten, Scaled.unflatten)
assert Scaled(2.0, True).apply(3.0) == 12
""",
    "a static argument through checkify": """
from functools import partial
import jax
import jax.numpy as jnp
from jax.experimental import checkify

@checkify.checkify
@partial(jax.jit, static_argnums=(1,))
def take(x, sizes):
    checkify.check(x[0] >= 0, "negative")
    return jax.lax.dynamic_slice(x, (0,), sizes)

error, part = take(jnp.arange(4), sizes=(2,))
error.throw()
""",
    "a static argument through export": """
import jax
import jax.numpy as jnp
from jax import export

def top(k, x):
    return jax.lax.top_k(x, k)[0]

export.export(jax.jit(top, static_argnums=0))(3, jnp.arange(8))
""",
    "numbers from a stream of nnx": """
from flax import nnx
import jax.numpy as jnp

rngs = nnx.Rngs(0)
x = rngs.normal((5, 2))
y = rngs.uniform((5, 2))
loss = jnp.mean((x @ jnp.ones((2, 2)) - y) ** 2)
""",
    "printing in shard_map": """
import jax
import jax.numpy as jnp
from jax.sharding import Mesh, PartitionSpec as P

def show(block):
    print(block)
    return block

jax.shard_map(show, mesh=Mesh(jax.devices()[:1], ("i",)), in_specs=P("i"), out_specs=P("i"))(jnp.arange(4.0))
""",
}


@pytest.mark.parametrize("code", CLEAN.values(), ids=list(CLEAN))
def test_nothing_is_wrong(code: str) -> None:
    assert marked_lines(code) == frozenset()


@pytest.mark.jax
def test_it_runs() -> None:
    program = "\n".join(f"exec({code!r}, {{}})" for code in CLEAN.values())
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # what is a leaf is traced as before
        (CLEAN["auxiliary data of a registered class"].replace("if self.twice", "if self.x"), (11, "traced-branch")),
        (
            CLEAN["auxiliary data of a registered class"].replace("(self.x,)", "(self.x, self.twice)"),
            (11, "traced-branch"),
        ),
        (CLEAN["a reference as argument"].replace("x_ref[...] = ", "x_ref['a'] = "), (7, "argument-mutation")),
        (
            CLEAN["a static argument through checkify"].replace("    return", "    if x[0] > 0: pass\n    return"),
            (11, "traced-branch"),
        ),
        (
            CLEAN["printing in shard_map"].replace("jax.shard_map(show", "jax.jit(jax.shard_map(show").replace(
                '"i"))(', '"i")))('
            ),
            (7, "print-in-traced-code"),
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_beside_it(code: str, expected: tuple[int, str]) -> None:
    assert expected in marked_lines(code)


def test_the_last_expression_of_a_cell_is_shown() -> None:
    script = """# %%
import jax
key = jax.random.key(0)
jax.random.split(key)
# %%
jax.random.split(key)
print(key)
"""
    shown, dropped = 4, 6
    lines = {each.span.line for each in diagnostics(script, "discarded-key-update")}
    assert dropped in lines
    assert shown not in lines
