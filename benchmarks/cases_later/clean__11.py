"""after general knowledge; clean: optax with schedules, multi-steps and masked weight decay"""
import jax
import jax.numpy as jnp
import optax


def make_optimizer(total):
    schedule = optax.warmup_cosine_decay_schedule(0.0, 1e-2, 2, total)
    decay_mask = lambda params: jax.tree.map(lambda p: p.ndim > 1, params)
    return optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, mask=decay_mask))


def fit(xs, ys, steps=4):
    params = {"w": jnp.zeros((xs.shape[1], 1)), "b": jnp.zeros(1)}
    tx = make_optimizer(steps)
    state = tx.init(params)

    @jax.jit
    def step(params, state):
        loss, grads = jax.value_and_grad(lambda p: jnp.mean((xs @ p["w"] + p["b"] - ys) ** 2))(params)
        updates, state = tx.update(grads, state, params)
        return optax.apply_updates(params, updates), state, loss

    for _ in range(steps):
        params, state, loss = step(params, state)
    return params, loss


def demonstrate():
    fit(jnp.ones((3, 2)), jnp.ones((3, 1)))
