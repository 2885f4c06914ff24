"""after policy gradient: reset and action share the key, two calls deep; slug: key-reuse; corrected twin"""
import jax
import jax.numpy as jnp


def reset(key):
    return jax.random.uniform(key, (4,), minval=-0.05, maxval=0.05)


def policy(params, obs):
    return obs @ params


def act(params, obs, key):
    return jax.random.categorical(key, policy(params, obs))


def begin_episode(params, key):
    """First observation and first action."""
    obs = reset(key)
    action = act(params, obs, jax.random.fold_in(key, 1))
    return obs, action


def collect(params, key, episodes):
    keys = jax.random.split(key, episodes)
    return jax.vmap(begin_episode, in_axes=(None, 0))(params, keys)


def demonstrate():
    n = []
    plain = jax.random.categorical
    k = jax.random.split(jax.random.key(0), 1)[0]
    obs, a = collect(jnp.zeros((4, 2)), jax.random.key(0), 1)
    assert a[0] == plain(jax.random.fold_in(k, 1), jnp.zeros(2))
