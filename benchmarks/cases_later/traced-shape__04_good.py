"""after general knowledge; slug: traced-shape; corrected twin"""
import jax
import jax.numpy as jnp


def patchify(image, size):
    h, w = image.shape
    return image.reshape(h // size, size, w // size, size).swapaxes(1, 2)


def token_energy(image, *, size):
    return jnp.sum(patchify(image, size) ** 2, axis=(2, 3))


energies = jax.jit(token_energy, static_argnames="size")


def compare(image):
    return energies(image, size=2).max()


def demonstrate():
    compare(jnp.ones((4, 4)))
