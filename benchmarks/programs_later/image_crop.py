import jax
import jax.numpy as jnp


@jax.jit
def crop(image, top, left):
    return image[top : top + 4, left : left + 4]


# --- what it should do
image = jnp.arange(64.0).reshape(8, 8)
assert crop(image, 2, 3).tolist() == image[2:6, 3:7].tolist()
