"""after general knowledge; slug: reverse-grad-through-while; corrected twin"""
import jax
import jax.numpy as jnp


def sinkhorn(cost, tol):
    def unconverged(state):
        return (state[1] > tol) & (state[2] < 20)

    def iterate(state):
        potential, _, count = state
        new = -jax.nn.logsumexp(-cost + potential, axis=-1)
        return new, jnp.abs(new - potential).max(), count + 1

    return jax.lax.while_loop(unconverged, iterate, (jnp.zeros(cost.shape[0]), jnp.inf, 0))[0]


def transport_loss(points, target):
    cost = (points[:, None] - target[None, :]) ** 2
    return jnp.sum(sinkhorn(cost, 1e-2))


gradient = jax.jacfwd(transport_loss)


def demonstrate():
    gradient(jnp.ones(3), jnp.zeros(3))
