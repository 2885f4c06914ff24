import jax
import jax.numpy as jnp


def augment(images):
    out = []
    for image in images:
        key = jax.random.PRNGKey(0)
        out.append(image + jax.random.normal(key, image.shape))
    return jnp.stack(out)


# --- what it should do
y = augment(jnp.zeros((2, 4)))
assert not jnp.array_equal(y[0], y[1])
