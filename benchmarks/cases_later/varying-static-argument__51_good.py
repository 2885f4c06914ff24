"""a learning rate that decays while it is static; slug: varying-static-argument"""
import jax
import jax.numpy as jnp


def loss(w, x, y):
    return jnp.mean((x @ w - y) ** 2)


def descend(w, x, y, lr):
    return w - lr * jax.grad(loss)(w, x, y)


update = jax.jit(descend)


def fit(x, y, steps=20, initial=0.1, decay=0.95):
    w = jnp.zeros(x.shape[1])
    for step in range(steps):
        lr = initial * decay**step
        w = update(w, x, y, lr=lr)
    return w


def main():
    x = jnp.linspace(-1.0, 1.0, 12).reshape(6, 2)
    return fit(x, x @ jnp.array([1.0, -2.0]))


def demonstrate():
    main()
    assert update._cache_size() == 1, update._cache_size()
