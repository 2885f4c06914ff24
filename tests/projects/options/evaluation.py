"""The option comes in a mapping, of which the file names the key."""

import jax


def given_by_a_mapping(key, count, vary=None):
    extra = None
    if vary is not None:
        extra = vary(jax.random.split(key, count))
    return jax.random.split(key, count), extra  # expect: parent-key-after-split
