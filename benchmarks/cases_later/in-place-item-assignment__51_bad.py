"""clipping one row of the weights of a layer; slug: in-place-item-assignment"""
import equinox as eqx
import jax
import jax.numpy as jnp

layer = eqx.nn.Linear(3, 4, key=jax.random.key(0))


def main():
    weights = layer.weight
    weights[0] = jnp.clip(weights[0], -0.1, 0.1)  # expect: in-place-item-assignment
    clipped = eqx.tree_at(lambda l: l.weight, layer, weights)
    return clipped(jnp.ones(3))


def demonstrate():
    try:
        main()
    except TypeError as err:
        return str(err)
    raise AssertionError("expected a failure")
