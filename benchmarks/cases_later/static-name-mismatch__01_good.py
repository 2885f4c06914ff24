"""after general knowledge; slug: static-name-mismatch; corrected twin"""
import jax
import jax.numpy as jnp


def resize(image, *, height, width):
    return jax.image.resize(image, (height, width), "linear")


def preprocess(image, size, normalise=True):
    image = resize(image, height=size, width=size)
    return (image - image.mean()) / image.std() if normalise else image


def make_pipeline():
    return jax.jit(preprocess, static_argnames=("size", "normalise"))


def demonstrate():
    make_pipeline()(jnp.ones((4, 4)), size=2)
