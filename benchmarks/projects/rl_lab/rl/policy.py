import jax
import jax.numpy as jnp

EPSILON = 0.3


def init(key, size, actions):
    w_key, b_key = jax.random.split(key)
    return {"w": 0.1 * jax.random.normal(w_key, (size, actions)), "b": jnp.zeros(actions)}


def logits(params, state):
    return state @ params["w"] + params["b"]


@jax.jit
def act(params, state, key):
    choose, explore = jax.random.split(key)
    greedy = jnp.argmax(logits(params, state))
    other = jax.random.randint(choose, (), 0, params["b"].shape[0])
    return jnp.where(jax.random.uniform(explore) < EPSILON, other, greedy)  # expect: mutable-global-read


def decay(rate):
    global EPSILON
    EPSILON = EPSILON * rate
