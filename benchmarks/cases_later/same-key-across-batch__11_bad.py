"""after augmentation key closed over by a vmapped lambda; slug: same-key-across-batch"""
import jax
import jax.numpy as jnp


def brightness(key, image):
    return image * (1 + 0.2 * jax.random.normal(key))


def augment(key, images):
    return jax.vmap(lambda image: brightness(key, image))(images)  # expect: same-key-across-batch


@jax.jit
def step(params, images, key):
    views = augment(key, images)
    return views.mean(axis=(1, 2)) @ params


def demonstrate():
    out = step(jnp.eye(2), jnp.ones((3, 4, 4, 2)), jax.random.key(0))
    assert jnp.allclose(out[0], out[2])
