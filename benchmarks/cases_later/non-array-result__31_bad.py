"""after a step that returns the name of the branch beside its value; slug: non-array-result"""

import jax
import jax.numpy as jnp


def clip(x, limit):
    norm = jnp.linalg.norm(x)
    scale = jnp.minimum(1.0, limit / norm)
    return x * scale, {"norm": norm, "mode": "global"}


@jax.jit
def update(params, grads):
    clipped, info = clip(grads, 1.0)
    return params - 0.1 * clipped, info  # expect: non-array-result


def main():
    return update(jnp.ones(3), jnp.full(3, 4.0))


def demonstrate():
    try:
        main()
    except TypeError:
        return
    assert False
