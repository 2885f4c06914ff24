import jax
import jax.numpy as jnp
from lib import draws, state
from lib.state import Carry, Stream, Stuck


def reused(seed):
    key = jax.random.key(seed)
    a = draws.noise(key, (2,))
    return a + draws.noise(key, (2,))  # expect: key-reuse


def advanced(seed):
    key = jax.random.key(seed)
    a, key = draws.noise_and_key(key, (2,))
    b, key = draws.noise_and_key(key, (2,))
    return a + b


def stale(seed):
    key = jax.random.key(seed)
    a, key = draws.noise_and_old_key(key, (2,))
    return a


def asked(seed):
    key = jax.random.key(seed)
    if draws.is_typed(key):
        draws.describe(key)
    return draws.either(key, seed > 3)


def in_a_dict(seed):
    keys = draws.pair(jax.random.key(seed))
    x = draws.noise(keys["init"], (2,)) + draws.noise(keys["noise"], (2,))
    return x * draws.noise(keys["noise"], (2,))  # expect: key-reuse


def in_a_tuple(seed):
    carry = Carry(jax.random.key(seed), jnp.zeros(()))
    for _ in range(3):
        carry = state.advance(carry)
    return carry.value


def in_a_stuck_tuple(seed):
    carry = Carry(jax.random.key(seed), jnp.zeros(()))
    carry = state.forgetful(carry)
    return state.forgetful(carry).value  # expect: key-reuse


def from_a_stream(seed):
    stream = Stream(seed)
    return draws.noise(stream.next(), (2,)) + draws.noise(stream.next(), (2,))


def from_a_stuck_one(seed):
    stream = Stuck(seed)
    return draws.noise(stream.next(), (2,)) - draws.noise(stream.next(), (2,))  # expect: parent-key-after-split


def in_a_loop(seed):
    key = jax.random.key(seed)
    return [draws.noise(key, ()) for _ in range(3)]  # expect: key-reuse-in-loop


def over_keys(seed):
    return [draws.noise(k, ()) for k in jax.random.split(jax.random.key(seed), 3)] + draws.several(
        jax.random.key(seed + 1), 2
    )


def meant(seed):
    key = jax.random.key(seed)
    online = draws.noise(key, (2,))
    target = draws.noise(jax.random.clone(key), (2,))
    return online - target


def one_or_the_other(seed, fast):
    key = jax.random.key(seed)
    if fast:
        return draws.noise(key, (2,))
    return draws.either(key, True)
