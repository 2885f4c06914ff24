import jax
import jax.numpy as jnp

from . import policy, rollout, stats


def surrogate(params, states, weights):
    scores = jax.vmap(policy.logits, in_axes=(None, 0))(params, states)
    return -jnp.mean(weights * jax.nn.log_softmax(scores).max(-1))


@jax.jit
def update(params, states, weights):
    value, slope = jax.value_and_grad(surrogate)(params, states, weights)
    if value < 0:  # expect: traced-branch
        slope = jax.tree.map(jnp.negative, slope)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, slope)


def train(env, seed=0, rounds=2):
    init_key, key = jax.random.split(jax.random.key(seed))
    params = policy.init(init_key, env.size, 4)
    running = stats.Running(jnp.zeros(()), jnp.zeros(()))
    for _ in range(rounds):
        key, sub = jax.random.split(key)
        rows = rollout.collect_fresh(env, params, sub, 3)
        rewards = jnp.stack([reward for _, reward in rows])
        for reward in rewards:
            stats.observe(running, reward)
        policy.decay(0.5)
    return params, running
