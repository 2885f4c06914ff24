"""after general knowledge; slug: traced-shape"""
import jax
import jax.numpy as jnp


def patchify(image, size):
    h, w = image.shape
    return image.reshape(h // size, size, w // size, size).swapaxes(1, 2)  # expect: traced-shape


def token_energy(image, *, size):
    return jnp.sum(patchify(image, size) ** 2, axis=(2, 3))


energies = jax.jit(token_energy)


def compare(image):
    return energies(image, size=2).max()


def demonstrate():
    try:
        compare(jnp.ones((4, 4)))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
