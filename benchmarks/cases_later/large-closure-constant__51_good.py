"""a corpus that a compiled sampler closes over; slug: large-closure-constant"""
import jax
import jax.numpy as jnp
import numpy as np

CORPUS = np.random.default_rng(0).integers(0, 255, size=(2000, 4096)).astype(np.float32)


@jax.jit
def window(corpus, start):
    return jax.lax.dynamic_slice(corpus, (start, 0), (4, 4096))


def main():
    return window(jnp.asarray(CORPUS), 3).mean()


def demonstrate():
    assert True
