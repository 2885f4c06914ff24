"""an ensemble of equinox layers with an axis too many; slug: axes-mismatch"""
import equinox as eqx
import jax
import jax.numpy as jnp


def ensemble(keys):
    return eqx.filter_vmap(lambda key: eqx.nn.Linear(3, 2, key=key))(keys)


def predict(weight, bias, x):
    return weight @ x + bias


def main():
    layers = ensemble(jax.random.split(jax.random.key(0), 5))
    members = {"weight": layers.weight, "bias": layers.bias}
    x = jnp.ones((3,))
    mapped = jax.vmap(predict, in_axes=(0, 0, None))
    return mapped(members["weight"], members["bias"], x)


def demonstrate():
    main()
