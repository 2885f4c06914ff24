"""Q-learning with a target network that is refreshed every few updates."""

import jax
import jax.numpy as jnp
import optax


def init_params(key, n_in, n_out):
    return {"w": 0.1 * jax.random.normal(key, (n_in, n_out)), "b": jnp.zeros(n_out)}


def q_values(params, obs):
    return jnp.tanh(obs) @ params["w"] + params["b"]


def td_loss(params, target, batch):
    chosen = jnp.take_along_axis(q_values(params, batch["obs"]), batch["act"][:, None], 1)
    best = q_values(target, batch["next_obs"]).max(axis=-1)
    return jnp.mean((batch["rew"] + 0.9 * best - chosen[:, 0]) ** 2)


def make_update(optimizer):
    counters = {"updates": 0}

    @jax.jit
    def update_step(params, target, opt_state, batch):
        grads = jax.grad(td_loss)(params, target, batch)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state

    def update(params, target, opt_state, batch):
        counters["updates"] += 1
        return update_step(params, target, opt_state, batch)

    return update, counters


def train(params, batch, steps, sync_every=10):
    optimizer = optax.sgd(0.1)
    update, counters = make_update(optimizer)
    target, opt_state, syncs = params, optimizer.init(params), 0
    for _ in range(steps):
        params, opt_state = update(params, target, opt_state, batch)
        if counters["updates"] % sync_every == 0:
            target = params
            syncs += 1
    return params, syncs


def main():
    keys = jax.random.split(jax.random.key(4), 5)
    batch = {
        "obs": jax.random.normal(keys[0], (64, 4)),
        "next_obs": jax.random.normal(keys[1], (64, 4)),
        "act": jax.random.randint(keys[2], (64,), 0, 3),
        "rew": jax.random.uniform(keys[3], (64,)),
    }
    params, syncs = train(init_params(keys[4], 4, 3), batch, steps=50)
    print("target refreshed", syncs, "times; bias", params["b"])
    assert syncs == 5


if __name__ == "__main__":
    main()
