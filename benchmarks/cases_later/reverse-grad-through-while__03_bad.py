"""after general knowledge; slug: reverse-grad-through-while"""
import jax
import jax.numpy as jnp


def sinkhorn(cost, tol):
    def unconverged(state):
        return (state[1] > tol) & (state[2] < 20)

    def iterate(state):
        potential, _, count = state
        new = -jax.nn.logsumexp(-cost + potential, axis=-1)
        return new, jnp.abs(new - potential).max(), count + 1

    return jax.lax.while_loop(unconverged, iterate, (jnp.zeros(cost.shape[0]), jnp.inf, 0))[0]  # expect: reverse-grad-through-while


def transport_loss(points, target):
    cost = (points[:, None] - target[None, :]) ** 2
    return jnp.sum(sinkhorn(cost, 1e-2))


gradient = jax.value_and_grad(transport_loss)


def demonstrate():
    try:
        gradient(jnp.ones(3), jnp.zeros(3))
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
