"""layers to freeze, kept as a set beside the parameters; slug: set-in-pytree"""
import jax
import jax.numpy as jnp


def init(sizes):
    keys = jax.random.split(jax.random.key(0), len(sizes) - 1)
    return {f"layer{i}": jax.random.normal(k, (m, n)) for i, (k, m, n) in enumerate(zip(keys, sizes, sizes[1:]))}


@jax.jit
def decay(params, frozen):
    return {name: w if name in frozen else 0.9 * w for name, w in params.items()}


def main():
    params = init((4, 3, 2))
    for _ in range(2):
        params = decay(params, {"layer0"})  # expect: set-in-pytree
    return params


def demonstrate():
    try:
        main()
    except TypeError as err:
        return str(err)
    raise AssertionError("expected a failure")
