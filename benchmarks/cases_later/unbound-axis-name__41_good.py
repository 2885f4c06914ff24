"""gradients averaged over devices in a step that is only compiled; slug: none"""
import jax
import jax.numpy as jnp
import optax

tx = optax.sgd(0.05)


def loss(w, x, y):
    return jnp.mean((x @ w - y) ** 2)


def reduce_grads(grads):
    return jax.tree.map(lambda g: jax.lax.pmean(g, axis_name="batch"), grads)


def train_step(w, state, x, y):
    grads = jax.grad(loss)(w, x, y)
    grads = reduce_grads(grads)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(w, updates), state


def main():
    step = jax.jit(jax.vmap(train_step, in_axes=(None, None, 0, 0), axis_name="batch"))
    w = jnp.ones(3)
    return step(w, tx.init(w), jnp.ones((2, 4, 3)), jnp.zeros((2, 4)))


def demonstrate():
    main()
