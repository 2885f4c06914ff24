"""after patch grid computed with jnp.ceil; slug: jnp-on-static-value"""
import math

import jax
import jax.numpy as jnp


@jax.jit
def patchify(image):
    height, width, _ = image.shape
    rows = jnp.ceil(height / 4)  # expect: jnp-on-static-value
    pad = int(rows) * 4 - height
    image = jnp.pad(image, ((0, pad), (0, 0), (0, 0)))
    return image.reshape(-1, 4, width, image.shape[-1])


def demonstrate():
    try:
        patchify(jnp.ones((6, 4, 1)))
    except Exception as err:
        assert type(err).__name__ == 'ConcretizationTypeError', repr(err)
    else:
        raise AssertionError('expected ConcretizationTypeError')
