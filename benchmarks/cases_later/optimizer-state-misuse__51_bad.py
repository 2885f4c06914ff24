"""two optimizers in a dict, one state never kept; slug: optimizer-state-misuse"""
import jax
import jax.numpy as jnp
import optax

optimizers = {"actor": optax.adam(1e-3), "critic": optax.adam(1e-2)}


def critic_loss(w, x, y):
    return jnp.mean((x @ w - y) ** 2)


def actor_loss(w, x):
    return -jnp.mean(jnp.tanh(x @ w))


def train(x, y, steps):
    actor, critic = jnp.ones(3), jnp.ones(3)
    states = {"actor": optimizers["actor"].init(actor), "critic": optimizers["critic"].init(critic)}
    for _ in range(steps):
        grads = jax.grad(critic_loss)(critic, x, y)
        updates, new_state = optimizers["critic"].update(grads, states["critic"])  # expect: optimizer-state-misuse
        critic = optax.apply_updates(critic, updates)
        grads = jax.grad(actor_loss)(actor, x)
        updates, states["actor"] = optimizers["actor"].update(grads, states["actor"])
        actor = optax.apply_updates(actor, updates)
    return states


def main():
    return train(jnp.ones((4, 3)), jnp.zeros(4), 4)


def demonstrate():
    assert int(main()["critic"][0].count) == 0
