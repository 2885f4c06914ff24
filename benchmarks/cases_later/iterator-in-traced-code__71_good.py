"""Fit an Equinox MLP with a cyclical learning rate."""

import equinox as eqx
import jax
import jax.numpy as jnp


def triangular(low, high, period):
    """Learning rates that rise and fall for ever."""
    step = 0
    while True:
        phase = abs(2.0 * (step % period) / period - 1.0)
        yield high - (high - low) * phase
        step += 1


@eqx.filter_value_and_grad
def loss_fn(model, x, y):
    return jnp.mean((jax.vmap(model)(x)[:, 0] - y) ** 2)


def make_step(low, high, period):
    rates = triangular(low, high, period)

    @eqx.filter_jit
    def step(model, x, y, rate):
        loss, grads = loss_fn(model, x, y)
        updates = jax.tree.map(lambda g: -rate * g, grads)
        return eqx.apply_updates(model, updates), loss

    return lambda model, x, y: step(model, x, y, jnp.asarray(next(rates)))


def train(model, x, y, steps):
    step = make_step(low=0.0, high=0.1, period=20)
    losses = []
    for _ in range(steps):
        model, loss = step(model, x, y)
        losses.append(loss)
    return model, jnp.stack(losses)


def main():
    model_key, x_key = jax.random.split(jax.random.key(9))
    model = eqx.nn.MLP(2, 1, width_size=16, depth=1, key=model_key)
    x = jax.random.normal(x_key, (64, 2))
    y = jnp.sin(x[:, 0]) * x[:, 1]
    _, losses = train(model, x, y, steps=40)
    print("loss:", losses[0], "->", losses[-1])
    # The cycle starts at a rate of zero.
    assert losses[-1] < 0.9 * losses[0]


if __name__ == "__main__":
    main()
