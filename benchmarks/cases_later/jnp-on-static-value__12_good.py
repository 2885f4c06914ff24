"""after patch grid computed with jnp.ceil; slug: jnp-on-static-value; corrected twin"""
import math

import jax
import jax.numpy as jnp


@jax.jit
def patchify(image):
    height, width, _ = image.shape
    rows = math.ceil(height / 4)
    pad = int(rows) * 4 - height
    image = jnp.pad(image, ((0, pad), (0, 0), (0, 0)))
    return image.reshape(-1, 4, width, image.shape[-1])


def demonstrate():
    patchify(jnp.ones((6, 4, 1)))
