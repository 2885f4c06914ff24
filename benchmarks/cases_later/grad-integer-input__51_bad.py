"""the saliency of an image of bytes; slug: grad-integer-input"""
from functools import partial

import haiku as hk
import jax
import jax.numpy as jnp


def network(image):
    x = image.astype(jnp.float32) / 255.0
    x = hk.Flatten()(x)
    return hk.Linear(10)(x)


model = hk.without_apply_rng(hk.transform(network))


def score(image, params, label):
    return model.apply(params, image)[0, label]


saliency = jax.grad(partial(score, label=3))


def main():
    image = jnp.zeros((1, 8, 8, 1), dtype=jnp.uint8)
    params = model.init(jax.random.key(0), image)
    return saliency(image, params)  # expect: grad-integer-input


def demonstrate():
    try:
        main()
    except TypeError as err:
        return str(err)
    raise AssertionError("expected a failure")
