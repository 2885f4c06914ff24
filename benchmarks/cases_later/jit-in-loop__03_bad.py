"""after general knowledge; slug: jit-in-loop"""
import jax
import jax.numpy as jnp


def fit_epoch(params, batches, lr):
    for x, y in batches:
        def loss(p):
            return jnp.mean((x @ p - y) ** 2)

        params = params - lr * jax.jit(jax.grad(loss))(params)  # expect: jit-in-loop
    return params


def demonstrate():
    import jax._src.test_util as tu
    data = [(jnp.ones((2, 3)), jnp.ones(2))] * 4
    fit_epoch(jnp.zeros(3), data, 0.1)
    with tu.count_jit_compilation_cache_miss() as misses:
        fit_epoch(jnp.zeros(3), data, 0.1)
    assert misses() >= 4
