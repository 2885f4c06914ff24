"""The table of pitfalls names rules that exist, and mistakes that introductions to JAX make are found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jaxlint.rules.rule import registry
from tests.linting import diagnostics

PAGE = Path(__file__).resolve().parents[1] / "docs" / "pitfalls.md"
ROWS = re.findall(r"^\| P(\d+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_each_pitfall_has_a_row() -> None:
    assert [int(number) for number, _, _ in ROWS] == list(range(1, 68))


@pytest.mark.parametrize(("number", "rules"), [(number, rules) for number, rules, _ in ROWS])
def test_rules_exist(number: str, rules: str) -> None:
    named = re.findall(r"`([a-z0-9-]+)`", rules)
    assert set(named) <= set(registry()), number
    assert named or rules.startswith("none"), number


def test_each_rule_is_about_a_pitfall() -> None:
    named = {slug for _, rules, _ in ROWS for slug in re.findall(r"`([a-z0-9-]+)`", rules)}
    beside = {
        "custom-derivative-incomplete",
        "nan-comparison",
        "legacy-prng-key",
        "use-after-donate",
        "unused-donation",
        "host-sync-in-loop",
        "transfer-in-loop",
        "process-divergent-collective",
        "einsum-pattern-mismatch",
        "numerical-idiom",
        "where-gradient-nan",
    }
    assert set(registry()) - named == beside


MISTAKES = {
    "a clock without a wait": (
        "unsynchronized-timing",
        """
        import time
        import jax
        import jax.numpy as jnp

        x = jnp.ones((1000, 1000))
        f = jax.jit(lambda a: a @ a)
        f(x).block_until_ready()
        start = time.perf_counter()
        y = f(x)
        print(time.perf_counter() - start)
        """,
    ),
    "a step that is not compiled": (
        "unjitted-hot-loop",
        """
        import jax
        import jax.numpy as jnp

        def loss(w, x):
            return jnp.mean((x @ w) ** 2)

        def step(w, x):
            return w - 0.1 * jax.grad(loss)(w, x)

        w, x = jnp.ones(8), jnp.ones((16, 8))
        for _ in range(1000):
            w = step(w, x)
        """,
    ),
    "a tuple among dimensions": (
        "traced-shape",
        """
        import jax.numpy as jnp

        x = jnp.ones((8, 3))
        shards = x.reshape(2, -1, x.shape[1:])
        """,
    ),
    "devices in an array": (
        "device-grid",
        """
        import jax
        import jax.numpy as jnp

        mesh = jax.sharding.Mesh(jnp.array(jax.devices()), ("data",))
        """,
    ),
    "one spec for each leaf": (
        "spec-rank-mismatch",
        """
        import jax
        import jax.numpy as jnp
        import numpy as np
        from jax.sharding import Mesh, NamedSharding
        from jax.sharding import PartitionSpec as P

        mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))
        params = {"w": jnp.zeros((8, 4)), "b": jnp.zeros(4)}
        placed = jax.tree.map(lambda leaf: jax.device_put(leaf, NamedSharding(mesh, P("data", "model"))), params)
        """,
    ),
    "a spec that is no sharding": (
        "unknown-mesh-axis",
        """
        import jax
        import jax.numpy as jnp
        from jax.sharding import PartitionSpec as P

        batch = jax.device_put(jnp.ones((8, 2)), P("data"))
        """,
    ),
    "an old form of BlockSpec": (
        "removed-api",
        """
        import jax
        import jax.numpy as jnp
        from jax.experimental import pallas as pl

        def double(x_ref, out_ref):
            out_ref[...] = 2 * x_ref[...]

        spec = pl.BlockSpec(lambda i: (i, 0), (4, 128))
        shape = jax.ShapeDtypeStruct((8, 128), jnp.float32)
        out = pl.pallas_call(double, shape, grid=(2,), in_specs=[spec], out_specs=spec)(jnp.ones((8, 128)))
        """,
    ),
    "an old form of ffi_call": (
        "removed-api",
        """
        import jax

        def normalized(x):
            return jax.ffi.ffi_call("rms_norm", jax.ShapeDtypeStruct(x.shape, x.dtype), x)
        """,
    ),
    "a mean over an axis without a name": (
        "unbound-axis-name",
        """
        import jax
        import jax.numpy as jnp

        @jax.pmap
        def step(w, x, y):
            grads = jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
            return w - 0.1 * jax.lax.pmean(grads, axis_name="devices")
        """,
    ),
    "a loss of one device": (
        "missing-collective",
        """
        from functools import partial

        import jax
        import jax.numpy as jnp

        @partial(jax.pmap, axis_name="devices")
        def step(w, x, y):
            loss, grads = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
            return w - 0.1 * jax.lax.pmean(grads, axis_name="devices"), loss

        w, x, y = jnp.zeros((8, 3)), jnp.ones((8, 4, 3)), jnp.ones((8, 4))
        for _ in range(10):
            w, losses = step(w, x, y)
            print("loss", float(losses[0]))
        """,
    ),
    "an old form of use_mesh": (
        "removed-api",
        """
        import jax
        import numpy as np

        with jax.sharding.use_mesh(jax.sharding.Mesh(np.array(jax.devices()), ("data",))):
            pass
        """,
    ),
    "parameters and data from one key": (
        "key-reuse",
        """
        import jax

        key = jax.random.key(0)
        w = jax.random.normal(key, (3,))
        x = jax.random.normal(key, (8, 3))
        """,
    ),
}


@pytest.mark.parametrize(("slug", "source"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_of_introductions_are_found(slug: str, source: str) -> None:
    text = "\n".join(line[8:] for line in source.strip("\n").split("\n"))
    assert diagnostics(text, slug)
