"""after printing the loss inside a compiled step's helper; slug: print-in-traced-code"""
import jax
import jax.numpy as jnp


def report(step, loss):
    print("step", step, "loss", loss)  # expect: print-in-traced-code


def loss_fn(w, x, y):
    return jnp.mean((x @ w - y) ** 2)


@jax.jit
def update(w, x, y, step):
    loss, grad = jax.value_and_grad(loss_fn)(w, x, y)
    report(step, loss)
    return w - 0.1 * grad


def train(w, x, y, steps):
    for step in range(steps):
        w = update(w, x, y, step)
    return w


def demonstrate():
    import contextlib, io
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        train(jnp.zeros(2), jnp.ones((3, 2)), jnp.ones(3), 4)
        jax.effects_barrier()
    assert text.getvalue().count("step") == 1
