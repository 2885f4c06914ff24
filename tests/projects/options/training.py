"""Keys that are split once more behind an option, which some calls give and some do not."""

import jax


def clean_never_given(key, count, randomize=None):
    extra = None
    if randomize is not None:
        extra = randomize(jax.random.split(key, count))
    return jax.random.split(key, count), extra


def given(key, count, randomize=None):
    extra = None
    if randomize is not None:
        extra = randomize(jax.random.split(key, count))
    return jax.random.split(key, count), extra  # expect: parent-key-after-split


def given_by_position(key, count, randomize=None):
    extra = None
    if randomize:
        extra = randomize(jax.random.split(key, count))
    return jax.random.split(key, count), extra  # expect: parent-key-after-split


def clean_for_others(key, count, varied=None):
    extra = None
    if varied is not None:
        extra = varied(jax.random.split(key, count))
    return jax.random.split(key, count), extra
