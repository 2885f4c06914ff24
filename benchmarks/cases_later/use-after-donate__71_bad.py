"""Train a linear model with donated buffers and an early stop on small steps."""

from functools import partial

import jax
import jax.numpy as jnp
import optax

optimizer = optax.adam(5e-2)


def loss_fn(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


@partial(jax.jit, donate_argnames=("params", "opt_state"))
def train_step(params, opt_state, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


def distance(new, old):
    return optax.tree.norm(jax.tree.map(jnp.subtract, new, old))


def fit(params, x, y, max_steps=200, tolerance=1e-3):
    opt_state = optimizer.init(params)
    for step in range(max_steps):
        previous = params
        params, opt_state, loss = train_step(params, opt_state, x, y)
        moved = distance(params, previous)  # expect: use-after-donate
        if step % 20 == 19 and moved < tolerance:
            break
    return params, loss, step + 1


def make_data(key, n, d):
    x_key, noise_key = jax.random.split(key)
    x = jax.random.normal(x_key, (n, d))
    y = x @ jnp.linspace(-1.0, 1.0, d) + 0.5
    return x, y + 0.01 * jax.random.normal(noise_key, (n,))


def main():
    x, y = make_data(jax.random.key(19), 200, 4)
    params = {"w": jnp.zeros(4), "b": jnp.zeros(())}
    params, loss, steps = fit(params, x, y)
    assert loss < 0.1
    print("loss", loss, "after", steps, "steps; bias", params["b"])


if __name__ == "__main__":
    main()
