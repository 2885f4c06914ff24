import jax
import jax.numpy as jnp


def discounted(rewards, gamma):
    def body(i, total):
        return total + gamma**i * rewards[i]

    return jax.lax.fori_loop(0, rewards.shape[0], body, jnp.array(0))


# --- what it should do
assert abs(float(discounted(jnp.ones(3), 0.5)) - 1.75) < 1e-6
