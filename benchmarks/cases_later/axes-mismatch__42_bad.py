"""an ensemble with more members than keys; slug: axes-mismatch"""
import equinox as eqx
import jax
import jax.numpy as jnp


@eqx.filter_vmap
def make(key):
    return eqx.nn.MLP(2, 1, 4, 1, key=key)


@eqx.filter_vmap(in_axes=(eqx.if_array(0), None))
def evaluate(model, x):
    return model(x)


def drop(keys, values):
    def one(key, value):
        return value * jax.random.bernoulli(key, 0.5, value.shape)

    return jax.vmap(one)(keys, values)  # expect: axes-mismatch


def main():
    members = make(jax.random.split(jax.random.key(0), 4))
    out = evaluate(members, jnp.ones(2))
    return drop(jax.random.split(jax.random.key(1), 8), jnp.ones((4, 1))) + out


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
