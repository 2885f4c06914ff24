"""Fine-tune the head of a small network while the trunk stays frozen."""

import jax
import jax.numpy as jnp


def init(key, sizes):
    layers = {}
    names = ["embed", "trunk", "head"]
    for name, n_in, n_out, layer_key in zip(
        names, sizes[:-1], sizes[1:], jax.random.split(key, len(names))
    ):
        kernel = jax.random.normal(layer_key, (n_in, n_out)) / jnp.sqrt(n_in)
        layers[name] = {"kernel": kernel, "bias": jnp.zeros(n_out)}
    return layers


def forward(params, x):
    for name in ("embed", "trunk"):
        x = jax.nn.relu(x @ params[name]["kernel"] + params[name]["bias"])
    return x @ params["head"]["kernel"] + params["head"]["bias"]


def loss_fn(params, x, y):
    return jnp.mean((forward(params, x) - y) ** 2)


def drop_frozen(grads, frozen):
    """Replace the gradients of frozen layers by None."""
    return {name: None if name in frozen else grads[name] for name in grads}


def sgd(params, grads, rate):
    def update(p, g):
        return p if g is None else p - rate * g

    return jax.tree.map(update, params, grads)  # expect: none-in-pytree


def make_step(frozen, rate):
    @jax.jit
    def step(params, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
        return sgd(params, drop_frozen(grads, frozen), rate), loss

    return step


def main():
    init_key, x_key = jax.random.split(jax.random.key(0))
    start = init(init_key, [6, 16, 16, 1])
    x = jax.random.normal(x_key, (64, 6))
    y = x[:, :1] * x[:, 1:2]
    step = make_step(frozen=("embed", "trunk"), rate=0.05)
    params, losses = start, []
    for _ in range(20):
        params, loss = step(params, x, y)
        losses.append(loss)
    assert jnp.array_equal(params["trunk"]["kernel"], start["trunk"]["kernel"])
    assert losses[-1] < losses[0]
    print("loss:", losses[0], "->", losses[-1])


if __name__ == "__main__":
    main()
