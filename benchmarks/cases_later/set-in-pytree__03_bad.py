"""after general knowledge; slug: set-in-pytree"""
import jax
import jax.numpy as jnp


def l2(params, skip):
    return sum(jnp.sum(v ** 2) for k, v in params.items() if k not in skip)


penalty = jax.value_and_grad(l2)


def regularise(params):
    frozen = set(params) - {"w"}
    return jax.jit(penalty)(params, frozen)  # expect: set-in-pytree


def demonstrate():
    try:
        regularise({'w': jnp.ones(2), 'b': jnp.zeros(2)})
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
