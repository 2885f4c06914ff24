import jax
import jax.numpy as jnp

from .config import ServingOptions


def truncate(logits, k):
    if k == 0:
        return logits
    return jnp.where(logits >= jnp.sort(logits)[-k], logits, -jnp.inf)


@jax.jit
def pick(logits, key):
    scaled = logits / ServingOptions.temperature  # expect: mutable-global-read
    return jax.random.categorical(key, scaled)


def nucleus(logits, p):
    order = jnp.argsort(-logits)
    total = jnp.cumsum(jax.nn.softmax(logits)[order])
    kept = order[total <= p]  # expect: boolean-mask-index
    return jnp.full_like(logits, -jnp.inf).at[kept].set(logits[kept])


@jax.jit
def pick_nucleus(logits, key, p):
    return jax.random.categorical(key, nucleus(logits, p))


def candidates(logits, key, n):
    """n draws from one distribution, all of them with one key."""
    return jax.vmap(lambda _: jax.random.categorical(key, logits))(jnp.arange(n))  # expect: same-key-across-batch


def candidates_split(logits, key, n):
    return jax.vmap(lambda k: jax.random.categorical(k, logits))(jax.random.split(key, n))
