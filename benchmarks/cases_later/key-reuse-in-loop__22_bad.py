"""after ensemble members in a dict comprehension; slug: key-reuse-in-loop"""
import jax
import jax.numpy as jnp


def init_params(rng, sizes):
    keys = jax.random.split(rng, len(sizes) - 1)
    return [jax.random.normal(k, (m, n)) / jnp.sqrt(m) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def build_ensemble(names, seed=0):
    rng = jax.random.PRNGKey(seed)
    return {name: init_params(rng, (2, 4, 1)) for name in names}  # expect: key-reuse-in-loop


def predict(ensemble, x):
    outs = []
    for params in ensemble.values():
        h = x
        for w in params:
            h = jnp.tanh(h @ w)
        outs.append(h)
    return jnp.stack(outs)


def demonstrate():
    out = predict(build_ensemble(["a", "b"]), jnp.ones((1, 2)))
    assert jnp.array_equal(out[0], out[1])
