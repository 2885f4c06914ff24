"""gradients averaged over an axis with another name; slug: unbound-axis-name"""
import jax
import jax.numpy as jnp


def make_step(rate, axis):
    def loss(w, x, y):
        return jnp.mean((x @ w - y) ** 2)

    def step(w, x, y):
        grads = jax.grad(loss)(w, x, y)
        return w - rate * jax.lax.pmean(grads, axis)  # expect: unbound-axis-name

    return step


def main():
    step = make_step(0.1, "devices")
    replicated = jax.vmap(step, in_axes=(None, 0, 0), axis_name="batch")
    return replicated(jnp.ones(3), jnp.ones((2, 4, 3)), jnp.ones((2, 4)))


def demonstrate():
    try:
        main()
    except NameError as err:
        return str(err)
    raise AssertionError("expected a failure")
