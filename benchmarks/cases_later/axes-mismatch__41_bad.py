"""per-example gradients with one axis forgotten; slug: axes-mismatch"""
import jax
import jax.numpy as jnp


def loss(params, x, y):
    return (jnp.dot(params["w"], x) + params["b"] - y) ** 2


per_example = jax.vmap(jax.grad(loss), in_axes=(None, 0))


def norms(params, xs, ys):
    grads = per_example(params, xs, ys)  # expect: axes-mismatch
    return jnp.sqrt(jnp.sum(grads["w"] ** 2, axis=1) + grads["b"] ** 2)


def main():
    return norms({"w": jnp.ones(3), "b": jnp.zeros(())}, jnp.ones((7, 3)), jnp.zeros(7))


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
