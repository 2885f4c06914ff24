"""A compiled function, and code that calls it by the name of its module."""

import jax


@jax.jit
def forward(model, x):
    return model.scale * x


def update(model, x):
    return forward(model, x) + 1.0  # expect: unregistered-class-argument
