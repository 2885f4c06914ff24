import jax
import jax.numpy as jnp


def sample(logp, x0, n, seed=0):
    key = jax.random.PRNGKey(seed)
    x, chain = x0, []
    for _ in range(n):
        key, sub = jax.random.split(key)
        prop = x + jax.random.normal(sub)
        if jnp.log(jax.random.uniform(key)) < logp(prop) - logp(x):
            x = prop
        chain.append(x)
    return jnp.stack(chain)


# --- what it should do
assert sample(lambda x: -(x**2), 0.0, 3).shape == (3,)
