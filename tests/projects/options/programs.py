"""Calls of the training functions, by settings and by hand."""

import functools

import jax
import training

SETTINGS = {"count": 2}


def draw(keys):
    return jax.random.normal(keys[0])


def run(key):
    return functools.partial(training.clean_never_given, **SETTINGS)(key)


def run_given(key):
    return training.given(key, 2, randomize=draw), training.given_by_position(key, 3, draw)
