"""after Gibbs sweeps with the key that the function got; slug: key-reuse-in-loop; corrected twin"""
import jax
import jax.numpy as jnp


def conditional(key, other, rho):
    return rho * other + jnp.sqrt(1 - rho ** 2) * jax.random.normal(key)


def gibbs(key, rho, sweeps):
    x, y = jnp.float32(0.0), jnp.float32(0.0)
    samples = []
    for _ in range(sweeps):
        key, k_x, k_y = jax.random.split(key, 3)
        x = conditional(k_x, y, rho)
        y = conditional(k_y, x, rho)
        samples.append((x, y))
    return jnp.array(samples)


def demonstrate():
    s = gibbs(jax.random.key(0), 0.0, 4)
    assert not jnp.allclose(s[0], s[3])
