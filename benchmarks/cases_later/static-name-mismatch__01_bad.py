"""after general knowledge; slug: static-name-mismatch"""
import jax
import jax.numpy as jnp


def resize(image, *, height, width):
    return jax.image.resize(image, (height, width), "linear")


def preprocess(image, size, normalise=True):
    image = resize(image, height=size, width=size)
    return (image - image.mean()) / image.std() if normalise else image


def make_pipeline():
    return jax.jit(preprocess, static_argnames=("size", "normalize"))  # expect: static-name-mismatch


def demonstrate():
    try:
        make_pipeline()(jnp.ones((4, 4)), size=2)
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
