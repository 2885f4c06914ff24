"""What a run shows by itself: no check has told it where to look. Look-alikes bear no mark."""

import random
import tempfile
import time
from functools import lru_cache

import counted  # noqa: F401 - counts JAX's log
import jax
import jax.numpy as jnp
import numpy as np

calls = 0
seen = []
table = {}
kept = None
rng = np.random.default_rng(0)


@jax.jit
def counting(x):
    global calls
    calls += 1  # observed: global-mutation
    return x + 1


@jax.jit
def logging(x):
    seen.append(x.shape)  # observed: captured-mutation
    return x * 2


@jax.jit
def leaking(x):
    global kept
    kept = x * 2  # observed: leaked-tracer
    return x


@jax.jit
def leaking_into(x):
    table["last"] = x  # observed: leaked-tracer
    return x


class Model:
    def __init__(self):
        self.steps = 0
        self.scale = jnp.ones(())

    def forward(self, x):
        self.steps = self.steps + 1  # observed: self-mutation
        return x * self.scale

    def steady(self, x):
        steps = self.steps
        return x * steps


@jax.jit
def filling(batch):
    batch["y"] = batch["x"] * 2  # observed: argument-mutation
    return batch["x"].sum()


@jax.jit
def handing_back(batch, scale):
    batch["y"] = batch["x"] * scale
    return scale, {"batch": batch}


def advance(state):
    state["t"] = state["t"] + 1
    return state


def note(state, log):
    log["t"] = state["t"]


@jax.jit
def stepping(state):
    state = advance(state)
    return state["t"] * 2


@jax.jit
def noting(state, log):
    note(state, log)  # observed: argument-mutation
    return state["t"] * 2


@jax.jit
def copying(batch):
    batch = dict(batch)
    batch["y"] = batch["x"] * 2
    return batch


@jax.jit
def printing(x):
    print("x is", x)  # observed: print-in-traced-code
    print("shape", x.shape)
    return x


@jax.jit
def formatting(x):
    name = f"{x}"  # observed: tracer-formatting
    return x + len(name) * 0


@jax.jit
def noisy(x):
    return x + np.random.rand()  # observed: host-rng-in-traced-code


@jax.jit
def shuffled(x):
    order = [0, 1, 2]
    random.shuffle(order)  # observed: host-rng-in-traced-code
    return x[jnp.array(order)]


@jax.jit
def generated(x):
    return x + rng.normal()  # observed: host-rng-in-traced-code


@jax.jit
def timed(x):
    start = time.perf_counter()  # observed: io-in-traced-code
    return x + start * 0


@jax.jit
def reading(x):
    with open(__file__, encoding="utf-8") as file:  # observed: io-in-traced-code
        return x + len(file.read())


@lru_cache
def offset(size):
    return np.arange(size)


@jax.jit
def pure(x):
    parts = []
    parts.append(x)
    parts.extend(offset(3))
    local = {"x": x}
    local["y"] = x * 2
    return sum(parts[:1]) + local["y"]


def body(carry, x):
    seen.append(1)  # observed: captured-mutation
    return carry + x, x


def eager():
    """Nothing is traced here: all of it may change, print and draw."""
    global calls
    calls += 1
    seen.append(0)
    table["eager"] = time.time() + np.random.rand() + random.random()
    with tempfile.TemporaryFile() as file:
        file.write(b"0")


def reuse():
    key = jax.random.key(0)
    a = jax.random.normal(key)
    return a + jax.random.uniform(key)  # observed: key-reuse


def parent():
    key = jax.random.key(1)
    first, _ = jax.random.split(key)
    return jax.random.normal(first) + jax.random.normal(key)  # observed: parent-key-after-split


def in_loop():
    key = jax.random.PRNGKey(2)
    return sum(jax.random.normal(key) for _ in range(3))  # observed: key-reuse-in-loop


@jax.jit
def traced_reuse(key):
    return jax.random.normal(key) + jax.random.normal(key)  # observed: key-reuse


def elements():
    keys = jax.random.split(jax.random.key(3), 2)
    a = jax.random.normal(keys[0])
    return a + jax.random.normal(keys[0])  # observed: key-reuse


@jax.jit
def either(key, x):
    return jax.lax.cond(x > 0, lambda: jax.random.normal(key), lambda: jax.random.uniform(key))


def threaded():
    key = jax.random.key(4)
    total = 0.0
    for step in range(3):
        key, sub = jax.random.split(key)
        total += jax.random.normal(sub) + jax.random.normal(jax.random.fold_in(sub, step))
    return total


def made_anew():
    return jax.random.normal(jax.random.key(5))


@jax.jit
def growing(x):
    return x.sum()


@jax.jit
def mixed(x):
    return x + 1


def steps(x):
    @jax.jit
    def inner(y):  # observed: jit-in-function
        return y + 1

    return inner(x)


TABLE = np.ones((1024, 1024), np.float32)


@jax.jit
def baked(x):  # observed: large-closure-constant
    return x + TABLE.sum() + jnp.asarray(TABLE)[0, 0]


def main():
    x = jnp.arange(3.0)
    model = Model()
    forward, steady = jax.jit(model.forward), jax.jit(model.steady)
    for _ in range(2):
        for function in (counting, logging, leaking, leaking_into, forward, steady, printing, formatting, noisy):
            function(x)
        for function in (shuffled, generated, timed, reading, pure, baked):
            function(x)
        filling({"x": x})
        handing_back({"x": x}, x)
        stepping({"t": x})
        noting({"t": x}, {})
        copying({"x": x})
        jax.lax.scan(body, 0.0, x)
        eager()
        made_anew()
        for value in (1.0, -1.0):
            either(jax.random.key(6), value)
    reuse()
    parent()
    in_loop()
    traced_reuse(jax.random.key(7))
    elements()
    threaded()
    for size in (2, 3, 4, 5):
        growing(jnp.ones(size))  # observed: varying-shape
    for value in (jnp.ones(()), 1.0):
        mixed(value)  # observed: weak-type-recompile
    for _ in range(3):
        steps(x)
    if jax.jit(lambda v: v)(x)[0] > 5:
        print(x)


main()
jax.jit(lambda v: v if v > 0 else -v)(1.0)  # observed: traced-branch
