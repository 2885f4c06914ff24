"""Calls of compiled functions with a class that is no pytree; some put another function in their place first."""

from unittest import mock

import jax.numpy as jnp
from lib import model


class Fake:
    def __init__(self):
        self.scale = 2.0


def clean_with_another_function(monkeypatch):
    monkeypatch.setattr(model, "forward", lambda _, x: x)
    return model.update(Fake(), jnp.ones(2))


@mock.patch("lib.model.forward", lambda _, x: x)
def clean_patched():
    return model.update(Fake(), jnp.ones(3))


def clean_patched_for_a_while():
    with mock.patch.object(model, "forward", lambda _, x: x):
        return model.forward(Fake(), jnp.ones(4))


def with_another_one(monkeypatch):
    monkeypatch.setattr(model, "update", lambda _, x: x)
    return model.forward(Fake(), jnp.ones(5))  # expect: unregistered-class-argument


def as_it_is():
    return model.update(Fake(), jnp.ones((2, 2)))
