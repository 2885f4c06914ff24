import jax
import jax.numpy as jnp

G = 1.0


@jax.jit
def accelerations(pos, mass):
    n = pos.shape[0]
    acc = jnp.zeros_like(pos)
    for i in range(n):
        for j in range(n):
            if i != j:
                d = pos[j] - pos[i]
                acc[i] += G * mass[j] * d / (jnp.linalg.norm(d) ** 3 + 1e-6)
    return acc


# --- what it should do
a = accelerations(jnp.array([[0.0, 0.0], [1.0, 0.0]]), jnp.ones(2))
assert a[0, 0] > 0.9 and a[1, 0] < -0.9
