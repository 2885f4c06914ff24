"""after general knowledge; slug: data-dependent-shape"""
import jax
import jax.numpy as jnp
import optax


def hard_negative_loss(params, x, y):
    losses = optax.sigmoid_binary_cross_entropy(x @ params, y)
    rows, = jnp.where(losses > losses.mean())  # expect: data-dependent-shape
    return losses[rows].mean()


step = jax.jit(jax.value_and_grad(hard_negative_loss))


def demonstrate():
    try:
        step(jnp.ones(3), jnp.ones((4, 3)), jnp.ones(4))
    except Exception as err:
        assert type(err).__name__ == 'ConcretizationTypeError', repr(err)
    else:
        raise AssertionError('expected ConcretizationTypeError')
