"""after a donated batch whose statistics alone are returned; slug: unused-donation"""

import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, donate_argnums=(0,))
def summarize(images):
    return images.mean(axis=(1, 2)), images.std(axis=(1, 2))


def statistics(loader):
    rows = []
    for _ in range(2):
        rows.append(summarize(jnp.ones((8, 16, 16)) * loader))  # expect: unused-donation
    return rows


def main():
    return statistics(2.0)


def demonstrate():
    import warnings

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        main()
    assert any("donated" in str(w.message) for w in seen)
