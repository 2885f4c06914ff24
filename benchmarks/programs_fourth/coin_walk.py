import jax
import jax.numpy as jnp


def walk(key, n_steps):
    position = jnp.array(0)
    path = []
    for _ in range(n_steps):
        step = jax.random.choice(key, jnp.array([-1, 1]))
        position = position + step
        path.append(position)
    return jnp.stack(path)


# --- what it should do
path = walk(jax.random.key(3), 60)
assert abs(int(path[-1])) < 60
