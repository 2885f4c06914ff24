"""after fori_loop diffuses with the key of the outer function; slug: same-key-across-batch; corrected twin"""
import jax
import jax.numpy as jnp
from jax import lax


def denoise(model, key, x, steps):
    def body(t, x):
        eps = model(x, t)
        z = jax.random.normal(jax.random.fold_in(key, t), x.shape)
        return 0.9 * x - 0.1 * eps + 0.2 * z

    return lax.fori_loop(0, steps, body, x)


def demonstrate():
    key = jax.random.key(0)
    out = denoise(lambda x, t: 0.0 * x, key, jnp.zeros(3), 2)
    z = jax.random.normal(key, (3,))
    assert not jnp.allclose(out, 0.2 * z * 1.9, atol=1e-5)
