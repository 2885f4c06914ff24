"""after scan body closes over the key; slug: same-key-across-batch"""
import jax
import jax.numpy as jnp


def simulate(key, x0, dt, n):
    """Ornstein-Uhlenbeck by Euler-Maruyama."""

    def body(x, _):
        dw = jax.random.normal(key, x.shape) * jnp.sqrt(dt)  # expect: same-key-across-batch
        x = x - x * dt + 0.3 * dw
        return x, dw

    return jax.lax.scan(body, x0, None, length=n)


def demonstrate():
    _, dw = simulate(jax.random.key(2), jnp.zeros(2), 0.1, 5)
    assert jnp.array_equal(dw[0], dw[4])
