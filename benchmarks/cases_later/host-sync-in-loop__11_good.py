"""after loss converted in each step; slug: host-sync-in-loop; corrected twin"""
import jax
import jax.numpy as jnp


def loss_fn(w, x, y):
    return jnp.mean((x @ w - y) ** 2)


@jax.jit
def train_step(w, x, y):
    loss, grad = jax.value_and_grad(loss_fn)(w, x, y)
    return w - 0.1 * grad, loss


def fit(w, loader, epochs):
    history = []
    for _ in range(epochs):
        losses = []
        for x, y in loader:
            w, loss = train_step(w, x, y)
            losses.append(loss)
        history.append(jnp.stack(losses).mean())
    return w, history


def demonstrate():
    calls = []
    array = type(jnp.ones(1))
    plain = array.item
    array.item = lambda self, *a: (calls.append(1), plain(self, *a))[1]
    fit(jnp.zeros(2), [(jnp.ones((3, 2)), jnp.ones(3))] * 3, 2)
    array.item = plain
    assert not calls
